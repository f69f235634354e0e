# SPDX-License-Identifier: Apache-2.0
"""A netlist as a flat circuit in topological order: input of the simulator, and of the computation of energy."""

import re
from collections import defaultdict
from dataclasses import dataclass

import numpy

CONSTANTS = {"0": 0, "1": 1, "x": 0, "z": 0}


@dataclass
class Circuit:
    """Cells of a flat netlist. Net 0 is constant 0, net 1 is constant 1."""
    nets: int
    gates: list    # (type, inputs, output net, part), in topological order
    registers: list  # (type, inputs, output nets by pin, part)
    ports: dict    # name of a port of the top -> nets, lowest bit first
    levels: list   # for each level, the runs (type, first gate, end)
    parts: list


class _Flattener:
    def __init__(self, modules, cells):
        self.modules, self.cells = modules, cells
        self.same = [0, 1]  # union-find over nets
        self.found = []

    def new(self):
        self.same.append(len(self.same))
        return len(self.same) - 1

    def root(self, net):
        while self.same[net] != net:
            self.same[net] = self.same[self.same[net]]
            net = self.same[net]
        return net

    def join(self, first, second):
        first, second = self.root(first), self.root(second)
        self.same[max(first, second)] = min(first, second)

    def module(self, name, bound, part):
        """Adds the cells of a module. BOUND: port -> nets of its bits."""
        entry, nets = self.modules[name], {}

        def net_of(bit):
            if isinstance(bit, str):
                return CONSTANTS[bit]
            if bit not in nets:
                nets[bit] = self.new()
            return nets[bit]
        for port, outside in bound.items():
            for bit, net in zip(entry["ports"][port]["bits"], outside):
                if isinstance(bit, str):
                    self.join(CONSTANTS[bit], net)
                elif bit in nets:
                    self.join(nets[bit], net)
                else:
                    nets[bit] = net
        for instance, cell in entry["cells"].items():
            pins = {pin: [net_of(bit) for bit in bits] for pin, bits in cell["connections"].items()}
            if cell["type"] in self.cells:
                self.found.append((cell["type"], {pin: bits[0] for pin, bits in pins.items()}, part))
            else:
                self.module(cell["type"], pins, part or instance.split(".")[0].removeprefix("u_"))


def _ports(entry, nets):
    """Ports of the top: `name[3]` is bit 3 of `name`."""
    found = defaultdict(dict)
    for port in entry["ports"]:
        match = re.fullmatch(r"(.*)\[(\d+)\]", port)
        name, index = (match.group(1), int(match.group(2))) if match else (port, 0)
        found[name][index] = nets[port][0]
    return {name: [bits[index] for index in sorted(bits)] for name, bits in found.items()}


def _ordered(gates, sources):
    """Gates in topological order, level by level, each level sorted by type; and the runs of equal types."""
    level = dict.fromkeys(sources, 0)
    users, missing = defaultdict(list), []
    ready = []
    for index, (_, inputs, _, _) in enumerate(gates):
        open_inputs = {net for net in inputs if net not in level}
        missing.append(len(open_inputs))
        for net in open_inputs:
            users[net].append(index)
        if not open_inputs:
            ready.append(index)
    depth, order = 0, []
    while ready:
        ready.sort(key=lambda index: gates[index][0])
        order.append(ready)
        following = []
        for index in ready:
            for user in users.get(gates[index][2], ()):
                missing[user] -= 1
                if missing[user] == 0:
                    following.append(user)
        ready, depth = following, depth + 1
    assert sum(map(len, order)) == len(gates), "combinational loop, or a net without a driver"
    flat, runs = [], []
    for members in order:
        for index in members:
            if not runs or runs[-1][0] != gates[index][0] or runs[-1][2] == -1:
                runs.append([gates[index][0], len(flat), len(flat)])
            flat.append(gates[index])
            runs[-1][2] = len(flat)
        runs.append([None, len(flat), -1])
    return flat, [run for run in runs if run[0] is not None]


def flatten(modules, top, cells):
    """The flat circuit of module TOP. The part of a cell is the instance in TOP that contains it, or TOP itself."""
    work = _Flattener(modules, cells)
    entry = modules[top]
    bound = {port: [work.new() for _ in value["bits"]] for port, value in entry["ports"].items()}
    has_parts = any(cell["type"] not in cells for cell in entry["cells"].values())
    work.module(top, bound, "" if has_parts else top.removeprefix("weft_"))
    gates, registers = [], []
    for kind, pins, part in work.found:
        cell = cells[kind]
        inputs = [work.root(pins[pin]) for pin in cell.inputs]
        if cell.state:
            registers.append((kind, inputs, {pin: work.root(pins[pin]) for pin in cell.outputs if pin in pins}, part))
        else:
            gates.append((kind, inputs, work.root(pins[next(iter(cell.outputs))]), part))
    ports = {name: [work.root(net) for net in nets] for name, nets in _ports(entry, bound).items()}
    inputs = {work.root(net) for port, nets in bound.items() if entry["ports"][port]["direction"] == "input" for net in nets}
    driven = {net for _, _, outputs, _ in registers for net in outputs.values()} | inputs | {0, 1}
    outputs = {gate[2] for gate in gates}
    floating = {net for gate in gates for net in gate[1]} - driven - outputs
    gates, runs = _ordered(gates, driven | floating)
    parts = sorted({part for *_, part in gates} | {part for *_, part in registers})
    return Circuit(len(work.same), gates, registers, ports, runs, parts)


def write(circuit, kinds, path):
    """Writes the circuit for the simulator as 32-bit numbers. KINDS: number of each cell type."""
    width = 8
    words = [circuit.nets, len(circuit.gates), len(circuit.levels), len(circuit.registers), len(circuit.ports)]
    for kind, first, end in circuit.levels:
        words += [kinds[kind], first, end]
    table = numpy.zeros((len(circuit.gates), width), numpy.int32)
    for index, (_, inputs, output, _) in enumerate(circuit.gates):
        table[index, :len(inputs)] = inputs
        table[index, width - 1] = output
    tail = []
    for kind, inputs, outputs, _ in circuit.registers:
        nets = list(outputs.items())
        row = [kinds[kind], *inputs, *[0] * (4 - len(inputs))]
        pins = list(kinds["pins"][kind])
        row += [dict(nets).get(pins[0], -1), dict(nets).get(pins[1], -1) if len(pins) > 1 else -1]
        tail += row
    names = b""
    for name, nets in circuit.ports.items():
        tail += [len(name), *name.encode(), len(nets), *nets]
    with open(path, "wb") as file:
        file.write(numpy.array(words, numpy.int32).tobytes())
        file.write(table.tobytes())
        file.write(numpy.array(tail, numpy.int32).tobytes())
        file.write(names)
