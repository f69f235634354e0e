# SPDX-License-Identifier: Apache-2.0
"""Energy of a circuit from the changes of its nets, by the tables of the library; area and leakage of the same cells.

A change of a net costs C V^2 / 2, with C the capacitance of the pins that it drives, and the internal energy of its cell
at a typical slew and at C: the mean of rise and fall, and of the conditions. A flip-flop also costs the internal energy
of its clock pin and C V^2 of this pin in each cycle, by whether it changes its state in this cycle. There is no clock
tree and no wire.
"""

import itertools
from collections import Counter

import numpy

import cells


def uint64_t(value):
    return value


def holds(expression, values):
    return eval(expression, {"uint64_t": uint64_t}, values) & 1  # noqa: S307: an expression that cells.py wrote


def mean(groups, slew, loads):
    """Mean of rise and fall over groups of internal energy."""
    if not groups:
        return numpy.zeros(len(loads))
    tables = [[table.at(slew, loads) if table is not None else numpy.zeros(len(loads)) for table in (rise, fall)]
              for _, _, rise, fall in groups]
    return numpy.mean(tables, axis=(0, 1))


def outside_reset(cell, pin):
    """Groups of internal energy of a pin whose condition can hold while a flip-flop is not reset."""
    groups = cell.energy.get(pin, [])
    if not cell.state:
        return groups
    names = {f"a{i}": name for i, name in enumerate(cell.inputs)}
    identity = {name: name for name in (*cell.inputs, *cell.outputs, cell.clock)}
    states = []
    for values in itertools.product((0, 1), repeat=len(cell.inputs) + 2):
        now = dict(zip([*names, "s", "clock"], values))
        if not holds(cell.state[1], now) and not holds(cell.state[2], now):
            states.append({**{name: now[key] for key, name in names.items()}, cell.clock: now["clock"],
                           **{output: holds(function, now) for output, function in cell.outputs.items()}})
    return [group for group in groups
            if not group[0] or any(holds(cells.expression(group[0], identity), state) for state in states)]


def clock_energy(cell, slew):
    """Internal energy of the clock pin in a cycle in which the flip-flop holds its state, and in one that changes it."""
    groups, none = cell.energy.get(cell.clock, []), numpy.zeros(1)
    found = {True: [], False: []}
    names = {f"a{i}": pin for i, pin in enumerate(cell.inputs)}
    for values in itertools.product((0, 1), repeat=len(cell.inputs) + 1):
        now = dict(zip([*names, "s"], values))
        following, clear, preset = (holds(expression, now) for expression in cell.state)
        if clear or preset:
            continue
        pins = {pin: now[name] for name, pin in names.items()}
        pins.update({pin: holds(function, now) for pin, function in cell.outputs.items()})
        identity = {pin: pin for pin in (*pins, cell.clock)}
        chosen = [group for group in groups if group[0] and any(
            holds(cells.expression(group[0], identity), {**pins, cell.clock: level}) for level in (0, 1))]
        chosen = chosen or [group for group in groups if not group[0]]
        energy = sum(float(numpy.mean([table.at(slew, none)[0] for table in tables if table is not None] or [0]))
                     for tables in zip(*[(rise, fall) for _, _, rise, fall in chosen])) if chosen else 0.0
        found[following == now["s"]].append(energy)
    return tuple(sum(found[key]) / len(found[key]) if found[key] else 0.0 for key in (True, False))


