#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of performance.md from performance.csv, between the two marks; --check only compares.

    docs/04_developer/performance.py [--check]"""

import csv
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
BEGIN = "<!-- table: written by performance.py from performance.csv -->\n"
END = "<!-- end of table -->\n"


def cell(row):
    """One measurement: nanoseconds a flit-hop, and how many times as fast as BookSim2 where both were measured."""
    if row is None:
        return ""
    times = f", **{row['times_booksim2']}x**" if row["times_booksim2"] else ""
    return row["ns_per_flit_hop"] + times


def table(rows):
    """A line for each level, network and kind of packet, a column for each load."""
    rows = [row for row in rows if row["ns_per_flit_hop"]]  # idle networks move no flit
    loads = sorted({row["load"] for row in rows}, key=float)
    lines = ["| level | network, packets | " + " | ".join(loads) + " |", "|---|---|" + "---|" * len(loads)]
    for key in dict.fromkeys((row["level"], row["network"], row["packets"]) for row in rows):
        at = {row["load"]: row for row in rows if (row["level"], row["network"], row["packets"]) == key}
        lines.append(f"| {key[0]} | {key[1]}, {key[2]} | " + " | ".join(cell(at.get(load)) for load in loads) + " |")
    return "\n".join(lines) + "\n"


def main():
    page = HERE / "performance.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    with open(HERE / "performance.csv", newline="", encoding="utf-8") as file:
        expected = before + BEGIN + table(list(csv.DictReader(file))) + END + after
    if "--check" not in sys.argv[1:]:
        page.write_text(expected, encoding="utf-8")
    elif expected != text:
        print(
            "docs/04_developer/performance.md: the table is not that of performance.csv; "
            "remedy: docs/04_developer/performance.py"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
