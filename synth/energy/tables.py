# SPDX-License-Identifier: Apache-2.0
"""Tables of the measurements in points/: replaces those of README.md, or prints them with `--print`."""

import csv
import re
import sys
from collections import defaultdict

import designs
import netlists
import points

ORDER = ("input_unit", "route_computation", "vc_allocator", "switch_allocator", "crossbar", "output_unit")
STAGES = ("injector", "ejector", "compressor", "decompressor", "xor_encoder", "xor_decoder")
NAMES = ("asap7", "osu018", "sky130", "ihp130")
SUM = "router"


def read(name):
    """Rows of a file of points/, or none if the file does not exist."""
    path = points.FOLDER / f"{name}.csv"
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def with_sums(rows):
    """The rows, and for each design and scenario of a router the sum of its parts."""
    sums = defaultdict(lambda: defaultdict(float))
    for row in rows:
        if row["design"].startswith("router_"):
            entry = sums[row["design"], row["scenario"]]
            for key in ("energy_fj", "fitted_clock_fj", "fitted_events_fj"):
                entry[key] += float(row[key])
            entry["row"] = row
    return rows + [{**entry["row"], **{key: value for key, value in entry.items() if key != "row"}, "part": SUM}
                   for entry in sums.values()]


def idle_rates(rows):
    """Energy of a cycle without traffic, fJ: of each design and part."""
    return {(row["design"], row["part"]): float(row["energy_fj"]) / float(row["cycle"])
            for row in rows if row["scenario"] == "0"}


def shown(values):
    return f"{100 * sum(values) / len(values):.1f} / {100 * max(values):.1f} %" if values else "none"


def errors(rows):
    """Errors of rows: of the energy, and of the energy above that of an idle part."""
    idle = idle_rates(rows)
    whole, above = defaultdict(list), defaultdict(list)
    sizes = {design.name for design in designs.HELD_OUT}
    for row in rows:
        if row["held_out"] != "1":
            continue
        kind = "size" if row["design"] in sizes else "traffic"
        energy, events = float(row["energy_fj"]), float(row["fitted_events_fj"])
        whole[row["part"], kind].append(abs(float(row["fitted_clock_fj"]) + events - energy) / energy)
        rest = energy - idle[row["design"], row["part"]] * float(row["cycle"])
        if rest > 0 and row["scenario"] != "0":
            above[row["part"], kind].append(abs(events - rest) / rest)
    return whole, above


def error_table():
    lines = ["| technology | part | netlists | points of the fit | held-out points | other traffic: mean / worst | "
             "other size: mean / worst | above idle, other traffic: mean / worst | above idle, other size: mean / worst |",
             "|---|---|---|---|---|---|---|---|---|"]
    for name in NAMES:
        rows = with_sums(read(name))
        whole, above = errors(rows)
        for part in (*ORDER, SUM, *STAGES):
            own = [row for row in rows if row["part"] == part]
            if not own:
                continue
            used = [row for row in own if row["held_out"] == "0"]
            sizes = len({row["design"] for row in used})
            label = "**whole router, sum of parts**" if part == SUM else part
            cells = [shown(values[part, kind]) for values in (whole, above) for kind in ("traffic", "size")]
            lines.append(f"| {name} | {label} | {sizes} | {len(used)} | {len(own) - len(used)} | {' | '.join(cells)} |")
    return lines


def memory_bits(shape):
    """Bits of the two memories of all input ports: flits without valid and VC, and what heads announce."""
    stored = shape["flit_bits"] - 1 - designs.bits(shape["vcs"])
    return shape["ports"] * shape["vcs"] * shape["depth"] * (stored + 22)


def default_table():
    lines = ["| technology | area, µm² | flip-flops | of them memory bits | leakage, µW | period of the slowest part, ps | "
             "period of the whole router, ps | energy of an idle cycle, pJ | of it the clock of memory bits | flits per cycle | "
             "energy of a flit above idle, pJ |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    shape = designs.router().shape
    for name in NAMES:
        parts = {row["part"]: row for row in read(f"{name}_parts") if row["design"] == designs.DEFAULT_NAME}
        rows = [row for row in with_sums(read(name)) if row["design"] == designs.DEFAULT_NAME and row["part"] == SUM]
        if not rows:
            continue
        own = [parts[part] for part in ORDER]
        idle, busy = (next(row for row in rows if row["scenario"] == scenario) for scenario in ("0", "2"))
        rate = idle["energy_fj"] / float(idle["cycle"])
        area, flip_flops, leakage = (sum(float(row[key]) for row in own) for key in ("area_um2", "flip_flops", "leakage_nw"))
        memory = memory_bits(shape)
        crossbar = parts["crossbar"]
        clock = float(crossbar["clock_fj"]) / float(crossbar["flip_flops"]) * memory  # the crossbar has the same flip-flops
        flits = float(busy["out_flit"])
        above = (busy["energy_fj"] - rate * float(busy["cycle"])) / flits / 1000
        whole = parts.get("router", {}).get("period_ps") or "not measured"
        slowest = max(own, key=lambda row: float(row["period_ps"] or 0))
        lines.append(f"| {name} | {area:,.0f} | {flip_flops:,.0f} | {memory:,} | {leakage / 1000:.1f} | "
                     f"{slowest['period_ps']} ({slowest['part']}) | {whole} | {rate / 1000:.1f} | {100 * clock / rate:.0f} % | "
                     f"{flits / float(busy['cycle']):.2f} | {above:.2f} |")
    return lines


def part_table():
    lines = ["| technology | part | cells | flip-flops | area, µm² | leakage, µW | period, ps | idle cycle, fJ |",
             "|---|---|---|---|---|---|---|---|"]
    for name in NAMES:
        for row in read(f"{name}_parts"):
            stage = next((part for part in STAGES if row["design"] in (f"{part}_4_8_2", f"{part}_2")), None)
            if (row["design"] == designs.DEFAULT_NAME and row["part"] != "router") or stage:
                numbers = [f"{float(row[key]) / scale:,.{digits}f}" for key, scale, digits in (
                    ("cells", 1, 0), ("flip_flops", 1, 0), ("area_um2", 1, 0), ("leakage_nw", 1000, 2))]
                lines.append(f"| {name} | {row['part']} | {' | '.join(numbers)} | {row['period_ps']} | "
                             f"{float(row['clock_fj']):,.0f} |")
    return lines


TABLES = {"errors": error_table, "router": default_table, "parts": part_table}


def main():
    if sys.argv[1:] == ["--print"]:
        for table in TABLES.values():
            print("\n".join([*table(), ""]))
        return 0
    path = netlists.HERE / "README.md"
    text = path.read_text()
    for name, table in TABLES.items():
        begin, end = f"<!-- table: {name}, by tables.py -->", "<!-- end of table -->"
        filled = "\n".join([begin, "", *table(), "", end])
        text, count = re.subn(f"{re.escape(begin)}.*?{end}", lambda _, filled=filled: filled, text, flags=re.S)
        assert count == 1, f"README.md: the table {name} has no place"
    if sys.argv[1:] == ["--check"]:
        same = text == path.read_text()
        print("the tables of README.md", "are" if same else "are not", "those of points/; tables.py writes them")
        return 0 if same else 1
    path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
