#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cost of a replay: tests/bench/replay_speed.py WEFT WRITE_TRACE [--runs N] [--rounds N] [--computing NS …]
       [--calls N [--bytes N]]

Speed: flits per processor second of `weft replay`, as a multiple of that of `weft run` with uniform traffic of as many
flits, in packets of the same length, at the same load, on the same 8x8 mesh. Both run in turn, and the table has the
median of the ratios. The program has 64 ranks that exchange one-packet messages by random permutations; its time
includes reading the trace. With --calls, memory: the peak of replays of programs with N calls, for each kind of program
of write_trace, with computing between the calls and without. Without computing, all eager messages wait at their nodes
at the same time.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

FLITS = 16
NETWORK = "network: {topology: {shape: [8, 8]}}\n"
REPLAY = NETWORK + "workload: {trace: trace, replay: {packet: %d}}\nsimulation: {level: engine}\noutput: {name: replay}\n"
SYNTHETIC = (
    NETWORK
    + "workload: {injection: {load: %.6f}, length: %d, payload: random}\n"
    + "simulation: {level: engine, warmup: 0, measure: %d}\noutput: {name: synthetic}\n"
)


def used_by(folder, *command):
    """Processor seconds and peak kilobytes of a command."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):  # 1: the load is above what the network can carry
        raise SystemExit(f"{command[0]} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def write_trace(options, folder, kind, ranks, rounds, size, computing):
    subprocess.run([options.write_trace.resolve(), folder / "trace", kind, str(ranks), str(rounds), str(size), str(computing)], check=True)


def result(folder, name):
    return json.loads((folder / "results" / f"{name}.json").read_text())


def speed(options, computing):
    """Load of each replay, its flits per second, and its speed as a multiple of that of synthetic traffic."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_trace(options, folder, "exchange", 64, options.rounds, 8 * FLITS, computing)
        (folder / "replay.yaml").write_text(REPLAY % FLITS)
        weft = str(options.weft.resolve())
        ratios, rates = [], []
        for _ in range(options.runs):
            seconds, _ = used_by(folder, weft, "replay", "replay.yaml", "-q")
            played = result(folder, "replay")
            load = played["flits"] / 64 / played["makespan"]
            (folder / "synthetic.yaml").write_text(SYNTHETIC % (load, FLITS, played["makespan"]))
            synthetic_seconds, _ = used_by(folder, weft, "run", "synthetic.yaml", "-q")
            flits = load * 64 * result(folder, "synthetic")["cycles"]["window_end"]
            rates.append(played["flits"] / seconds)
            ratios.append(rates[-1] / (flits / synthetic_seconds))
        return load, statistics.median(rates), statistics.median(ratios)


def memory(options, kind, computing):
    """Seconds and peak megabytes of a replay of so many calls."""
    ranks, calls_a_round = 16, 3 if kind == "exchange" else 1
    rounds = -(-options.calls // (ranks * calls_a_round))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_trace(options, folder, kind, ranks, rounds, options.bytes, computing)
        (folder / "replay.yaml").write_text(REPLAY % FLITS)
        seconds, kilobytes = used_by(folder, str(options.weft.resolve()), "replay", "replay.yaml", "-q")
        if not result(folder, "replay")["complete"]:
            raise SystemExit(f"the replay of {kind} was not complete")
        return seconds, kilobytes / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft", type=Path)
    parser.add_argument("write_trace", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3000)
    parser.add_argument("--computing", type=int, nargs="+", default=[600, 150, 0], help="nanoseconds between exchanges")
    parser.add_argument("--calls", type=int, help="measure memory, of replays of so many calls")
    parser.add_argument("--bytes", type=int, default=64, help="of their messages")
    parser.add_argument("--limit", type=float, default=4096, help="megabytes that such a replay may take")
    options = parser.parse_args()
    if options.calls is None:
        print("   load   flits/s  of synthetic")
        for computing in options.computing:
            print("{:7.3f}{:10.0f}{:14.2f}".format(*speed(options, computing)), flush=True)
        return
    print("program      computing  seconds        MB")
    largest = 0
    for kind in ("exchange", "stream", "allreduce"):
        for computing in (100, 0):
            seconds, megabytes = memory(options, kind, computing)
            largest = max(largest, megabytes)
            print(f"{kind:<12}{computing:7} ns{seconds:9.1f}{megabytes:10.0f}", flush=True)
    if largest > options.limit:
        raise SystemExit(f"{largest:.0f} MB are more than {options.limit:.0f}")


if __name__ == "__main__":
    main()
