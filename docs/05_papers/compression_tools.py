# SPDX-License-Identifier: Apache-2.0
"""Common part of the pages on COMPRESS: simulations of networks on one grid of loads, with stored results."""

import hashlib
import json
import pathlib
import statistics
import subprocess
import sys

from paper_tools import EXAMPLES, run_sweep

# One grid for all curves, with small steps where networks without compression saturate.
GRID = [0.01] + [round(0.02 * i, 2) for i in range(1, 16)] + [round(0.3 + 0.04 * i, 2) for i in range(1, 18)]
SEEDS = 5
LOW = 0.02  # "low load"
NEVER = 1000000  # a threshold that is never reached

ASSUMED = {"latency": 100, "size": 2}  # the codec of the paper
SELECTIVE = {"mode": "selective", "queue_threshold": 0, "received_threshold": NEVER}
NONE, ALWAYS, QUEUE = {"mode": "none"}, {"mode": "always", **ASSUMED}, {**SELECTIVE, **ASSUMED}
PRINTED = {**QUEUE, "received_threshold": 0}
MODES = {
    "none": NONE,
    "always, 100 cycles, ratio 2": ALWAYS,
    "N > 0 or Q > 0, 100 cycles, ratio 2": PRINTED,
    "N > 250 or Q > 0, 100 cycles, ratio 2": {**QUEUE, "received_threshold": 250},
    "Q > 0, 100 cycles, ratio 2": QUEUE,
    "always, hardware, real bits": {"mode": "always"},
    "Q > 0, hardware, real bits": SELECTIVE,
}
MESH = {"kind": "mesh", "shape": [8, 8]}


class Study:
    """The command, and a directory that stores its results."""

    def __init__(self, weft, directory, jobs):
        self.weft = str(pathlib.Path(weft).resolve())
        self.directory = pathlib.Path(directory).resolve()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.jobs = jobs
        self.curves = {}

    def invoke(self, *words):
        """Runs the command and returns its output."""
        done = subprocess.run([self.weft, *map(str, words)], cwd=self.directory, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{self.weft} {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
        return done.stdout

    def curve(self, compression, topology=None, router=None, nic=None, **workload):
        """Simulates the network of examples/compression.yaml, with these changes, for all loads of the grid and all seeds."""
        experiment = {
            "include": [str(EXAMPLES / "compression.yaml")],
            "network": {"topology": topology or MESH, "router": {"vcs": 4, "depth": 8, "pipeline": 4, **(router or {})}},
            "workload": {"pattern": "uniform", **workload},
            "nic": {**(nic or {}), "compression": compression},
            "simulation": {"level": "engine"},
            "sweep": {"over": {"workload.injection.load": GRID}, "replicates": SEEDS},
        }
        text = json.dumps(experiment, sort_keys=True)
        name = hashlib.sha1(text.encode()).hexdigest()[:12]
        if name not in self.curves:
            config = self.directory / f"{name}.yaml"
            config.write_text(text)
            print("sweeping", name, json.dumps({k: experiment[k] for k in ("network", "workload", "nic")}), file=sys.stderr)
            self.curves[name] = Curve(run_sweep(self.weft, config, self.jobs, failures=True))
        return self.curves[name]


class Curve:
    """Results of a network for the loads of the grid: medians over the seeds."""

    def __init__(self, rows):
        self.seeds = {}  # rows of each seed, by load
        for row in rows:
            self.seeds.setdefault(int(row["simulation.seed"]), {})[float(row["workload.injection.load"])] = row

    def at(self, load, column):
        """The median of a column for a load; None if the column is empty for a seed."""
        cells = [rows[load][column] for rows in self.seeds.values()]
        return statistics.median(map(float, cells)) if all(cells) else None

    def by_seed(self, measure):
        """Accepted traffic for each seed. most: the throughput of the paper, the maximum over all loads of the grid.
        settled: the value at the last load that settles."""
        if measure == "most":
            return [max(float(row["accepted"]) for row in rows.values()) for rows in self.seeds.values()]
        return [float(rows[last_settled(rows)]["accepted"]) for rows in self.seeds.values()]

    def most(self):
        return statistics.median(self.by_seed("most"))

    def settled(self):
        return statistics.median(self.by_seed("settled"))

    def share_settled(self):
        """The share of compressed packets at the last load that settles."""
        return statistics.median(float(rows[last_settled(rows)]["compressed_share"]) for rows in self.seeds.values())

    def latency(self, load=LOW):
        return self.at(load, "latency_mean")

    def share(self, load):
        return self.at(load, "compressed_share")

    def points(self, column):
        """Points of a drawing: accepted traffic, and the column."""
        pairs = [(self.at(load, "accepted"), self.at(load, column)) for load in GRID]
        return [(x, y) for x, y in pairs if y is not None]


def last_settled(rows):
    """The last load before the first that does not settle."""
    settled = GRID[0]
    for load in GRID:
        if rows[load]["outcome"] != "complete":
            break
        settled = load
    return settled


def spread(curves, measure):
    """Maximum deviation of a seed from the median."""
    found = [curve.by_seed(measure) for curve in curves]
    return f"{100 * max(abs(one / statistics.median(seeds) - 1) for seeds in found for one in seeds):.0f} %"


def gain(new, old):
    return f"{100 * (new / old - 1):+.0f} %"


def with_gain(new, old):
    return f"{new:.3f} ({gain(new, old)})"
