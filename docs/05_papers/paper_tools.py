# SPDX-License-Identifier: Apache-2.0
"""Common part of the programs that write the pages on papers: tables, drawings, comparisons with claims, pages."""

import csv
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE.parent / "figures"
EXAMPLES = HERE.parent.parent / "examples"


def write_page(name, values):
    """Writes NAME.md from NAME.in.md, with the names in {{braces}} replaced by values."""
    text = (HERE / f"{name}.in.md").read_text()
    (HERE / f"{name}.md").write_text(re.sub(r"\{\{(\w+)\}\}", lambda match: values[match.group(1)], text))


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


def plot(directory, name, series, xlabel, ylabel, options=""):
    """Draws lines: series is a list of (title, [(x, y), ...])."""
    draw(directory, name, [panel("", series, xlabel, ylabel, options)], (640, 420))


def panel(title, series, xlabel, ylabel, options=""):
    """One panel of a figure."""
    return {"title": title, "series": series, "xlabel": xlabel, "ylabel": ylabel, "options": options}


def draw(directory, name, panels, size, columns=1):
    """Draws a figure of one or several panels."""
    script = f"""set terminal svg size {size[0]},{size[1]} font 'sans,11' background rgb 'white'
set output '{FIGURES / (name + ".svg")}'
set grid; set key top left samplen 2
"""
    if len(panels) > 1:
        script += f"set multiplot layout {-(-len(panels) // columns)},{columns}\n"
    for number, drawn in enumerate(panels):
        data = directory / (f"{name}.dat" if len(panels) == 1 else f"{name}.{number}.dat")
        lines = ["\n".join(f"{x} {y}" for x, y in points) for _, points in drawn["series"]]
        data.write_text("\n\n\n".join(lines) + "\n")
        curves = ", ".join(
            f"'{data}' index {i} with linespoints pointsize 0.6 title '{title}'"
            for i, (title, _) in enumerate(drawn["series"])
        )
        title = f"set title '{drawn['title']}' noenhanced\n" if drawn["title"] else ""
        script += f"{title}set xlabel '{drawn['xlabel']}'; set ylabel '{drawn['ylabel']}'\n{drawn['options']}\nplot {curves}\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


class Claims:
    """The table that compares the claims of a paper with Weft."""

    def __init__(self, paper, finds):
        self.header = ["where", f"{paper} says", f"Weft {finds}", "verdict", ""]
        self.rows = []

    def add(self, where, claim, counted, holds, why=""):
        """holds: True, False, or None if no data can give the result."""
        outcome = {True: "reproduced", False: "**not reproduced**", None: "**impossible**"}[holds]
        self.rows.append((where, claim, counted, outcome, why))

    def table(self):
        return table(self.header, self.rows)


def percent(part, whole):
    return f"{100 * part / whole:.1f} %"
