#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the tables of a sweep with other tools: tests/cli/export_table.py WEFT. Python's csv module in strict mode
determines the type of each column; pandas, if installed, must determine the same types."""

import csv
import io
import subprocess
import sys
import tempfile
from pathlib import Path

EXPERIMENT = """network: {topology: {shape: [3, 3]}}
simulation: {level: engine, warmup: 100, measure: 2000}
"""
# 99 VCs are infeasible; at load 0 there is nothing to measure; a value, a name and an error contain commas and quotes.
SWEEP = ["sweep", "points.yaml", "-q", "--set", 'output.name=a, "b"', "--over", "network.router.vcs=1,99,2", "--over",
         "workload.injection.load=0,0.2,0.9", "--linked", "network.topology.shape=[3, 3],[2, 4]"]
TEXTS = {"id", "weft", "name", "outcome", "stationary", "error", "network.topology.kind", "network.topology.shape",
         "network.routing.algorithm", "network.routing.order", "network.routing.selection", "network.routing.weight",
         "network.link.width", "network.router.flow_control",
         "network.router.buffer.policy",
         "network.router.vc_allocator.kind", "network.router.vc_allocator.arbiter",
         "network.router.switch_allocator.kind", "network.router.switch_allocator.arbiter",
         "network.router.speculation", "network.router.priority", "network.router.vc_reallocation", "nic.compression.mode",
         "workload.pattern.kind", "workload.injection.process", "workload.length.kind", "workload.payload.kind",
         "workload.payload.type", "simulation.level", "collective.algorithm", "output.energy.technology",
         "nic.source_queues"}


def kind_of(cells):
    """The type of a column's nonempty cells."""
    filled = [cell for cell in cells if cell]
    if not filled:
        return "nothing"
    if all(cell in ("TRUE", "FALSE") for cell in filled):
        return "truth values"
    try:
        for cell in filled:
            float(cell)
    except ValueError:
        return "texts"
    return "numbers"


def check(what, text):
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert len(rows) == 18, (what, len(rows))
    assert len(set(header)) == len(header), what
    assert all(len(row) == len(header) for row in rows), what
    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    for name, cells in columns.items():
        assert (kind_of(cells) == "texts") == (name in TEXTS), (what, name, kind_of(cells), cells)
    for i in range(len(rows)):
        outcome, latency = columns["outcome"][i], columns["latency_mean"][i]
        assert (latency == "") == (outcome in ("infeasible", "nothing_measured")), (what, outcome, latency)
        assert (columns["error"][i] != "") == (outcome in ("infeasible", "nothing_measured")), (what, outcome)
        assert columns["send_latency"][i] == "", "nothing was compressed"
    return columns


def check_pandas(file, columns):
    try:
        import pandas
    except ImportError:
        print("pandas is not installed: read by csv alone")
        return
    table = pandas.read_csv(file)
    for name, cells in columns.items():
        numeric = pandas.api.types.is_numeric_dtype(table[name]) and not pandas.api.types.is_bool_dtype(table[name])
        assert numeric == (kind_of(cells) in ("numbers", "nothing")), (name, table[name].dtype)
        assert list(table[name].isna()) == [cell == "" for cell in cells], name


def main():
    weft = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        def run(*arguments, expected=0):
            done = subprocess.run([weft, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  check=False)
            assert done.returncode == expected, done.stderr
            return done.stdout

        (Path(folder) / "points.yaml").write_text(EXPERIMENT)
        run(*SWEEP, expected=1)  # a point at load 0 has failed
        table = Path(folder) / "results" / 'a, "b".sweep.csv'
        check_pandas(table, check("sweep", table.read_text()))
        exported = Path(folder) / "all.csv"
        exported.write_text(run("export", "results/points.sqlite"))
        check_pandas(exported, check("export", exported.read_text()))


if __name__ == "__main__":
    main()
