#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables, numbers and figures of docs/03_reference/routers_compared.in.md.

    docs/03_reference/routers_compared.py [RESULTS|--check]

RESULTS: the folder with the results of examples/explore/routers/run.sh. With it, the program first records these results in
routers_compared.csv. From this file and from the areas in examples/explore/routers it writes routers_compared.json and
docs/figures/routers_*.json, of which docs/make_pages.py makes the page and its figures. --check: exit status 1 if these files
differ from what the program would write.
"""

import csv
import itertools
import json
import pathlib
import re
import sys
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE.parent / "figures"
ROUTERS = HERE.parents[1] / "examples" / "explore" / "routers"
RECORDED = HERE / "routers_compared.csv"
PARTS = ("allocators", "pipelines", "buffers")
PATTERNS = ("uniform", "transpose")
LOW, FULL = 0.01, 0.7  # the loads of latency without contention and of throughput
SHOWN = {"uniform": (0.2, 0.35), "transpose": (0.12,)}  # loads of the tables, in flits/node/cycle
# Loads of the tables of best routers, in flits/node/ns.
GRID = {"uniform": (0.005, 0.06, 0.1, 0.11, 0.12, 0.14, 0.15, 0.16, 0.17), "transpose": (0.005, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07)}
DEFAULTS = {"allocators": "`separable_input_first`", "pipelines": "S = 4", "buffers": "4 × 8"}
LOAD = "workload.injection.load"


@dataclass
class Curve:
    """A router under one pattern. `latency`: cycles and half-width by load, for the loads that the network carries. A half-width of
    0 stands for a run without an interval."""
    latency: dict = field(default_factory=dict)
    throughput: float = 0.0
    throughput_half_width: float = 0.0

    def most(self):
        """The highest load that the network carries."""
        return max(self.latency)

    def at(self, load):
        """Latency in cycles at a load, interpolated between measured loads; None above the last load that is carried."""
        loads = sorted(self.latency)
        if load > loads[-1]:
            return None
        above = next(measured for measured in loads if measured >= load)
        below = max((measured for measured in loads if measured <= load), default=above)
        if above == below:
            return self.latency[above][0]
        share = (load - below) / (above - below)
        return (1 - share) * self.latency[below][0] + share * self.latency[above][0]


@dataclass
class Router:
    part: str
    name: str
    area: float = None  # mm²
    clock: float = None  # GHz
    failure: str = ""
    curves: dict = field(default_factory=dict)  # by pattern

    def nanoseconds(self, pattern, load):
        """Latency in ns at a load in flits/node/ns; None without a clock, or if the network does not carry the load."""
        if self.clock is None:
            return None
        cycles = self.curves[pattern].at(max(load / self.clock, LOW))
        return None if cycles is None else cycles / self.clock


# ----------------------------------------------------------------------------------------------------------------------
# Reading


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def router_keys(row):
    return {key: value for key, value in row.items() if key.startswith("network.router")}


def identity(keys):
    """What identifies a router in a table of areas."""
    return tuple(value.replace(" ", "") for value in keys.values())


def name_of(part, row):
    """What the tables call a router."""
    def fields(text):
        return dict(re.findall(r"(\w+): (\w+)", text))

    def kind(text):
        values = fields(text)
        extra = [f"`{values['arbiter']}`"] if "arbiter" in values else []
        if "iterations" in values:
            extra.append(values["iterations"])
        return ", ".join([f"`{values['kind']}`", *extra])

    if part == "allocators":
        vc, switch = (kind(row[f"network.router.{which}_allocator"]) for which in ("vc", "switch"))
        return vc if vc == switch else f"default, for the switch {switch}"
    if part == "pipelines":
        words = [f"S = {row['network.router.pipeline']}"]
        if row["network.router.lookahead_routing"] == "true":
            words.append("lookahead")
        if row["network.router.speculation"] != "none":
            words.append(f"`{row['network.router.speculation']}`")
        return ", ".join(words)
    values = fields(row["network.router"])
    rules = {"after_tail_credit": "after the tail's credit", "vc_prefer_empty": "prefer empty", "vc_busy_when_full": "busy when full",
             "virtual_cut_through": "cut-through", "store_and_forward": "store and forward", "hold_switch": "holds the switch",
             "buffer: shared": "shared", "input_speedup: 2": "input speedup 2"}
    rule = [text for word, text in rules.items() if word in row["network.router"]]
    if switch := re.search(r"switch_allocator: \{kind: (\w+)\}", row["network.router"]):
        rule.append(f"for the switch `{switch[1]}`")
    return ", ".join([f"{values['vcs']} × {values['depth']}", *rule])


def carried(row):
    return row["outcome"] == "complete" and row["stationary"].lower() != "false"


def record(results):
    """Reads the tables of the example, and writes routers_compared.csv, with a row for each router and pattern."""
    recorded = []
    for part, pattern in itertools.product(PARTS, PATTERNS):
        name, found = f"routers_{part}_{pattern}", {}
        for row in rows_of(results / f"{name}.sweep.csv"):
            if row["error"]:
                sys.exit(f"{name}: {row['outcome']}: {row['error']}")
            out = found.setdefault(identity(router_keys(row)), {"part": part, "pattern": pattern, "keys": json.dumps(router_keys(row))})
            load = float(row[LOAD])
            if load == FULL:
                out.update(throughput=row["accepted"], throughput_half_width=row["accepted_half_width"])
            elif carried(row):
                out.update({f"latency_{load}": row["latency_mean"][:7], f"half_width_{load}": row["latency_half_width"][:5]})
        recorded += found.values()
    loads = sorted({float(column.split("_")[1]) for row in recorded for column in row if column.startswith("latency_")})
    columns = ["part", "pattern", "keys", "throughput", "throughput_half_width"]
    columns += [f"{what}_{load}" for load in loads for what in ("latency", "half_width")]
    with open(RECORDED, "w", newline="") as file:
        out = csv.DictWriter(file, columns, lineterminator="\n")
        out.writeheader()
        out.writerows(recorded)


def read():
    """All routers, in the order of the examples."""
    found = {}
    areas = {part: {identity(router_keys(row)): row for row in rows_of(ROUTERS / f"area_of_{part}.csv")} for part in PARTS}
    for row in rows_of(RECORDED):
        part, keys = row["part"], json.loads(row["keys"])
        router = found.setdefault((part, row["keys"]), Router(part, name_of(part, keys)))
        if area := areas[part].get(identity(keys)):
            router.failure = area["failure"]
            if not router.failure:
                router.area, router.clock = float(area["area_mm2"]), float(area["clock_mhz"]) / 1000
        latency = {float(column.split("_")[1]): (float(cell), float(row[column.replace("latency", "half_width")] or 0))
                   for column, cell in row.items() if column.startswith("latency_") and cell}
        router.curves[row["pattern"]] = Curve(latency, float(row["throughput"]), float(row["throughput_half_width"] or 0))
    return list(found.values())


# ----------------------------------------------------------------------------------------------------------------------
# Tables


def table(header, rows, left=1):
    """A table whose first columns are texts, and the others numbers."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * left + "---:|" * (len(header) - left)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]


