#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how well `weft explore` finds the front of examples/explore/designs.yaml, for docs/02_user/explore.in.md.

    docs/02_user/explore.py WEFT FOLDER

First simulates the whole space with `weft sweep` (8 minutes of processor time), then searches it with ten seeds, with each
method and budget. FOLDER keeps the store, so that an interrupted measurement continues. Writes docs/02_user/explore.json, from which
docs/make_pages.py makes the page.
"""

import csv
import itertools
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DESIGNS = HERE.parents[1] / "examples" / "explore" / "designs.yaml"
OBJECTIVES = ("latency_mean", "area", "energy_per_bit")
SEEDS = range(1, 11)
SHARES = (0.005, 0.01, 0.02)  # budgets, as parts of the runs of the whole sweep
# What each row of the table changes.
VARIANTS = {
    "NSGA-II": {},
    "NSGA-II without short runs": {"shorter": 1},
    "NSGA-II without bounds": {"bounds": "false"},
    "NSGA-II without both": {"shorter": 1, "bounds": "false"},
    "random with bounds and short runs": {"method": "random"},
    "random": {"method": "random", "shorter": 1, "bounds": "false"},
}


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def identity(row):
    """The settings of a design."""
    return tuple(sorted((name, value) for name, value in row.items() if "." in name))


def costs_of(row):
    """The costs of a point of the sweep; None unless the network carries the load."""
    carried = row["outcome"] == "complete" and row["stationary"] != "false"
    if not carried:
        return None
    area = sum(float(row[part]) for part in ("router_area", "nic_area", "link_area"))
    return float(row["latency_mean"]), area, float(row["energy_per_bit"])


def dominates(a, b):
    return a != b and all(x <= y for x, y in zip(a, b))


def front_of(points):
    points = set(points)
    return [point for point in points if not any(dominates(other, point) for other in points)]


def area_below(points, reference):
    """The area that points in two dimensions dominate, up to the reference."""
    area, last = 0.0, reference[1]
    for x, y in sorted(points):
        if y < last:
            area += (reference[0] - x) * (last - y)
            last = y
    return area


def hypervolume(points, reference):
    """The volume that points in three dimensions dominate, up to the reference, slice by slice."""
    inside = sorted((point for point in points if all(x < r for x, r in zip(point, reference))), key=lambda point: point[2])
    volume = 0.0
    for number, point in enumerate(inside):
        top = inside[number + 1][2] if number + 1 < len(inside) else reference[2]
        if top > point[2]:
            volume += (top - point[2]) * area_below([other[:2] for other in inside[: number + 1]], reference)
    return volume


class Space:
    """The whole sweep, scaled so that its front lies between 0 and 1 in every objective."""

    def __init__(self, weft, folder):
        subprocess.run([weft, "sweep", DESIGNS, "-q", "-o", folder], check=True)
        rows = rows_of(folder / "designs.sweep.csv")
        self.size = len(rows)
        self.infeasible = sum(row["outcome"] == "infeasible" for row in rows)
        costs = {identity(row): costs_of(row) for row in rows}
        self.uncarried = sum(cost is None for cost in costs.values()) - self.infeasible
        known = {name: cost for name, cost in costs.items() if cost}
        front = front_of(known.values())
        low, high = ([extreme(values) for values in zip(*front)] for extreme in (min, max))
        self.costs = {name: tuple((x - a) / (b - a) for x, a, b in zip(cost, low, high)) for name, cost in known.items()}
        self.front = front_of(self.costs.values())
        self.reference = (1.1, 1.1, 1.1)
        self.volume = hypervolume(self.front, self.reference)

    def share_of(self, names):
        """The hypervolume of the designs, as a part of that of the whole front."""
        return hypervolume([self.costs[name] for name in names if name in self.costs], self.reference) / self.volume


def search(weft, folder, space, options):
    """The part of the hypervolume that one search finds, and the number of its runs of any length."""
    sets = [word for key, value in options.items() for word in ("--set", f"explore.{key}={value}")]
    subprocess.run([weft, "explore", DESIGNS, "-q", "-o", folder, *sets], check=True)
    rows = rows_of(folder / "designs.explore.csv")
    keys = [name for name in rows[0] if "." in name]
    measured = [tuple(sorted((key, row[key]) for key in keys)) for row in rows if row["stage"] == "measured"]
    runs = len(measured) * (2 if options.get("shorter", 4) != 1 else 1) + sum(row["stage"] == "short" for row in rows)
    spent = json.loads((folder / "designs.explore.json").read_text(encoding="utf-8"))["spent"]
    assert spent <= options["budget"] * 1.000001, "the search spent more than its budget"
    return space.share_of(measured), runs


def reason(weft, folder, budget):
    """What `weft explore` prints about a design that is not on the front."""
    design = {
        "network.topology.kind": "mesh", "network.router.vcs": 4, "network.router.depth": 8, "network.router.pipeline": 4,
        "network.router.switch_allocator.kind": "separable_input_first", "network.flit.payload_bits": 64,
        "workload.length.flits": 8, "workload.injection.load": 0.2,
    }
    why = [word for key, value in design.items() for word in ("--why", f"{key}={value}")]
    command = [weft, "explore", DESIGNS, "-o", folder, "--set", f"explore.budget={budget}", *why]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    first = next(number for number, line in enumerate(out) if line.startswith("  Why not "))
    return ["  " + line for line in itertools.takewhile(bool, out[first:])]


def percent(value):
    return f"{100 * value:.1f} %"


def measure(weft, folder, space):
    """The shares of the hypervolume and the numbers of runs, by variant and budget."""
    found = {}
    for name, options in VARIANTS.items():
        for share in SHARES:
            budget = int(space.size * share)
            results = [search(weft, folder, space, {**options, "budget": budget, "seed": seed}) for seed in SEEDS]
            found[name, share] = [result[0] for result in results], [result[1] for result in results]
            print(name, budget, percent(statistics.median(found[name, share][0])), flush=True)
    return found


def table(found, space):
    head = "| search | " + " | ".join(f"{percent(share)}: {int(space.size * share)} runs" for share in SHARES)
    lines = [head + " | worst and best seed at 2.0 % | runs of any length at 2.0 % |", "|---|" + "---:|" * (len(SHARES) + 2)]
    for name in VARIANTS:
        medians = " | ".join(percent(statistics.median(found[name, share][0])) for share in SHARES)
        shares, runs = found[name, 0.02]
        lines.append(f"| {name} | {medians} | {percent(min(shares))}, {percent(max(shares))} | {statistics.median(runs):.0f} |")
    return lines


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    weft, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    space = Space(weft, folder)
    print(f"{space.size} designs, {space.infeasible} infeasible, {space.uncarried} do not carry the load, front {len(space.front)}", flush=True)
    found = measure(weft, folder, space)
    median = {name: statistics.median(found[name, 0.02][0]) for name in VARIANTS}
    values = {
        "size": f"{space.size:,}", "infeasible": str(space.infeasible), "uncarried": str(space.uncarried), "front": str(len(space.front)),
        "budget": str(int(space.size * 0.02)), "median": percent(median["NSGA-II"]), "random": percent(median["random"]),
        "median_long": percent(median["NSGA-II without short runs"]), "random_helped": percent(median["random with bounds and short runs"]),
        "margin": f"{100 * (median['NSGA-II'] - median['random']):.1f}",
        "table": table(found, space),
        "why": reason(weft, folder, int(space.size * 0.02)),
    }
    (HERE / "explore.json").write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
