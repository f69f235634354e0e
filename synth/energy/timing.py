# SPDX-License-Identifier: Apache-2.0
"""Clock period of parts by OpenSTA: the slowest path between registers, inputs and outputs, which have no delay."""

import re

import flow
import netlists

PERIOD = 10e-9  # s, longer than any path


def periods(design, modules, technology, library, out, only=None):
    """Period in ps of each part, and of the router as a whole."""
    text = (out / "netlist.v").read_text()
    tops = {}
    for module in modules:
        short = module.rsplit("\\", 1)[-1]
        part = short.removeprefix("weft_")
        if module != short:
            text = text.replace(f"\\{module} ", f"{short} ")
        if part != "input_port" and (only is None or part in only):
            tops[part] = short
    bodies = dict(re.findall(r"^(?:module )(\w+)(.*?^endmodule)$", text, re.M | re.S))
    for part, top in tops.items():
        own = {"router": list(bodies), "input_unit": ["weft_input_port", top]}.get(part, [top])
        (out / f"{top}.v").write_text("\n".join(f"module {name}{bodies[name]}" for name in own) + "\n")
    unit = technology.time
    script = netlists.fill("time.tcl", out, LIBRARY=library, PARTS=" ".join(tops.values()), PERIOD=PERIOD / unit,
                           DRIVER=technology.driver, LOAD=technology.load * 1e-15 / technology.capacitance)
    report = flow.run_tool(f"sta, {design.name} in {technology.name}", ["sta", "-no_splash", "-exit", script],
                           out / "time.log", 600)
    found = dict(re.findall(r"^slack weft_(\S+) (\S+)", report, re.M))
    return {name: round((PERIOD / unit - float(slack)) * unit * 1e12, 1) for name, slack in found.items()
            if not slack.startswith("NULL")}
