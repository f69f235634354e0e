# SPDX-License-Identifier: Apache-2.0
"""Clock period of parts by OpenSTA: the slowest path between registers, and from and to inputs and outputs without delay."""

import re

import designs
import flow
import netlists

PERIOD = 10e-9  # s, longer than any path


def periods(design, modules, models, technology, library, out):
    """Period in ps of each part, and of the router as a whole."""
    text = (out / "netlist.v").read_text()
    names, tops = {}, {}
    for module in modules:
        short = module.rsplit("\\", 1)[-1].removeprefix("$paramod")
        names[module] = short
        part = short.removeprefix("weft_")
        if part != "input_port" and (part != "router" or design.name == designs.DEFAULT_NAME):  # the whole router takes long
            tops[part] = short
    for module, short in names.items():
        if module != short:
            text = text.replace(f"\\{module} ", f"{short} ")
    (out / "parts.v").write_text(text)
    script = netlists.fill("time.tcl", out, LIBRARY=library, PARTS=" ".join(tops.values()), PERIOD=PERIOD / technology.time,
                           DRIVER=technology.driver, LOAD=technology.load * 1e-15 / technology.capacitance)
    report = flow.run_tool(f"sta, {design.name} in {technology.name}", ["sta", "-no_splash", "-exit", script], out / "time.log", 600)
    found = dict(re.findall(r"^slack weft_(\S+) (\S+)", report, re.M))
    return {name: round((PERIOD / technology.time - float(slack)) * technology.time * 1e12, 1) for name, slack in found.items()
            if not slack.startswith("NULL")}
