#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the experiments of compression_energy.in.md, and stores their values and figure:

    docs/05_papers/compression_energy.py WEFT RECORDINGS DIRECTORY [--jobs N]

WEFT: the command. RECORDINGS: the folder of is.S.2.bin.gz and cg.S.2.bin.gz. DIRECTORY: for results; those that are
there are not made again."""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
from paper_tools import plot, store_page, table  # noqa: E402

TECHNOLOGIES = {"osu018": "180 nm (OSU)", "asap7": "7 nm (ASAP7)"}
MODES = ("none", "always", "selective")
LOAD, FLITS = 0.1, 64
SIDES = (4, 8, 16)
BASE = {
    "network": {"topology": {"shape": [8, 8]}, "router": {"depth": 8}},
    "workload": {"injection": {"load": LOAD}, "length": FLITS, "payload": {"kind": "random"}},
    "nic": {"ejection_depth": 8},
    "simulation": {"level": "engine", "warmup": 5000, "measure": 40000},
    "output": {"csv": False, "energy": {"clock_gating": True, "pitch": 1}},
}
SELECTIVE = {"mode": "selective", "received_threshold": 1_000_000, "queue_threshold": 0}


def payloads(recordings):
    """The payloads by title. Recordings have the type that they were recorded with."""
    integers, doubles = (str((recordings / f"{name}.bin.gz").resolve()) for name in ("is.S.2", "cg.S.2"))
    return {
        "small integers": {"kind": "small_integers"},
        "integers of NAS IS": {"kind": "file", "file": integers},
        "smooth doubles": {"kind": "smooth_doubles"},
        "doubles of NAS CG": {"kind": "file", "file": doubles},
        "random bits": {"kind": "random", "type": "int"},
    }


class Result:
    """The energies of a run in pJ per payload bit received. `clock` includes leakage."""

    def __init__(self, run):
        energy = run["energy"]
        parts, total, per_bit = energy["parts"], energy["total"], energy["per_bit"]
        share = {name: per_bit * value / total for name, value in parts.items()}
        self.clock = share["clock"] + share["leakage"]
        self.links = share["links"]
        self.stages = share["stages"]
        self.routers = sum(share[name] for name in ("buffers", "route_computation", "vc_allocation", "switch_allocation",
                                                    "crossbar", "credits", "nics"))
        self.carried = run["throughput"]["carried"]["mean"] / run["throughput"]["accepted"]["mean"]
        assert not energy["notes"], energy["notes"]

    @property
    def fixed(self):
        """Everything that does not depend on wire length, without the clock."""
        return self.routers + self.stages

    @property
    def events(self):
        """The energy of all events at a pitch of 1 mm."""
        return self.fixed + self.links


class Study:
    """Runs and their stored results."""

    def __init__(self, weft, directory):
        self.weft, self.directory = weft.resolve(), directory
        directory.mkdir(parents=True, exist_ok=True)

    def run(self, name, settings):
        file = self.directory / f"{name}.json"
        if not file.exists():
            config = json.loads(json.dumps(BASE))
            for path, value in settings.items():
                *sections, key = path.split(".")
                at = config
                for section in sections:
                    at = at.setdefault(section, {})
                at[key] = value
            config["output"]["directory"], config["output"]["name"] = str(self.directory.resolve()), name
            source = self.directory / f"{name}.yaml"
            source.write_text(json.dumps(config))
            done = subprocess.run([self.weft, "run", "-q", source], capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{source}: {done.stderr}")
        return Result(json.loads(file.read_text()))


def settings_of(technology, payload, mode, side):
    """The settings of a point."""
    return {
        "output.energy.technology": technology,
        "workload.payload": payload,
        "nic.compression": SELECTIVE if mode == "selective" else {"mode": mode},
        "network.topology.shape": [side, side],
        "workload.injection.load": LOAD if side < 16 else LOAD / 2,
    }


def measured(study, recordings, jobs):
    """The results by technology, payload, mode and side."""
    points = [(t, p, m, s) for t in TECHNOLOGIES for p in payloads(recordings) for m in MODES for s in SIDES]

    def one(point):
        technology, payload, mode, side = point
        name = "_".join([technology, payload.replace(" ", "-"), mode, str(side)])
        return study.run(name, settings_of(technology, payloads(recordings)[payload], mode, side))

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(zip(points, pool.map(one, points)))


def break_even(none, coded, with_clock):
    """Wire length in mm of a hop from which compression saves energy: 0 if it always does, None if it never does."""
    if coded.carried > 0.995:  # nothing becomes shorter
        return None
    more = coded.fixed - none.fixed + (coded.clock - none.clock if with_clock else 0)
    saved = none.links - coded.links  # for each mm, because the pitch is 1 mm
    if saved <= 0:
        return None if more >= 0 else 0
    return max(0.0, more / saved)


def saving_text(none, coded):
    """What compression saves of the energy of all events at a pitch of 1 mm."""
    return f"{100 * (1 - coded.events / none.events):.0f} %".replace("-0 %", "0 %")


def length_text(length):
    if length is None:
        return "never"
    return "always" if length == 0 else f"{length:,.0f}" if length >= 10 else f"{length:.1f}"


def energy_rows(results, side):
    rows = []
    for technology, title in TECHNOLOGIES.items():
        for payload in dict.fromkeys(p for _, p, _, _ in results):
            for mode in MODES:
                r = results[technology, payload, mode, side]
                none = results[technology, payload, "none", side]
                cells = (f"{x * 1000:,.0f}" for x in (r.routers, r.links, r.stages, r.clock))
                saved = "" if mode == "none" else saving_text(none, r)
                rows.append((title, payload, mode, f"{r.carried:.2f}", *cells, saved))
    return rows


def break_even_rows(results):
    rows = []
    for technology, title in TECHNOLOGIES.items():
        for payload in dict.fromkeys(p for _, p, _, _ in results):
            cells = []
            for side in SIDES:
                none, coded = (results[technology, payload, mode, side] for mode in ("none", "always"))
                cells += [length_text(break_even(none, coded, clock)) for clock in (False, True)]
            rows.append((title, payload, *cells))
    return rows


def store_curves(results):
    """Energy of a bit over the pitch, without the clock, for small integers in the network of 8x8 routers."""
    series = []
    for technology, title in TECHNOLOGIES.items():
        scale = results[technology, "small integers", "none", 8].fixed
        for mode in ("none", "always"):
            r = results[technology, "small integers", mode, 8]
            series.append((f"{title}, {mode}", [[pitch / 2, (r.fixed + r.links * pitch / 2) / scale] for pitch in range(17)]))
    plot("compression_energy", series, "wire length of a hop, mm", "energy of a bit / energy at 0 mm without compression")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("weft", "recordings", "directory"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="simulations at a time")
    arguments = parser.parse_args()
    results = measured(Study(arguments.weft, arguments.directory), arguments.recordings, arguments.jobs)
    header = ["technology", "payload", "compression", "flits carried / received", "routers and NICs, fJ", "links, fJ",
              "stages, fJ", "clock and leakage, fJ", "saved, events at 1 mm"]
    sides = [f"{side}x{side}: {what}" for side in SIDES for what in ("events", "with clock")]
    short = {"small integers": "small", "integers of NAS IS": "is", "smooth doubles": "smooth", "doubles of NAS CG": "cg"}
    values = {
        "energies": table(header, energy_rows(results, 8)),
        "lengths": table(["technology", "payload", *sides], break_even_rows(results)),
        "load": str(LOAD), "flits": str(FLITS),
    }
    for (technology, node), (payload, name) in itertools.product((("osu018", 180), ("asap7", 7)), short.items()):
        none, coded = (results[technology, payload, mode, 8] for mode in ("none", "always"))
        values[f"saved_{node}_{name}"] = saving_text(none, coded)
        values[f"length_{node}_{name}"] = length_text(break_even(none, coded, True))
    values["clock_7"], values["coded_clock_7"] = (
        f"{1000 * results['asap7', 'small integers', mode, 8].clock:,.0f}" for mode in ("none", "always"))
    store_curves(results)
    store_page("compression_energy", values)


if __name__ == "__main__":
    main()
