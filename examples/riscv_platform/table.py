#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints simulated time and speed of riscv_platform in the form of the tables of docs/03_reference/tlm.md: medians over several runs.

    examples/riscv_platform/table.py build/release/examples/riscv_platform [--shared] [--size 16] [--repeats 5]
"""

import argparse
import os
import re
import statistics
import subprocess
import sys

NETWORKS = ["bus", "loose", "contended", "cycle", "pin"]
CORES = [1, 2, 4]


def measure(arguments, options):
    """(simulated us, MIPS) of one run; its output must be equal to that of every other run with the same number of cores."""
    program = os.path.join(arguments.folder, "matrix.elf")
    command = [os.path.join(arguments.folder, "riscv_platform"), "--size", str(arguments.size), *options, program]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"simulated ([0-9.]+) us, .*: ([0-9.]+) MIPS", run.stderr)
    if run.returncode != 0 or found is None:
        sys.exit(f"{' '.join(command)}: exit status {run.returncode}\n{run.stderr}")
    return run.stdout, float(found[1]), float(found[2])


def cells(arguments, network, dmi, outputs):
    """Simulated times and speeds with 1, 2 and 4 cores."""
    times, speeds = [], []
    for cores in CORES:
        options = ["--network", network, "--cores", str(cores)]
        options += ["--dmi"] if dmi else []
        options += ["--shared"] if arguments.shared else []
        runs = [measure(arguments, options) for _ in range(arguments.repeats)]
        for output, time, _ in runs:
            if outputs.setdefault(cores, output) != output or time != runs[0][1]:
                sys.exit(f"{' '.join(options)}: the output or the simulated time differs from that of the previous run")
        times.append(f"{runs[0][1]:.1f}")
        speeds.append(f"{statistics.median(speed for _, _, speed in runs):.2g}")
    return " / ".join(times), " / ".join(speeds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="where riscv_platform and matrix.elf are")
    parser.add_argument("--shared", action="store_true", help="programs and data lie in shared memory")
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    print("| network | simulated, µs: 1, 2, 4 cores | with DMI | MIPS: 1, 2, 4 cores | with DMI |")
    print("|---" * 5 + "|")
    outputs = {}
    for network in NETWORKS:
        time, speed = cells(arguments, network, False, outputs)
        dmi_time, dmi_speed = cells(arguments, network, True, outputs)
        print(f"| {network} | {time} | {dmi_time} | {speed} | {dmi_speed} |", flush=True)


if __name__ == "__main__":
    main()