def number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def in_cycles(routers):
    """Latency in cycles; the highest load that is carried, and throughput, in flits/node/cycle."""
    header, rows = ["router"], []
    for pattern in PATTERNS:
        header += [f"{pattern}: latency at {LOW}", *(f"at {load}" for load in SHOWN[pattern]), "carried", "throughput"]
    for router in routers:
        cells = [router.name]
        for pattern in PATTERNS:
            curve = router.curves[pattern]
            for load in (LOW, *SHOWN[pattern]):
                found = curve.latency.get(load)
                cells.append(number(found and found[0], 1) or "saturated")
            cells += [f"{curve.most():.2f}", f"{curve.throughput:.3f}"]
        rows.append(cells)
    return table(header, rows)


def in_nanoseconds(routers):
    """The same in ns and flits/node/ns, with area and clock, for routers with RTL."""
    header, rows = ["router", "area, mm²", "clock, MHz"], []
    for pattern in PATTERNS:
        header += [f"{pattern}: latency at {LOW}", "carried", "throughput"]
    for router in routers:
        if router.failure:
            rows.append([router.name, router.failure, *[""] * (len(header) - 2)])
        if router.clock is None:
            continue
        cells = [router.name, number(router.area, 2), f"{1000 * router.clock:.0f}"]
        for pattern in PATTERNS:
            curve = router.curves[pattern]
            cells += [number(curve.latency[LOW][0] / router.clock, 1), number(curve.most() * router.clock, 3),
                      number(curve.throughput * router.clock, 3)]
        rows.append(cells)
    return table(header, rows)


