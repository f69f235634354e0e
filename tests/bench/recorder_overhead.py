#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Overhead of the MPI recorder for whole programs: tests/bench/recorder_overhead.py RECORDER PROGRAMS [--ranks N]
[--runs N] [NAME …]

Measures the processor time of a program's ranks between MPI_Init() and MPI_Finalize() when recorded without payload,
with the payload of one message in 16, and with all payload, as a multiple of the time without the recorder. All kinds
run in turn, and the table has the medians of the ratios to the plain run of the same round. PROGRAMS is the program of
tests/mpi; a run repeats each of its programs so often that it takes about a second.

--calls: the additional nanoseconds per call with the recorder, for messages of 1 kB of a rank to itself (MPI_Irecv(),
MPI_Send() and MPI_Wait()); the minimum of all runs.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

CALLS = 300_000

# Programs with messages of 1 kB and more, for two ranks, and how many times each runs.
PROGRAMS = {"integer_sort": 4000, "fft_transpose": 4000, "gradients": 600}
KINDS = {"none": "none", "sampled": "16", "whole": "whole"}


def processor_time(options, program, times, payload):
    """Processor seconds of all ranks together; payload None: without the recorder."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["mpirun", "--oversubscribe", "-n", str(options.ranks), "-x", f"WEFT_PROGRAM_TIMES={times}"]
        if payload is not None:
            for variable in (f"LD_PRELOAD={options.recorder.resolve()}", f"WEFT_MPI_TRACE={folder}/t", f"WEFT_MPI_PAYLOAD={payload}"):
                command += ["-x", variable]
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1")
        done = subprocess.run(command + [options.programs.resolve(), program], env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{program} failed: {done.stderr}")
        return sum(float(line.split()[-2]) for line in done.stdout.splitlines() if line.endswith(" seconds"))


def print_calls(options):
    os.environ["WEFT_PING_TIMES"] = str(CALLS // 3)
    def least(payload):
        """Nanoseconds per call."""
        return min(processor_time(options, "to_itself", 1, payload) for _ in range(options.runs)) / options.ranks / CALLS * 1e9

    plain = least(None)
    print(f"call, plain {plain:.0f} ns, more with the recorder:" + "".join(f" {least(payload) - plain:.0f} ({kind})" for kind, payload in KINDS.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recorder", type=Path)
    parser.add_argument("programs", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", default=list(PROGRAMS))
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--share", type=float, default=1, help="of the usual number of times that a program runs")
    parser.add_argument("--calls", action="store_true", help="what a call costs, in place of programs")
    options = parser.parse_args()
    if options.calls:
        return print_calls(options)
    print(f"{'program':<16}plain, s" + "".join(f"{kind:>10}" for kind in KINDS))
    for name in options.names:
        times = max(1, int(PROGRAMS.get(name, 100) * options.share))
        rounds = []
        for _ in range(options.runs):
            plain = processor_time(options, name, times, None)
            rounds.append((plain, *(processor_time(options, name, times, payload) / plain for payload in KINDS.values())))
        medians = [statistics.median(column) for column in zip(*rounds)]
        print(f"{name:<16}{medians[0]:8.2f}" + "".join(f"{ratio:10.3f}" for ratio in medians[1:]), flush=True)


if __name__ == "__main__":
    main()
