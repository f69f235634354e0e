# SPDX-License-Identifier: Apache-2.0
"""Common part of the programs that measure for the pages on papers: tables, figures, comparisons with claims. They store
what they find as JSON; docs/make_pages.py writes the pages and draws the figures from it."""

import csv
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE.parent / "figures"
EXAMPLES = HERE.parent.parent / "examples"


def store_page(name, values):
    """Stores the values of NAME.in.md, whose names are there in {{braces}}, in NAME.json; a text of several lines as a list."""
    names = sorted(set(re.findall(r"\{\{(\w+)\}\}", (HERE / f"{name}.in.md").read_text())))
    stored = {key: values[key].split("\n") if "\n" in values[key] else values[key] for key in names}
    (HERE / f"{name}.json").write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n")


def run_sweep(weft, config, jobs, failures=False):
    """Runs the sweep in the file and returns its rows as dictionaries. Results are stored beside the file and reused.
    failures: whether points may end other than complete or saturated."""
    directory = config.parent
    words = [weft, "sweep", str(config), "-q", "--store", str(directory / "points.sqlite"), "-j", str(jobs)]
    done = subprocess.run([*words, "-o", str(directory)], cwd=directory, capture_output=True, text=True)
    if done.returncode not in ((0, 1) if failures else (0,)):
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    with open(directory / f"{config.stem}.sweep.csv", newline="") as file:
        # Swept texts are in YAML syntax.
        return [{key: value.strip("'") for key, value in row.items()} for row in csv.DictReader(file)]


def text(number):
    if number is None:
        raise ValueError("a cell of a table has no figure; say in words what happened")
    if isinstance(number, float):
        return f"{number:,.2f}"
    return f"{number:,}" if isinstance(number, int) else str(number)


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(text(cell) for cell in row) + " |" for row in rows])


def plot(name, series, xlabel, ylabel, options=""):
    """Stores a figure of one panel with lines: series is a list of (title, [(x, y), ...])."""
    store_figure(name, [panel("", series, xlabel, ylabel, options)], (640, 420))


def panel(title, series, xlabel, ylabel, options=""):
    """One panel of a figure."""
    return {"title": title, "xlabel": xlabel, "ylabel": ylabel, "options": options, "series": series}


def store_figure(name, panels, size, columns=1):
    """Stores a figure of one or several panels in docs/figures/NAME.json, a line for each series."""
    text = json.dumps({"size": size, "columns": columns, "panels": panels}, ensure_ascii=False)
    text = text.replace(', ["', ',\n["').replace('[["', '[\n["').replace('{"title', '\n{"title').replace(", \n", ",\n")
    (FIGURES / f"{name}.json").write_text(text + "\n")


class Claims:
    """The table that compares the claims of a paper with Weft."""

    def __init__(self, paper, finds):
        self.header = ["where", f"{paper} says", f"Weft {finds}", "result", "remark"]
        self.rows = []

    def add(self, where, claim, counted, holds, why=""):
        """holds: True, False, None if no data can give the result, or the condition under which alone it holds."""
        outcomes = {True: "reproduced", False: "**not reproduced**", None: "**impossible**"}
        outcome = f"reproduced only {holds}" if isinstance(holds, str) else outcomes[holds]
        self.rows.append((where, claim, counted, outcome, why))

    def table(self):
        return table(self.header, self.rows)


TOLERANCE = 0.25  # a number counts as reproduced if it differs from the printed one by at most this part of the latter


def is_near(printed, found):
    return abs(found - printed) <= TOLERANCE * printed


def percent(part, whole):
    return f"{100 * part / whole:.1f} %"
