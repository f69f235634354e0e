#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the schedules that rings, fat_tree, fat_tree_combining, octagon, schedules_table and schedules_replayed report,
and stores their values:

    docs/05_papers/schedule_pages.py WEFT DIRECTORY [--jobs N] [--seconds N]

WEFT: the command, e.g. build/release/weft. DIRECTORY: folder for results; existing ones are reused.
This program computes the values in {{braces}} of these templates (*.in.md), and stores them beside these. It keeps the best
schedules in schedules_known.json, so that no run replaces a better one of an earlier run."""

import argparse
import concurrent.futures
import os
import sys

sys.dont_write_bytecode = True
import schedule_fat_tree  # noqa: E402
import schedule_octagon  # noqa: E402
import schedule_rings  # noqa: E402
import schedule_untuned  # noqa: E402
from paper_tools import HERE, panel, store_figure, store_page  # noqa: E402
from schedule_known import Known  # noqa: E402
from schedule_tools import ALL, FAT_OCTAGON, FT8, GFT16, XGFT12, Weft, cycles_by_length, length_table, mesh, ring, rings  # noqa: E402

PAPERS = {"rings": schedule_rings, "fat_tree": schedule_fat_tree, "octagon": schedule_octagon}


def without_barriers(rows):
    """Which replays do not complete without barriers, and how they end."""
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    failed = [f"{cell[1]} ends in a {cell[8].strip('*')}" for cell in cells if cell[8].startswith("**")]
    if not failed:
        return "All replays complete without barriers, too."
    return f"Without barriers, {', '.join(failed)}; all other replays complete."


# All-to-all schedules with single messages, replayed with messages of several lengths.
BY_LENGTH = [
    (network, collective)
    for network in (ring(8), rings(2), mesh(4, 4), FT8, XGFT12, GFT16, mesh(4, 4, ALL), FAT_OCTAGON)
    for collective in ("aab", "aas")
]


DRAWN = ("two-way ring 8 AAS", "GFT-16 AAS", "fat Octagon AAS", "mesh 4x4 AAB")


def by_length(weft):
    """The table of lengths; draws four of its rows."""
    submitted = {
        f"{n.name}{', all ports' if n.ports == ALL else ''} {c.upper()}": (n, weft.submit(n, c)) for n, c in BY_LENGTH
    }
    cycles = {title: cycles_by_length(weft, n, future.result()) for title, (n, future) in submitted.items()}
    panels = []
    for title in DRAWN:
        lines = [(name, [(length, pair[i]) for length, pair in cycles[title].items()])
                 for i, name in enumerate(("schedule with barriers", "best ordinary algorithm"))]
        panels.append(panel(title, lines, "flits of a message", "cycles", "set logscale xy 2"))
    store_figure("schedules_replayed_lengths", panels, (1000, 640), columns=2)
    return length_table(cycles)


def replayed(weft):
    """Values of schedules_replayed.md."""
    with concurrent.futures.ThreadPoolExecutor(len(PAPERS)) as pool:
        submitted = {name: pool.submit(paper.replays, weft) for name, paper in PAPERS.items()}
        values = {name: future.result() for name, future in submitted.items()}
    rows = [row for text in values.values() for row in text.splitlines()[2:]]
    waiting = sum("packets**" in row for row in rows)
    replays = sum(len(row.split("|")[2].split(",")) for row in rows)
    waits = f"**Packets wait in {waiting} of {replays} replays.**" if waiting else f"No packet waits in any of the {replays} replays."
    alone = sum(row.split("|")[2].strip() == "pin" for row in rows)
    levels = f"**{alone} replays differ between the levels.**" if alone else "Both levels give the same results."
    values["by_length"] = by_length(weft)
    values["summary"] = f"{waits} {levels} {without_barriers(rows)}"
    return values


PAGES = {
    "rings": schedule_rings.page,
    "fat_tree": schedule_fat_tree.page,
    "fat_tree_combining": schedule_fat_tree.combining_page,
    "octagon": schedule_octagon.page,
    "schedules_table": schedule_untuned.page,
    "schedules_replayed": replayed,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft")
    parser.add_argument("directory")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="schedules at a time")
    parser.add_argument("--seconds", type=float, default=20, help="for a question, by shortest and by any paths each")
    arguments = parser.parse_args()
    known = Known(HERE / "schedules_known.json")
    weft = Weft(arguments.weft, arguments.directory, arguments.jobs, arguments.seconds, known)
    with concurrent.futures.ThreadPoolExecutor(len(PAGES)) as pool:
        submitted = {name: pool.submit(page, weft) for name, page in PAGES.items()}
        for name, future in submitted.items():
            store_page(name, {**future.result(), "seconds": f"{arguments.seconds:g}"})
    known.store()


if __name__ == "__main__":
    main()
