# SPDX-License-Identifier: Apache-2.0
"""Gate-level netlists of the router and of the parts of a NIC: RTL to generic gates, then to cells of a technology."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import flow  # noqa: E402
import technology as technology_files  # noqa: E402

BUILD = flow.ROOT / "build" / "synth" / "energy"
TEMPLATES = HERE / "templates"
RECIPE = flow.HERE / "osu018" / "fallback" / "shallow_plain_4.abc"
LIMIT = 1500  # seconds for each run of Yosys
PARTS = ("input_unit", "route_computation", "vc_allocator", "switch_allocator", "crossbar", "output_unit")
KEPT = ("input_unit", "input_port", *PARTS[1:])


@dataclass(frozen=True)
class Design:
    """A top module with its parameters. `bench`: the driver of its inputs."""
    name: str
    top: str
    parameters: dict
    bench: str = "router"
    kept: tuple = ()
    shape: dict = field(default_factory=dict)  # parameters of the fit


def fill(name, out, **values):
    text = (TEMPLATES / name).read_text()
    for key, value in {"OUT": out, **values}.items():
        text = text.replace(f"@{key}@", str(value))
    assert "@" not in text, f"{name}: a value is missing"
    path = out / name
    path.write_text(text)
    return path


def front(design):
    """Path of the design as generic gates."""
    out = BUILD / design.name
    out.mkdir(parents=True, exist_ok=True)
    if not (out / "front.il").exists():
        values = " ".join(f"-set {name} {value}" for name, value in design.parameters.items())
        kept = " ".join(f"*weft_{part}*" for part in design.kept) or design.top
        script = fill("front.ys", out, READ=flow.read_command(), TOP=design.top, KEPT=kept,
                       PARAMETERS=f"chparam {values} {design.top}" if values else "")
        flow.run_tool(f"yosys, {design.name}", ["yosys", "-q", "-s", script], out / "front.log", LIMIT)
    return out / "front.il"


def mapped(design, technology, library):
    """Folder of the netlist of a design in a technology."""
    out = BUILD / design.name / technology.name
    out.mkdir(parents=True, exist_ok=True)
    if not (out / "netlist.v").exists():
        source = front(design)
        (out / "constraints.abc").write_text(f"set_driving_cell {technology.driver}\nset_load {technology.load}\n")
        script = fill("map.ys", out, FRONT=source, LIBRARY=library,
                           FLIPFLOPS=technology_files.flip_flop_library(library), DELAY=technology.delay, RECIPE=RECIPE)
        what = f"yosys, {design.name} in {technology.name}"
        flow.run_tool(what, ["yosys", "-q", "-s", script], out / "map.log", LIMIT)
    return out


def read(folder):
    """The modules of a netlist."""
    return json.loads((folder / "netlist.json").read_text())["modules"]
