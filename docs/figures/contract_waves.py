#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a waveform of each contract of the pin level from a run: docs/figures/wave_*.svg.

    docs/figures/contract_waves.py build/release/weft             draws
    docs/figures/contract_waves.py build/release/weft --check     says whether they would be drawn as they are

Three routers in a row, 2 VCs of 2 flits, links of 2 cycles, and four packets to the last node that get in each other's
way. A field is shown while its strobe is set. Exit status 1 if a wire is not in the run, or a picture is of another."""

import subprocess
import sys
import tempfile
from pathlib import Path

CONFIGURATION = """network:
  topology: {shape: [3, 1]}
  router: {vcs: 2, depth: 2}
  link: {cycles: 2}
workload:
  packet_list: waves.txt
simulation:
  level: pin
output:
  vcd: ["network.*"]
"""
PACKETS = "0 0 0 2 5\n1 0 0 2 3\n2 5 1 2 4\n3 9 1 2 2\n"  # number, cycle, source, destination, flits

# File, title, first and last cycle, and of each row: label, wire, its strobe.
NONE = ""
FIGURES = (
    ("wave_handshake", "Terminal and NIC: a flit moves where valid and ready are set", 0, 26, (
        ("send valid", "send_0_0.valid", NONE), ("head", "send_0_0.head", "send_0_0.valid"),
        ("tail", "send_0_0.tail", "send_0_0.valid"), ("ready", "send_ready_0_0", NONE),
        ("injection valid", "injection_0_0_flit.valid", NONE),
        ("VC", "injection_0_0_flit.vc", "injection_0_0_flit.valid"))),
    ("wave_credits", "Credits: a flit takes one of its VC, and it comes back when the next buffer has sent it on", 4, 34, (
        ("VCs with a credit", "router_0.credits.available0", NONE), ("flit", "channel_0_0_flit.valid", NONE),
        ("VC", "channel_0_0_flit.vc", "channel_0_0_flit.valid"), ("credit", "channel_0_0_credit.valid", NONE),
        ("VC", "channel_0_0_credit.vc", "channel_0_0_credit.valid"))),
    ("wave_vc_allocation", "VC allocation in router 1: a route asks, the winner holds a VC of port +x to the tail", 4, 34, (
        ("route, port −x", "router_1.route_1.slot0.valid", NONE),
        ("VC", "router_1.route_1.slot0.vc", "router_1.route_1.slot0.valid"),
        ("hold, port −x", "router_1.assigned_1.active", NONE),
        ("route, local port", "router_1.route_4.slot0.valid", NONE),
        ("VC", "router_1.route_4.slot0.vc", "router_1.route_4.slot0.valid"),
        ("hold, local port", "router_1.assigned_4.active", NONE), ("a head waits", "router_1.allocator_busy", NONE))),
    ("wave_switch_allocation", "Switch allocation in router 1: inputs take turns at port +x", 4, 34, (
        ("VCs with a flit, −x", "router_1.status.occupied1", NONE), ("local", "router_1.status.occupied4", NONE),
        ("inputs that send", "router_1.grants.inputs", NONE), ("…to outputs", "router_1.grants.outputs", NONE),
        ("…tails", "router_1.grants.tails", NONE), ("flit at +x", "channel_1_0_flit.valid", NONE),
        ("VC", "channel_1_0_flit.vc", "channel_1_0_flit.valid"))),
    ("wave_link", "A link of 2 cycles: flits one way, credits the other", 4, 34, (
        ("flit, sender", "channel_0_0_flit.valid", NONE), ("VC", "channel_0_0_flit.vc", "channel_0_0_flit.valid"),
        ("flit, receiver", "channel_0_0_flit_far.valid", NONE),
        ("VC", "channel_0_0_flit_far.vc", "channel_0_0_flit_far.valid"),
        ("credit, receiver", "channel_0_0_credit_far.valid", NONE),
        ("credit, sender", "channel_0_0_credit.valid", NONE))),
)
CELL, ROW, LEFT, TOP = 24, 26, 150, 46


def recorded(file):
    """Of each wire below `network` its bits, and its value in every cycle: what it is just before the next begins."""
    scopes, wires, name_of, now, values = [], {}, {}, {}, {}
    time, cycle, scale = 0, 0, None
    lines = iter(file.read_text().splitlines())
    for line in lines:
        words = line.split()
        if line.startswith("$timescale"):
            text = " ".join(words[1:]) or next(lines)
            scale = 1000 if "ps" in text else 1
        elif line.startswith("$scope"):
            scopes.append(words[2])
        elif line.startswith("$upscope"):
            scopes.pop()
        elif line.startswith("$var"):
            name = ".".join([*scopes[2:], words[4]])
            name_of.setdefault(words[3], []).append(name)
            wires[name] = int(words[2])
            values[name] = []
        elif line.startswith("#"):
            time = int(line[1:])
            while time >= (cycle + 3) * scale:  # cycle c is from c + 2 ns to c + 3 ns
                for code, names in name_of.items():
                    for name in names:
                        values[name].append(now.get(code, 0))
                cycle += 1
        elif words and line[0] in "01xz":
            now[line[1:]] = int(line[0]) if line[0] in "01" else 0
        elif words and line[0] == "b":
            now[words[1]] = int(words[0][1:], 2) if set(words[0][1:]) <= set("01") else 0
    return wires, values


def text(x, y, what, anchor="middle", size=11, colour="#333"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{what}</text>'


def drawn(title, first, last, rows, wires, values):
    """The figure as SVG."""
    width, height = LEFT + (last - first + 1) * CELL + 16, TOP + len(rows) * ROW + 12
    out = ['<!-- SPDX-License-Identifier: Apache-2.0 -->',
           '<!-- Made by docs/figures/contract_waves.py. -->',
           f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
           f'<rect width="{width}" height="{height}" fill="white"/>', text(12, 18, title, "start", 13, "#111")]
    for cycle in range(first, last + 1):
        x = LEFT + (cycle - first) * CELL
        out.append(f'<line x1="{x}" y1="{TOP - 6}" x2="{x}" y2="{height - 8}" stroke="#e4e4e4"/>')
        out.append(text(x + CELL // 2, TOP - 10, cycle, size=9, colour="#777"))
    for number, (label, wire, strobe) in enumerate(rows):
        high, low = TOP + number * ROW + 3, TOP + number * ROW + ROW - 6
        out.append(text(LEFT - 10, low - 3, label, "end"))
        cells = values[wire][first:last + 1]
        shown = values[strobe][first:last + 1] if strobe else [1] * len(cells)
        if wires[wire] == 1 and not strobe:
            points = []
            for cycle, value in enumerate(cells):
                y = high if value else low
                points += [f"{LEFT + cycle * CELL},{y}", f"{LEFT + (cycle + 1) * CELL},{y}"]
            out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="#1f5fa8" stroke-width="1.6"/>')
            continue
        begin = 0
        for cycle in range(1, len(cells) + 1):
            if cycle == len(cells) or (cells[cycle], shown[cycle]) != (cells[begin], shown[begin]):
                if shown[begin]:
                    x, wide = LEFT + begin * CELL, (cycle - begin) * CELL
                    out.append(f'<rect x="{x + 1}" y="{high}" width="{wide - 2}" height="{low - high}" fill="#e8f0fa" '
                               'stroke="#1f5fa8"/>')
                    value = cells[begin]
                    members = [str(i) for i in range(wires[wire]) if value >> i & 1]
                    said = str(value) if strobe else ", ".join(members) or "–"
                    out.append(text(x + wide / 2, low - 4, said, size=9))
                begin = cycle
    return "\n".join([*out, "</svg>", ""])


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    weft = Path(sys.argv[1]).resolve()
    different = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "waves.yaml").write_text(CONFIGURATION)
        (folder / "waves.txt").write_text(PACKETS)
        subprocess.run([weft, "run", "waves.yaml"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
        wires, values = recorded(folder / "results" / "waves.vcd")
    for file, title, first, last, rows in FIGURES:
        missing = [wire for _, wire, strobe in rows for wire in (wire, strobe) if wire and wire not in wires]
        if missing:
            sys.exit(f"contract_waves.py: {file}: not in the run: {', '.join(missing)}")
        picture, figure = Path(__file__).resolve().parent / f"{file}.svg", drawn(title, first, last, rows, wires, values)
        if len(sys.argv) == 2:
            picture.write_text(figure)
        elif not picture.exists() or picture.read_text() != figure:
            different.append(picture.name)
    if different:
        sys.exit(f"contract_waves.py: of another run: {', '.join(different)}; draw them anew, and look at the pages")


if __name__ == "__main__":
    main()
