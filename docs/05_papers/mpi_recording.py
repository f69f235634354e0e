# SPDX-License-Identifier: Apache-2.0
"""Runs the MPI programs of tests/mpi under the recorder."""

import os
import subprocess


def mpirun(recorder, programs, directory, program, ranks, **variables):
    """Runs a program in the directory. Variables are those of libweft_mpi.so, without the prefix WEFT_MPI_.
    Returns the exit status: 0 if the program's verification passed."""
    environment = {
        **os.environ,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        # Open MPI 4.1.4 uses Bruck's all-to-all for short blocks on 12 ranks or more, and then stores data that are
        # received with a non-contiguous type at wrong positions. Pairwise exchange does not.
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_alltoall_algorithm": "2",
    }
    words = ["mpirun", "--oversubscribe", "-n", str(ranks), "-x", f"LD_PRELOAD={recorder}"]
    for name, value in variables.items():
        words += ["-x", f"WEFT_MPI_{name}={value}"]
    done = subprocess.run([*words, programs, program], cwd=directory, env=environment, capture_output=True, text=True)
    if done.returncode != 0 and " is wrong" not in done.stderr:
        raise SystemExit(f"{program} on {ranks} ranks did not run:\n{done.stdout}{done.stderr}")
    return done.returncode
