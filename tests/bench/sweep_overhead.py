#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Overhead of `weft sweep`: tests/bench/sweep_overhead.py WEFT [--points N] [--seconds S] [--jobs J …]

Sweeps N points, which are seeds of one experiment of about S seconds of processor time each, once for each J. Prints
the processor time of the points (compared with as many runs of `weft run`), that of the sweep's own process, and wall
times. Processor times are valid on a busy machine as well, wall times only on a quiet one.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXPERIMENT = """network: {topology: {shape: [8, 8]}}
workload: {injection: 0.2}
simulation: {level: engine, warmup: 1000, measure: %d}
"""


def processor_time_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_alone(weft, folder, cycles, seed=1):
    """Processor seconds of one run."""
    (folder / "point.yaml").write_text(EXPERIMENT % cycles)
    before = processor_time_of_children()
    subprocess.run([weft, "run", "point.yaml", "-q", "--seed", str(seed), "-o", "alone"], cwd=folder, check=True)
    return processor_time_of_children() - before


def cycles_of(weft, folder, seconds):
    """Cycles that take so many seconds."""
    cycles = 20_000
    for _ in range(3):
        cycles = max(1_000, round(cycles * seconds / max(run_alone(weft, folder, cycles), 0.01)))
    return cycles


def sweep(weft, folder, points, jobs):
    """Wall time, processor seconds of the sweep's process, and of its points."""
    begin = time.monotonic()
    process = subprocess.Popen([weft, "sweep", "point.yaml", "-q", "-j", str(jobs), "-o", f"jobs_{jobs}", "--over",
                                f"simulation.seed=1:{points}:1"], cwd=folder)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # keeps the process's status and usage available
    wall = time.monotonic() - begin
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    own, of_points = (sum(int(field) for field in pair) / os.sysconf("SC_CLK_TCK") for pair in (fields[11:13], fields[13:15]))
    if process.wait() != 0:
        sys.exit(f"weft sweep ended with exit status {process.returncode}")
    return wall, own, of_points


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft", type=Path)
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    weft = arguments.weft.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cycles = cycles_of(weft, folder, arguments.seconds)
        runs = min(arguments.points, 10)
        alone = sum(run_alone(weft, folder, cycles, seed) for seed in range(1, runs + 1)) / runs
        print(f"{arguments.points} points of {cycles:,} cycles; by weft run {alone:.3f} s of processor time each")
        for jobs in arguments.jobs:
            wall, own, of_points = sweep(weft, folder, arguments.points, jobs)
            each = of_points / arguments.points
            print(f"-j {jobs}: points {of_points:.1f} s of processor time, {each:.3f} s each ({each / alone - 1:+.1%} of a "
                  f"run); the sweep itself {own:.2f} s, {own / of_points:.2%}; {wall:.1f} s on the clock", flush=True)


if __name__ == "__main__":
    main()