def label(router):
    """A router with its part, where routers of several parts meet."""
    return router.name if router.part == "buffers" else f"4 × 8, {router.name}"


def distinct(routers):
    """Routers with a clock; of those that are the same router in several examples only one."""
    return [router for router in routers
            if router.clock is not None and (router.part == "buffers" or router.name != DEFAULTS[router.part])]


def best_at(routers, pattern):
    """For loads in flits/node/ns: the two routers with the lowest latency."""
    rows = []
    for load in GRID[pattern]:
        able = [(router.nanoseconds(pattern, load), router) for router in distinct(routers)]
        able = sorted((pair for pair in able if pair[0] is not None), key=lambda pair: pair[0])
        cells = [cell for latency, router in able[:2] for cell in (label(router), number(latency, 0), number(router.area, 2))]
        rows.append([number(load, 3), *cells, *(["none", "", ""] * (2 - len(able[:2])))])
    return table(["load, flits/node/ns", "lowest latency", "ns", "mm²", "second", "ns", "mm²"], rows)


def best_of(able, part, value, better):
    """The router with the best value and this value; the default if no other is better by more than 1 %."""
    best = better(able, key=value)
    usual = next(router for router in able if router.name == DEFAULTS[part])
    is_close = value(best) > 0.99 * value(usual) if better is min else value(best) < 1.01 * value(usual)
    if is_close:
        best = usual
    return best, value(best)


def best_in_cycles(routers):
    """For loads in flits/node/cycle: the best choice of each part, or the default if no other is better by more than 1 %."""
    able = {part: [router for router in routers if router.part == part and "maximum_matching" not in router.name] for part in PARTS}
    rows = []
    for pattern in PATTERNS:
        for load in (LOW, *SHOWN[pattern]):
            row = [pattern, number(load, 2)]
            for part in PARTS:
                carrying = [router for router in able[part] if load in router.curves[pattern].latency]
                best, latency = best_of(carrying, part, lambda router: router.curves[pattern].latency[load][0], min)
                row += [best.name, number(latency, 1)]
            rows.append(row)
        row = [pattern, "throughput"]
        for part in PARTS:
            best, throughput = best_of(able[part], part, lambda router: router.curves[pattern].throughput, max)
            row += [best.name, number(throughput, 3)]
        rows.append(row)
    return table(["pattern", "load", "allocators", "", "pipeline", "", "buffers", ""], rows)


# ----------------------------------------------------------------------------------------------------------------------
# Figures


def plain(text):
    """A title for gnuplot, which reads an underscore as the begin of an index."""
    return re.sub("default, for the switch|for the switch", "switch", text).replace("`", "").replace("_", " ")


def figure(size, series, xlabel, ylabel, options):
    panel = {"title": "", "xlabel": xlabel, "ylabel": ylabel, "options": options, "series": series}
    text = json.dumps({"size": size, "columns": 1, "panels": [panel]}, ensure_ascii=False)
    return text.replace('[["', '[\n["').replace('], ["', '],\n["') + "\n"


def figures(routers):
    """The files of the figures."""
    with_clock = sorted(distinct(routers), key=lambda router: router.area)
    over_area = [[plain(label(router)), [[router.area, round(router.curves["uniform"].throughput * router.clock, 4)]]]
                 for router in with_clock]
    texts = {"routers_area": figure([760, 620], over_area, "area, mm²", "throughput, flits/node/ns",
                                    "set key below; set yrange [0:]; set logscale x; set xtics (1, 1.5, 2, 3, 5, 7); set xrange [0.9:8]")}
    curves = [[plain(label(router)), [[round(load * router.clock, 4), round(cycles / router.clock, 2)]
                                      for load, (cycles, _) in sorted(router.curves["uniform"].latency.items())]]
              for router in with_clock if router.part != "allocators" and "cut" not in router.name]
    texts["routers_latency"] = figure([760, 520], curves, "offered load, flits/node/ns", "latency, ns", "set key below; set yrange [0:300]")
    return {FIGURES / f"{name}.json": text for name, text in texts.items()}


