# SPDX-License-Identifier: Apache-2.0
"""What the tests of pages share: the programs of docs/05_papers as modules, and the tables that these stored."""
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ROOT / "docs" / "05_papers"
sys.path.insert(0, str(PAPERS))
from schedule_tools import Answer  # noqa: E402


def answer(*costs, combining=True):
    """The answer of a run that found schedules of these costs."""
    attempts = [{"R": r, "TCO": t, "seconds": 0} for r, t in costs]
    best = min(costs)
    found = {"R": best[0], "TCO": best[1], "by": "greedy", "least_TCO_of_R": 1}
    bounds = {"R": {"value": 1, "by": "ports"}, "TCO": {"value": 1}}
    return Answer({"found": found, "bounds": bounds, "combining": combining, "attempts": attempts, "refuted_below": 0}, "minimal", None)


def stored(page):
    return json.loads((PAPERS / f"{page}.json").read_text())


def rows_of(page, name):
    """The rows of a stored table, as dictionaries by the names of the columns; unnamed columns have their number."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in stored(page)[name]]
    header = [title or str(i) for i, title in enumerate(cells[0])]
    return [dict(zip(header, row)) for row in cells[2:]]


def cost_of(text):
    """(R, TCO) of "4/15", or of "7" for single messages."""
    parts = [int(part) for part in text.split("/")]
    return (parts[0], parts[-1])


def costs_of(text):
    return {cost_of(part) for part in text.split(", ")}


def is_as_good(costs, other):
    """Whether one of the costs is at most the other one in R and in TCO."""
    return any(r <= other[0] and t <= other[1] for r, t in costs)
