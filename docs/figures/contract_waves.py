#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a waveform of each contract with wires from a run: wave_*.svg in FOLDER.

    docs/figures/contract_waves.py build/release/weft FOLDER

contract_waves.toml in this folder lists the runs and the figures. A run is one of weft, of a SystemVerilog bench in this
folder, which needs Verilator, or of a program of the same build; without these, their figures are left out. A row is
`label: wire`, or `label: run/wire` for a wire of a run other than the figure's. A field is shown while its strobe
is set, a field of a header only on heads; `label: wire & strobe` names another strobe. Exit status 1 if a wire is not in
its run."""

import re
import shutil
import struct
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIRST = -2  # cycle c is from c + 2 ns to c + 3 ns
SETS = ("active", "available", "choices", "inputs", "occupied", "outputs", "tail", "tails", "vcs")
ON_HEADS = ("codec", "cut", "destination", "first", "flits", "role", "second", "source", "type", "words")
NAMES = {"codec": ("raw", "FPC", "FPC", "LSB"), "role": ("plain", "coded", "hold", "combine", "chain")}
OF_PAYLOAD = re.compile(r".*words\d|pushed\d")
ROW, LEFT, TOP, GAP = 26, 160, 46, 18


def recorded(file):
    """For each wire, its number of bits, and its value at the end of every half cycle."""
    scopes, wires, name_of, now, values = [], {}, {}, {}, {}
    half = 500  # of a cycle, in ps
    sampled = 0
    for line in file.read_text().splitlines():
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"]:
            name = ".".join([*scopes[2:], words[4]])
            name_of.setdefault(words[3], []).append(name)
            wires[name] = int(words[2])
            values[name] = []
        elif line.startswith("#"):
            for _ in range(sampled, int(line[1:]) // half):
                for code, names in name_of.items():
                    for name in names:
                        values[name].append(now.get(code, 0))
                sampled += 1
        elif words and line[0] in "01xz":
            now[line[1:]] = int(line[0]) if line[0] in "01" else 0
        elif words and line[0] == "b":
            now[words[1]] = int(words[0][1:], 2) if set(words[0][1:]) <= set("01") else 0
    return wires, values


def run_network(weft, what, folder):
    """Runs a configuration in the folder. Returns its waveform."""
    (folder / "run.yaml").write_text(what["configuration"])
    (folder / "packets.txt").write_text(what.get("packets", ""))
    doubles = what.get("doubles", [])
    (folder / "payload.bin").write_bytes(struct.pack(f"<{len(doubles)}d", *doubles))
    subprocess.run([weft, what.get("command", "run"), "run.yaml", "--set", "output.vcd=['network.*']"],
                   cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return folder / "results" / "run.vcd"


def run_bench(bench, folder):
    """Verilates a bench of this folder, whose module has the name of the file, and runs it. Returns its waveform."""
    rtl = HERE.parents[1] / "rtl"
    options = "--binary --timing --timescale 1ns/1ps --assert --trace --trace-structs -Mdir . --top-module"
    subprocess.run(["verilator", *options.split(), bench, rtl / "lint" / "verilator.vlt", "-F", rtl / "files.f",
                    HERE / f"{bench}.sv"],
                   cwd=folder, stdout=subprocess.DEVNULL, check=True)
    subprocess.run([folder / f"V{bench}"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return folder / "run.vcd"


def run_program(program, folder):
    """Runs a program that takes the name of a waveform as its last argument. Returns the waveform."""
    subprocess.run([*program, "run"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return folder / "run.vcd"


def lacks(weft, what):
    """The program that a run needs and that is not installed."""
    if "bench" in what and shutil.which("verilator") is None:
        return "Verilator"
    if "program" in what and not (weft.parent / what["program"][0]).exists():
        return what["program"][0]
    return None


def run_of(weft, what, folder):
    """The waveform of a run."""
    if "bench" in what:
        return run_bench(what["bench"], folder)
    if "program" in what:
        return run_program([weft.parent / what["program"][0], *what["program"][1:]], folder)
    return run_network(weft, what, folder)


def made(weft, runs):
    """The wires of all runs, and their values, by `run/wire`."""
    wires, values = {}, {}
    for run, what in runs.items():
        with tempfile.TemporaryDirectory() as name:
            its_wires, its_values = recorded(run_of(weft, what, Path(name)))
        wires.update({f"{run}/{wire}": bits for wire, bits in its_wires.items()})
        values.update({f"{run}/{wire}": row for wire, row in its_values.items()})
    return wires, values


def row_of(text, run):
    """The label of a row, its wire, and its strobes, both as `run/wire`."""
    label, wire, *strobes = re.split(": | & ", text)
    wire = wire if "/" in wire else f"{run}/{wire}"
    return label, wire, [f"{wire.rpartition('.')[0]}.{strobe}" for strobe in strobes]


def cells(wire, strobes, bits, values):
    """The content of a row in every half cycle: a level, 0 or 1, for a wire of one bit, else text; None if it is empty."""
    record, _, name = wire.rpartition(".")
    field = name.rstrip("0123456789")
    if not strobes:
        beside = (f"{record}.{strobe}" for strobe in (("valid", "head") if field in ON_HEADS else ("valid",)))
        strobes = [strobe for strobe in beside if strobe in values]
    shown = [all(states) for states in zip([True] * len(values[wire]), *(values[strobe] for strobe in strobes))]
    if granted := re.fullmatch(r"(.*grants)\.by_input(\d+).*", wire):
        shown = [members >> int(granted[2]) & 1 for members in values[f"{granted[1]}.inputs"]]
    if bits == 1:
        return [a & b for a, b in zip(shown, values[wire])]

    def text_of(value):
        if field == "tag":
            return f"{value >> 8}.{value & 255}"
        if field in ("first", "second"):
            return str(value >> 30)  # the name of a datum
        if field in NAMES:
            return NAMES[field][value]
        if field in SETS:
            return ", ".join(str(i) for i in range(bits) if value >> i & 1) or "–"
        if bits == 64:
            return f"{value:x}" if value < 1 << 32 else f"…{value & 0xffff:04x}"
        return f"{value:x}" if OF_PAYLOAD.fullmatch(name) else str(value)

    return [text_of(value) if strobe else None for strobe, value in zip(shown, values[wire])]


def text(x, y, what, anchor="middle", size=11, colour="#333"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{what}</text>'


def stretches(row):
    """Begin, end and value of each segment of a row."""
    begin = 0
    for i in range(1, len(row) + 1):
        if i == len(row) or row[i] != row[begin]:
            yield begin, i, row[begin]
            begin = i


def drawn(title, cycles, cell, rows):
    """The figure as SVG. `cycles`: the first and the last cycle of each part; parts are separated by gaps. Rows: label and
    half cycles."""
    spans, right = [], LEFT
    for first, last in zip(cycles[::2], cycles[1::2]):
        spans.append((first, last, right))
        right += (last - first + 1) * cell + GAP
    width, height = right - GAP + 16, TOP + len(rows) * ROW + 12
    out = ['<!-- SPDX-License-Identifier: Apache-2.0 -->',
           '<!-- Made by docs/figures/contract_waves.py. -->',
           f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" font-family="sans-serif">',
           f'<rect width="{width}" height="{height}" fill="white"/>', text(12, 18, title, "start", 13, "#111")]
    for first, last, left in spans:
        for cycle in range(first, last + 1):
            x = left + (cycle - first) * cell
            out.append(f'<line x1="{x}" y1="{TOP - 6}" x2="{x}" y2="{height - 8}" stroke="#e4e4e4"/>')
            out.append(text(x + cell // 2, TOP - 10, cycle, size=9, colour="#777"))
    for number, (label, row) in enumerate(rows):
        high, low = TOP + number * ROW + 3, TOP + number * ROW + ROW - 6
        out.append(text(LEFT - 10, low - 3, label, "end"))
        for first, last, left in spans:
            points = []
            for begin, end, value in stretches(row[2 * (first - FIRST):2 * (last + 1 - FIRST)]):
                x, wide = left + begin * cell // 2, (end - begin) * cell // 2
                if value in (0, 1):
                    y = high if value else low
                    points += [f"{x},{y}", f"{x + wide},{y}"]
                elif value:
                    out.append(f'<rect x="{x + 1}" y="{high}" width="{wide - 2}" height="{low - high}" fill="#e8f0fa" '
                               'stroke="#1f5fa8"/>')
                    out.append(text(x + wide / 2, low - 4, value, size=9))
            if points:
                out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="#1f5fa8" stroke-width="1.6"/>')
    return "\n".join([*out, "</svg>", ""])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(HERE / "contract_waves.toml", "rb") as file:
        data = tomllib.load(file)
    weft, folder = (Path(name).resolve() for name in sys.argv[1:])
    runs, figures = data["runs"], data["figures"]
    for lacking in {lacks(weft, run) for run in runs.values()} - {None}:
        print(f"contract_waves.py: no {lacking}: without the figures that need it", file=sys.stderr)
    runs = {name: run for name, run in runs.items() if not lacks(weft, run)}
    figures = {name: figure for name, figure in figures.items() if figure["run"] in runs}
    wires, values = made(weft, runs)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, figure in figures.items():
        rows = [row_of(row, figure["run"]) for row in figure["rows"].strip().splitlines()]
        if missing := [name for _, wire, strobes in rows for name in (wire, *strobes) if name not in wires]:
            sys.exit(f"contract_waves.py: {name}: not in the run: {', '.join(missing)}")
        svg = drawn(figure["title"], figure["cycles"], figure.get("cell", 24),
                    [(label, cells(wire, strobes, wires[wire], values)) for label, wire, strobes in rows])
        (folder / f"wave_{name}.svg").write_text(svg)


if __name__ == "__main__":
    main()
