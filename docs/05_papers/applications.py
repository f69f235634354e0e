#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records the MPI programs of tests/mpi on 4, 8 and 16 ranks, replays them, and stores what applications.in.md reports:

    docs/05_papers/applications.py WEFT RECORDER PROGRAMS DIRECTORY [--jobs N]

WEFT: the command. RECORDER: libweft_mpi.so. PROGRAMS: mpi_programs. DIRECTORY: folder for traces and results; existing
ones are not made again. This program computes the values in {{braces}} and stores them in applications.json."""

import argparse
import json
import os
import pathlib
import sys

sys.dont_write_bytecode = True
from mpi_recording import mpirun  # noqa: E402
from paper_tools import run_sweep, store_page  # noqa: E402

PROGRAMS = ["integer_sort", "ant_colony", "conjugate_gradient", "fft_transpose", "halo_exchange", "gradients"]
RANKS = [4, 8, 16]
MODES = ["none", "always", "selective"]
NETWORKS = {  # 16 nodes each
    "mesh": {"kind": "mesh", "shape": [4, 4]},
    "torus": {"kind": "torus", "shape": [4, 4]},
    "fat tree": {"kind": "fat_tree", "children": [4, 4], "parents": [1, 4]},
    "Octagon": {"kind": "octagon", "nodes_per_router": 2},
}
ALGORITHMS = {
    "ant_colony": ("broadcast", ["usual", "all_at_once", "tree", "ring", "network_coding"]),
    "gradients": ("all_reduce", ["usual", "rank_tree", "tree", "recursive_doubling", "ring"]),
    "fft_transpose": ("all_to_all", ["usual", "all_at_once", "ring", "combining"]),
}


class Study:
    def __init__(self, arguments):
        self.weft = str(pathlib.Path(arguments.weft).resolve())
        self.recorder = str(pathlib.Path(arguments.recorder).resolve())
        self.programs = str(pathlib.Path(arguments.programs).resolve())
        self.directory = pathlib.Path(arguments.directory).resolve()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.jobs = arguments.jobs
        self.found = {}  # replays by network, program and ranks

    def record(self, program, ranks):
        """Records a program, unless the trace exists. Returns the name of the trace in the directory."""
        name = f"{program}.{ranks}"
        if (self.directory / name).exists():
            return name
        print("recording", name, file=sys.stderr)
        environment = {"TRACE": f"{name}.part", "PAYLOAD": "whole", "CLOCK": "cpu"}
        if mpirun(self.recorder, self.programs, self.directory, program, ranks, **environment) != 0:
            sys.exit(f"{program} on {ranks} ranks does not verify")
        (self.directory / f"{name}.part").rename(self.directory / name)
        return name

    def sweep(self, name, topology, axes, settings, compression=None):
        """Runs a sweep and returns its rows as dictionaries by column."""
        config = self.directory / f"{name}.yaml"
        network = {"topology": topology, "router": {"vcs": 4, "depth": 8, "pipeline": 3}}
        replay = {"computing": 0, **settings}
        config.write_text(
            json.dumps(
                {
                    "network": network,
                    "workload": {"trace": axes["workload.trace"][0], "replay": replay},
                    "nic": {"compression": compression or {}},
                    "simulation": {"level": "engine"},
                    "output": {"directory": "."},
                    "sweep": {"over": axes},
                }
            )
        )
        print("replaying", name, file=sys.stderr)
        rows = run_sweep(self.weft, config, self.jobs)
        for row in rows:
            if row["outcome"] != "complete":
                sys.exit(f"{name}: {row['workload.trace']}: {row['outcome']}: {row['error']}")
        return rows


def times(a, b):
    return f"{int(a) / int(b):.2f}"


def by_program(rows):
    """The rows by program and number of ranks, and then by mode."""
    found = {}
    for row in rows:
        program, ranks = pathlib.Path(row["workload.trace"]).name.split(".")
        found.setdefault((program, int(ranks)), {})[row["nic.compression.mode"]] = row
    return found


def network_table(found, fastest):
    """A line for each program and number of ranks."""
    lines = [
        "| program | ranks | data, kB | flits | makespan, cycles | by fastest | always | selective | flit hops |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for program in PROGRAMS:
        for ranks in RANKS:
            of = found[program, ranks]
            none, always, selective = (of[mode] for mode in MODES)
            lines.append(
                f"| {program} | {ranks} | {int(none['bytes']) / 1000:.1f} | {none['flits']} | {none['makespan']} "
                f"| {times(none['makespan'], fastest[program, ranks])} "
                f"| {times(none['makespan'], always['makespan'])} | {times(none['makespan'], selective['makespan'])} "
                f"| {times(none['flit_hops'], always['flit_hops'])} |"
            )
    return "\n".join(lines)


def packet_table(study, traces):
    """Packet length: the compressor receives a whole packet before it continues."""
    rows = study.sweep(
        "packets",
        NETWORKS["mesh"],
        {
            "workload.trace": [trace for trace in traces if trace.endswith(".16")],
            "workload.replay.packet": [4, 16, 64, 256],
            "nic.compression.mode": MODES[:2],
        },
        {},
    )
    found = {}
    for row in rows:
        program = pathlib.Path(row["workload.trace"]).name.split(".")[0]
        found[program, int(row["workload.replay.packet"]), row["nic.compression.mode"]] = row["makespan"]
    lines = ["| program | 4 flits | 16 | 64 | 256 |", "|---|---|---|---|---|"]
    for program in PROGRAMS:
        cells = [
            f"{found[program, size, 'none']}, {times(found[program, size, 'none'], found[program, size, 'always'])}"
            for size in (4, 16, 64, 256)
        ]
        lines.append(f"| {program} | {' | '.join(cells)} |")
    return "\n".join(lines)


def threshold_table(study, traces):
    """Selection by the source queue only: N never selects a packet."""
    sizes = [0, 2, 8, 32]
    lines = ["| program | network | always | Q > 0 | Q > 2 | Q > 8 | Q > 32 |", "|---|---|---|---|---|---|---|"]
    found = {}
    traces = [trace for trace in traces if trace.endswith(".16")]
    for name in ("mesh", "Octagon"):
        rows = study.sweep(
            f"thresholds_{name.lower()}",
            NETWORKS[name],
            {"workload.trace": traces, "nic.compression.queue_threshold": sizes},
            {},
            {"mode": "selective", "received_threshold": 1000},
        )
        for row in rows:
            program = pathlib.Path(row["workload.trace"]).name.split(".")[0]
            found[program, name, int(row["nic.compression.queue_threshold"])] = row["makespan"]
    for program in PROGRAMS:
        for name in ("mesh", "Octagon"):
            of = study.found[name][program, 16]
            none = of["none"]["makespan"]
            cells = [times(none, of["always"]["makespan"])] + [times(none, found[program, name, q]) for q in sizes]
            lines.append(f"| {program} | {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def collective_table(study):
    lines = ["| program | collective | " + "algorithm: makespan, cycles; with compression always |", "|---|---|---|"]
    for program, (collective, algorithms) in ALGORITHMS.items():
        key = f"workload.replay.collectives.{collective}"
        rows = study.sweep(
            f"collectives_{program}",
            NETWORKS["mesh"],
            {"workload.trace": [f"{program}.16"], key: algorithms, "nic.compression.mode": MODES[:2]},
            {"collectives": {"group": [2, 2]}},
        )
        cells = {}
        for row in rows:
            cells.setdefault(row[key], []).append(row["makespan"])
        text = "; ".join(f"{name} {a}, {b}" for name, (a, b) in cells.items())
        lines.append(f"| {program} | {collective} | {text} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft")
    parser.add_argument("recorder")
    parser.add_argument("programs")
    parser.add_argument("directory")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="replays at a time")
    study = Study(parser.parse_args())
    traces = [study.record(program, ranks) for program in PROGRAMS for ranks in RANKS]
    values = {}
    for name, topology in NETWORKS.items():
        rows = study.sweep(
            name.replace(" ", "_"), topology, {"workload.trace": traces, "nic.compression.mode": MODES}, {}
        )
        study.found[name] = by_program(rows)
    cases = study.found["mesh"].keys()
    fastest = {case: min(int(of[case]["none"]["makespan"]) for of in study.found.values()) for case in cases}
    gains = []  # how many times slower than on the fastest network, and how many times shorter with compression
    for name, found in study.found.items():
        values[name.replace(" ", "_").lower()] = network_table(found, fastest)
        for case, of in found.items():
            none = int(of["none"]["makespan"])
            gains.append((none / fastest[case], none / int(of["always"]["makespan"])))
    values["cases"] = str(len(gains))
    values["shorter"] = str(sum(gain > 1.005 for _, gain in gains))
    values["longer"] = str(sum(gain < 0.995 for _, gain in gains))
    values["least"], values["most"] = f"{min(g[1] for g in gains):.2f}", f"{max(g[1] for g in gains):.2f}"
    slow, fast = [g for s, g in gains if s >= 1.3], [g for s, g in gains if s < 1.1]
    values["slow"], values["slow_shorter"] = str(len(slow)), str(sum(g > 1.005 for g in slow))
    values["fast"], values["fast_shorter"] = str(len(fast)), str(sum(g > 1.005 for g in fast))
    values["packets"] = packet_table(study, traces)
    values["thresholds"] = threshold_table(study, traces)
    values["collectives"] = collective_table(study)
    store_page("applications", values)


if __name__ == "__main__":
    main()
