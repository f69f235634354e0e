# SPDX-License-Identifier: Apache-2.0
"""Wires of links: capacitance and resistance from the technology, repeaters by a simple model.

A repeater, one buffer of the library, stands every `spacing` mm. Its input capacitance is added to that of the wire, and
its internal energy as a capacitance of the same energy. Delay of a section: 0.69 R (C / 2 + C_input) of the wire, plus the
delay of the buffer with the load of the section, by its table.
"""

import numpy

import cells
import energy
import liberty
import netlists


def _drive(library, name, output, slew):
    """Resistance (of library units: time / capacitance) and intrinsic delay of a buffer."""
    templates = {group.arguments[0]: group for group in library.of("lu_table_template")}
    cell = next(group for group in library.of("cell") if group.arguments[0].strip('"') == name)
    pin = next(pin for pin in cell.of("pin") if pin.arguments[0].strip('"') == output)
    table = cells.table(pin.of("timing")[0].of("cell_rise")[0], templates)
    loads = table.points[table.axes.index("load")]
    first, second = loads[1], loads[-2]
    low, high = table.at(slew, numpy.array([first, second]))
    slope = (high - low) / (second - first)
    return slope, low - slope * first


def metrics(chosen):
    """Metrics of a wire with its repeaters, per mm."""
    library = liberty.read(netlists.BUILD / "libraries" / f"{chosen.name}.lib")
    models = cells.models(library)
    name, source, output = chosen.buffer.split()
    cell, unit = models[name], chosen.capacitance * 1e15
    spacing = chosen.wire["spacing"]
    pin = cell.capacitance[source]
    wire = chosen.wire["capacitance"] * spacing / unit + pin
    inner = float(energy.mean(cell.energy[output] + cell.energy.get(source, []), chosen.slew, numpy.array([wire]))[0])
    slope, intrinsic = _drive(library, name, output, chosen.slew)
    drive = intrinsic + slope * wire  # of the units of the library
    resistance = chosen.wire["resistance"] * spacing
    flight = 0.69 * resistance * (chosen.wire["capacitance"] * spacing / 2 + pin * unit) * 1e-15
    added = (pin + 2 * max(inner, 0.0) / chosen.supply ** 2) * unit / spacing
    return {"capacitance": chosen.wire["capacitance"] + added,
            "coupling": 0, "resistance": chosen.wire["resistance"],
            "leakage": cell.leakage * chosen.leakage * 1e9 / spacing, "area": cell.area / spacing,
            "delay": (drive * chosen.time + flight) / spacing * 1e12}


def lines(chosen):
    found = metrics(chosen)
    text = [f"  {key}: {value:.4g}" for key, value in found.items()]
    repeater = f'a repeater {chosen.buffer.split()[0]} every {chosen.wire["spacing"]} mm'
    return [*text, f'  source: "{chosen.wire["source"]}; {repeater}, its pin and its internal energy are part of the capacitance"']
