# SPDX-License-Identifier: Apache-2.0
"""Models of the cells of a library: functions as C++ expressions, capacitance, area, leakage, and internal energy."""

import re
from dataclasses import dataclass, field

import numpy


@dataclass
class Table:
    """A table of internal energy over load and slew, or over one of them."""
    axes: list  # "load" or "slew" for each dimension
    points: list
    values: numpy.ndarray

    def at(self, slew, loads):
        """Energy at a slew for each of LOADS: linear between the points of the table, and constant beyond its slews."""
        values = self.values
        if "slew" in self.axes:
            axis = self.axes.index("slew")
            values = numpy.apply_along_axis(lambda line: numpy.interp(slew, self.points[axis], line), axis, values)
        if "load" not in self.axes:
            return numpy.full(len(loads), float(values))
        points = self.points[self.axes.index("load")]
        if len(points) == 1:
            return numpy.full(len(loads), float(values[0]))
        low = numpy.clip(numpy.searchsorted(points, loads) - 1, 0, len(points) - 2)
        return values[low] + (values[low + 1] - values[low]) * (loads - points[low]) / (points[low + 1] - points[low])


@dataclass
class Cell:
    """A cell. `inputs` have the order of the arguments of its functions; the clock is none of them."""
    name: str
    area: float
    leakage: float
    inputs: list
    outputs: dict  # pin -> expression; of a flip-flop, "s" or "~s"
    capacitance: dict
    clock: str = ""
    state: tuple = ()  # next state, clear, preset
    energy: dict = field(default_factory=dict)  # pin -> list of (when, related pin, rise, fall)


def numbers(text):
    return numpy.array([float(value) for value in text.strip('"').replace(",", " ").split()])


def table(group, templates):
    made_from = templates.get(group.arguments[0]) if group.arguments else None
    axes, points = [], []
    for index in (1, 2):
        variable = made_from.get(f"variable_{index}") if made_from else None
        own = group.get(f"index_{index}") or (made_from.get(f"index_{index}") if made_from else None)
        if variable and own:
            axes.append("load" if "capacitance" in variable else "slew")
            points.append(numbers(" ".join(part.strip('"') for part in own)))
    values = numbers(" ".join(part.strip('"') for part in group.get("values")))
    return Table(axes, points, values.reshape([len(p) for p in points]) if points else values.reshape(()))


def expression(text, names):
    """A Liberty function as C++ over 64-bit words."""
    text = text.strip('"').strip()
    out, operand = [], False  # whether an operand precedes
    for token in re.findall(r"[A-Za-z_]\w*|[01]|[!'()&|*+^]", text):
        if operand and (token in "(!01" or re.match(r"[A-Za-z_]", token)):
            out.append("&")  # two operands side by side
        if re.match(r"[A-Za-z_]", token):
            out.append(names[token])
        elif token in "01":
            out.append("~uint64_t(0)" if token == "1" else "uint64_t(0)")
        elif token == "'":
            out[-1] = f"(~{out[-1]})"
        else:
            out.append({"!": "~", "*": "&", "+": "|"}.get(token, token))
        operand = token in ")'01" or bool(re.match(r"[A-Za-z_]", token))
    return "".join(out)


def _energy(pin, templates):
    found = []
    for group in pin.of("internal_power"):
        tables = [table(inner[0], templates) if inner else None
                  for inner in (group.of(name) or group.of("power") for name in ("rise_power", "fall_power"))]
        found.append(((group.get("when") or "").strip('"'), (group.get("related_pin") or "").strip('"'), *tables))
    return found


def model(cell, templates):
    """The model of a cell group of Liberty, or None if it is neither combinational nor a flip-flop."""
    pins = {pin.arguments[0].strip('"'): pin for pin in cell.of("pin")}
    flip_flop = cell.of("ff")
    clock = flip_flop[0].get("clocked_on").strip('"() ') if flip_flop else ""
    inputs = [name for name, pin in pins.items() if pin.get("direction").strip('"') == "input" and name != clock]
    names = {name: f"a{index}" for index, name in enumerate(inputs)}
    outputs, state = {}, ()
    if flip_flop:
        variables = [name.strip('"') for name in flip_flop[0].arguments]
        state = tuple(expression(flip_flop[0].get(key) or "0", names) for key in ("next_state", "clear", "preset"))
        names = {variables[0]: "s", variables[1]: "(~s)"}
    for name, pin in pins.items():
        if pin.get("direction").strip('"') == "output":
            if pin.get("function") is None:
                return None
            outputs[name] = expression(pin.get("function"), names)
    if not outputs or (len(outputs) > 1 and not flip_flop):
        return None
    leaks = [float(group.get("value").strip('"')) for group in cell.of("leakage_power")]
    leakage = sum(leaks) / len(leaks) if leaks else float((cell.get("cell_leakage_power") or "0").strip('"'))
    return Cell(cell.arguments[0].strip('"'), float(cell.get("area").strip('"')), leakage, inputs, outputs,
                {name: float(pin.get("capacitance", "0").strip('"')) for name, pin in pins.items()}, clock, state,
                {name: _energy(pin, templates) for name, pin in pins.items()})


def models(library):
    """All cells of a library, by name."""
    templates = {group.arguments[0]: group
                 for name in ("power_lut_template", "lu_table_template") for group in library.of(name)}
    found = (model(cell, templates) for cell in library.of("cell"))
    return {cell.name: cell for cell in found if cell is not None}
