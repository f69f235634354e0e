#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cost of recording: tests/bench/recording_cost.py WEFT [--cycles N] [--runs N] [--level L] [--loads L …] [--flits F …]

Measures the processor time of `weft run` with each kind of recording, and with all of them, as a multiple of that with
the usual output: an 8x8 mesh under uniform traffic. All kinds run in turn, and the table has the medians of the ratios
to the usual run of the same round, so they are valid on a busy machine, too. The last column is the wall time with all
of them; it is less than the processor time if a core is free, because a separate thread writes the event log.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

EXPERIMENT = """network: {topology: {shape: [8, 8]}}
workload: {injection: %s, length: %s, payload: random}
simulation: {level: %s, measure: %d}
output: {%s}
"""
KINDS = {
    "usual": "",
    "breakdown": "breakdown: true",
    "matrix": "matrix: true",
    "interval": "interval: 500",
    "event_log": "event_log: true",
}
KINDS["all"] = ", ".join(text for text in KINDS.values() if text)


def times(weft, folder, experiment):
    """Processor seconds of one run, of the user and of the system, and seconds on the clock."""
    (folder / "run.yaml").write_text(experiment)
    start = time.monotonic()
    _, status, used = os.wait4(subprocess.Popen([weft, "run", "run.yaml", "-q"], cwd=folder).pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):  # 1: the load is above what the network can carry
        raise SystemExit("weft run failed")
    return used.ru_utime + used.ru_stime, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft", type=Path)
    parser.add_argument("--cycles", type=int, default=30_000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--level", default="engine")
    parser.add_argument("--loads", nargs="+", default=["0.05", "0.1", "0.2", "0.3", "0.38"])
    parser.add_argument("--flits", nargs="+", default=["1", "5"])
    options = parser.parse_args()
    weft = options.weft.resolve()
    print("flits   load  usual, s  " + "".join(f"{kind:>11}" for kind in list(KINDS)[1:]) + "   on the clock")
    with tempfile.TemporaryDirectory() as folder:
        for flits in options.flits:
            for load in options.loads:
                rounds = [
                    {
                        kind: times(weft, Path(folder), EXPERIMENT % (load, flits, options.level, options.cycles, output))
                        for kind, output in KINDS.items()
                    }
                    for _ in range(options.runs)
                ]
                usual = statistics.median(r["usual"][0] for r in rounds)
                ratios = [statistics.median(r[kind][0] / r["usual"][0] for r in rounds) for kind in list(KINDS)[1:]]
                clock = statistics.median(r["all"][1] / r["usual"][1] for r in rounds)
                row = "".join(f"{ratio:11.2f}" for ratio in ratios)
                print(f"{flits:>5}{load:>7}{usual:10.2f}  {row}{clock:15.2f}", flush=True)


if __name__ == "__main__":
    main()
