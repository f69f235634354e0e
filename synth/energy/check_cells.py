# SPDX-License-Identifier: Apache-2.0
"""Compares the energy of single cells, as energy.py computes it, with OpenSTA's report_power.

`check_cells.py asap7 router_5_4_8_2` compares every combinational cell type of the netlist, with one changing input and
a typical load, and prints a row for each type and the mean weighted by the number of cells. OpenSTA 2.0.17 adds the
internal energy of a rise and of a fall for each change, where a change is only one of them: `half` takes half of its
internal power.
"""

import itertools
import re
import sys
from collections import Counter

import numpy

import circuit
import designs
import energy
import flow
import measure
import netlists

PERIOD = 1e-8  # s
ACTIVITY = 0.2  # changes of the input in a cycle


def follows(cell):
    """An input, and values of the other inputs, for which the output changes with this input."""
    function = next(iter(cell.outputs.values()))
    for index, pin in enumerate(cell.inputs):
        for values in itertools.product((1, 0), repeat=len(cell.inputs)):
            names = {f"a{i}": value for i, value in enumerate(values)}
            flipped = {**names, f"a{index}": 1 - values[index]}
            if energy.holds(function, names) != energy.holds(function, flipped):
                return pin, {other: value for other, value in zip(cell.inputs, values) if other != pin}
    raise AssertionError(f"{cell.name}: no input changes the output")


def write(kinds, cells, chosen, out):
    """Writes one instance of each type with its activity. The load is a pin of the driver cell of the technology."""
    lines, ports, activity = [], ["clk"], []
    for index, kind in enumerate(kinds):
        cell = cells[kind]
        moving, fixed = follows(cell)
        pins = [f".{pin}(i{index}_{pin})" for pin in cell.inputs]
        output = next(iter(cell.outputs))
        lines.append(f"  wire o{index};\n  {kind} c{index} ({', '.join([*pins, f'.{output}(o{index})'])});")
        lines.append(f"  {chosen.driver} load{index} (.{cells[chosen.driver].inputs[0]}(o{index}));")
        ports += [f"i{index}_{pin}" for pin in cell.inputs]
        activity.append(f"activity i{index}_{moving} {ACTIVITY} 0.5")
        activity += [f"activity i{index}_{pin} 0 {value}" for pin, value in fixed.items()]
    text = [f"module cells ({', '.join(ports)});", *(f"  input {port};" for port in ports), *lines, "endmodule", ""]
    (out / "cells.v").write_text("\n".join(text))
    (out / "activity.tcl").write_text("\n".join(activity) + "\n")


def own(cell, chosen, load):
    """Energy of a change of the input and the output, fJ."""
    pin, _ = follows(cell)
    none = numpy.zeros(1)
    inner = energy.mean(cell.energy[next(iter(cell.outputs))], chosen.slew, numpy.array([load])) + energy.mean(
        cell.energy.get(pin, []), chosen.slew, none)
    return float(inner[0] + load * chosen.supply ** 2 / 2) * chosen.capacitance * 1e15


def main():
    name, design = sys.argv[1:]
    chosen, library, models, _ = measure.environment(name)
    out = netlists.mapped(designs.ALL[design], chosen, library)
    flat = circuit.flatten(netlists.read(out), designs.ALL[design].top, models)
    counts = Counter(kind for kind, *_ in flat.gates)
    kinds = sorted(counts)
    write(kinds, models, chosen, out)
    script = netlists.fill("power.tcl", out, LIBRARY=library, PERIOD=PERIOD / chosen.time, SLEW=chosen.slew)
    report = flow.run_tool("sta", ["sta", "-no_splash", "-exit", script], out / "power.log", 300)
    load = models[chosen.driver].capacitance[models[chosen.driver].inputs[0]]
    total = Counter()
    rows = re.findall(r"^cell c(\d+)$.*?^\s*(\S+)\s+(\S+)\s+\S+\s+\S+ c\1$", report, re.M | re.S)
    for index, internal, switching in rows:
        kind = kinds[int(index)]
        scale = PERIOD / ACTIVITY * 1e15
        half = (float(internal) / 2 + float(switching)) * scale
        mine = own(models[kind], chosen, load)
        if half == 0:  # OpenSTA does not read the function of the cell
            print(f"{name},{kind},{counts[kind]},{mine:.4g},0,")
            continue
        print(f"{name},{kind},{counts[kind]},{mine:.4g},{half:.4g},{mine / half - 1:.3f}")
        total.update({"own": counts[kind] * mine, "half": counts[kind] * half, "all": counts[kind]})
    print(f"{name},all types,{total['all']},{total['own'] / total['all']:.4g},{total['half'] / total['all']:.4g},"
          f"{total['own'] / total['half'] - 1:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