# ----------------------------------------------------------------------------------------------------------------------


# Routers that the text names: part and name.
NAMED = {
    "one": ("buffers", "1 × 32"), "two": ("buffers", "2 × 16"), "four": ("buffers", "4 × 8"), "eight": ("buffers", "8 × 4"),
    "two_fair": ("buffers", "2 × 16, for the switch `wavefront_fair`"), "two_cut": ("buffers", "2 × 16, cut-through"),
    "four_cut": ("buffers", "4 × 8, cut-through"), "two_credit": ("buffers", "2 × 16, after the tail's credit"),
    "four_credit": ("buffers", "4 × 8, after the tail's credit"),
    "eight_credit": ("buffers", "8 × 4, after the tail's credit"), "four_shared": ("buffers", "4 × 8, shared"),
    "eight_shared": ("buffers", "8 × 4, shared"), "four_speedup": ("buffers", "4 × 8, input speedup 2"), "four_empty": ("buffers", "4 × 8, prefer empty"),
    "fair": ("allocators", "default, for the switch `wavefront_fair`"), "islip": ("allocators", "`islip`, 2"),
    "wavefront": ("allocators", "`wavefront`"), "matching": ("allocators", "`maximum_matching`"),
    "matrix": ("allocators", "`separable_input_first`, `matrix`"),
    "three": ("pipelines", "S = 3"), "five": ("pipelines", "S = 5"),
    "short": ("pipelines", "S = 2, lookahead, `masked_by_requests`"), "speculation": ("pipelines", "S = 3, `masked_by_requests`"),
}


def numbers(routers):
    """The numbers in the text of the page."""
    by_name = {(router.part, router.name): router for router in routers}
    values = {}
    for name, key in NAMED.items():
        router = by_name[key]
        curve, clock = router.curves["uniform"], router.clock
        values.update({f"{name}_cycles": number(curve.latency[LOW][0], 1), f"{name}_flits": number(curve.throughput, 3)})
        if 0.38 in curve.latency:
            values[f"{name}_high"] = number(curve.latency[0.38][0], 1)
        if clock:
            values.update({f"{name}_area": number(router.area, 2), f"{name}_mhz": number(1000 * clock, 0),
                           f"{name}_ns": number(curve.latency[LOW][0] / clock, 0), f"{name}_most": number(curve.throughput * clock, 3)})
    four = by_name[NAMED["four"]]
    # The clock in MHz at which a router without RTL has the latency of the default router without contention.
    for name in ("short", "speculation"):
        router = by_name[NAMED[name]]
        share = router.curves["uniform"].latency[LOW][0] / four.curves["uniform"].latency[LOW][0]
        values[f"{name}_break_even"] = number(1000 * four.clock * share, 0)
    everything = [router.curves["uniform"] for router in routers]
    for name, load in (("low", 0.2), ("high", 0.35)):
        values[f"latency_width_{name}"] = number(max(curve.latency[load][1] for curve in everything if load in curve.latency), 1)
    values["throughput_width"] = number(max(curve.throughput_half_width for router in routers for curve in router.curves.values()), 3)
    return values


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    check = sys.argv[1:] == ["--check"]
    if len(sys.argv) == 2 and not check:
        record(pathlib.Path(sys.argv[1]))
    routers = read()
    values = {**numbers(routers), "best_cycles": best_in_cycles(routers)}
    for pattern in PATTERNS:
        values[f"best_{pattern}"] = best_at(routers, pattern)
    for part in PARTS:
        members = [router for router in routers if router.part == part]
        values[f"{part}_cycles"] = in_cycles(members)
        values[f"{part}_ns"] = in_nanoseconds(members)
    names = set(re.findall(r"\{\{(\w+)\}\}", (HERE / "routers_compared.in.md").read_text()))
    if unknown := names - set(values):
        sys.exit(f"routers_compared.in.md: unknown names: {', '.join(sorted(unknown))}")
    stored = {name: values[name] for name in sorted(names)}
    texts = {HERE / "routers_compared.json": json.dumps(stored, indent=1, ensure_ascii=False) + "\n", **figures(routers)}
    for path, text in texts.items():
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"{path} differs from the recorded results; run docs/03_reference/routers_compared.py")


if __name__ == "__main__":
    main()