class Costs:
    """Energy, fJ, of each change of each net, and of each cycle, by part."""

    def __init__(self, circuit, models, technology):
        self.circuit, self.cells, self.technology = circuit, models, technology
        self.unit = technology.capacitance * 1e15  # fF of a unit of the file, and fJ of a unit of its energy
        self.part_of = {name: index for index, name in enumerate(circuit.parts)}
        self.nets, self.parts, self.energies = [], [], []
        self.cycle = numpy.zeros(len(circuit.parts))
        self.load = self._loads()
        self._gates()
        self._registers()
        self.nets, self.parts = numpy.concatenate(self.nets), numpy.concatenate(self.parts)
        self.energies = numpy.concatenate(self.energies) * self.unit

    def _add(self, nets, parts, energies):
        self.nets.append(numpy.asarray(nets, int))
        self.parts.append(numpy.asarray(parts, int))
        self.energies.append(numpy.asarray(energies, float))

    def _loads(self):
        """Capacitance that each net drives. Nets that the parts do not drive cost the part that reads them."""
        circuit = self.circuit
        load = numpy.zeros(circuit.nets)
        driven = {gate[2] for gate in circuit.gates}
        driven |= {net for register in circuit.registers for net in register[2].values()}
        nets, parts, energies = [], [], []
        half = self.technology.supply ** 2 / 2
        for kind, inputs, _, part in itertools.chain(circuit.gates, circuit.registers):
            cell = self.cells[kind]
            for pin, net in zip(cell.inputs, inputs):
                load[net] += cell.capacitance[pin]
                if net not in driven and net > 1:
                    nets.append(net)
                    parts.append(self.part_of[part])
                    energies.append(cell.capacitance[pin] * half)
        self._add(nets, parts, energies)
        return load

    def _pins(self, kind, members):
        """Internal energy of input pins, for all cells of a type."""
        cell = self.cells[kind]
        for index, pin in enumerate(cell.inputs):
            groups = outside_reset(cell, pin)
            if groups:
                energy = float(mean(groups, self.technology.slew, numpy.zeros(1))[0])
                self._add([member[1][index] for member in members], [self.part_of[member[3]] for member in members],
                          numpy.full(len(members), energy))

    def _gates(self):
        half = self.technology.supply ** 2 / 2
        for kind, members in _by_type(self.circuit.gates):
            cell = self.cells[kind]
            pin = next(iter(cell.outputs))
            nets = [member[2] for member in members]
            loads = self.load[nets]
            inner = mean(cell.energy.get(pin, []), self.technology.slew, loads)
            self._add(nets, [self.part_of[member[3]] for member in members], inner + loads * half)
            self._pins(kind, members)

    def _registers(self):
        volts, slew = self.technology.supply, self.technology.slew
        self.clock = {}
        for kind, members in _by_type(self.circuit.registers):
            cell = self.cells[kind]
            held, changed = clock_energy(cell, slew)
            each = held + cell.capacitance[cell.clock] * volts ** 2
            self.clock[kind] = each * self.unit
            for member in members:
                self.cycle[self.part_of[member[3]]] += each * self.unit
            pins = list(cell.outputs)
            for pin in pins:
                connected = [member for member in members if pin in member[2]]
                nets = [member[2][pin] for member in connected]
                parts = [self.part_of[member[3]] for member in connected]
                self._add(nets, parts, self.load[nets] * volts ** 2 / 2)
            first = [(member[2][pin], self.part_of[member[3]]) for member in members for pin in pins[:1] + pins[1:]
                     if pin in member[2] and pin == next(p for p in pins if p in member[2])]
            nets, parts = [net for net, _ in first], [part for _, part in first]
            groups = [group for group in cell.energy.get(pins[0], []) if group[1] in ("", cell.clock)]
            loads = self.load[nets] if len(pins) == 1 else numpy.zeros(len(nets))
            self._add(nets, parts, mean(groups, slew, loads) + changed - held)
            self._pins(kind, members)

    def of(self, changes, cycles):
        """Energy of each part, fJ, without leakage. CHANGES: of each net in CYCLES cycles."""
        weights = changes[self.nets] * self.energies
        moving = numpy.bincount(self.parts, weights=weights, minlength=len(self.circuit.parts))
        return moving + self.cycle * cycles


def _by_type(members):
    kinds = {}
    for member in members:
        kinds.setdefault(member[0], []).append(member)
    return sorted(kinds.items())


def static(circuit, models, technology):
    """Cells, flip-flops, area (um2) and leakage (nW) of each part."""
    found = {part: Counter() for part in circuit.parts}
    for kind, *_, part in itertools.chain(circuit.gates, circuit.registers):
        entry, cell = found[part], models[kind]
        entry["cells"] += 1
        entry["flip_flops"] += bool(cell.state)
        entry["area"] += cell.area
        entry["leakage"] += cell.leakage * technology.leakage * 1e9
    return found
