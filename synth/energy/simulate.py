# SPDX-License-Identifier: Apache-2.0
"""Builds the simulator for a technology and runs it: changes of every net, and events, for each scenario."""

import subprocess

import numpy

import flow
from netlists import BUILD, HERE

SCENARIOS = 16


def kinds(cells):
    """Number of each cell type, and output pins of the flip-flops."""
    found = {name: index for index, name in enumerate(sorted(cells))}
    found["pins"] = {name: list(cell.outputs) for name, cell in cells.items() if cell.state}
    return found


def _functions(cells):
    """C++ of evaluate() and clock()."""
    numbers = kinds(cells)
    lines = ['#include "simulator.h"', "namespace energy {", "void circuit::evaluate() {",
             "  const uint64_t* v = m_value.data();", "  for (const run_of_gates& run : m_runs) {", "    const int* g = &m_gates[run.first * GateWidth];",
             "    const int* end = &m_gates[0] + run.end * GateWidth;", "    switch (run.type) {"]
    for name, cell in sorted(cells.items()):
        if not cell.state:
            arguments = " ".join(f"const uint64_t a{i} = v[g[{i}]];" for i in range(len(cell.inputs)))
            lines.append(f"      case {numbers[name]}: for (; g != end; g += GateWidth) {{ {arguments} "
                         f"set(g[GateWidth - 1], {next(iter(cell.outputs.values()))}); }} break;")
    lines += ["      default: std::abort();", "    }", "  }", "}", "void circuit::clock() {",
              "  const uint64_t* v = m_value.data();", "  for (std::size_t i = 0; i < m_state.size(); i++) {",
              "    const int* r = &m_registers[i * RegisterWidth];",
              "    const uint64_t a0 = v[r[1]], a1 = v[r[2]], a2 = v[r[3]];", "    (void)a1; (void)a2;", "    switch (r[0]) {"]
    registers = [(name, cell) for name, cell in sorted(cells.items()) if cell.state]
    for name, cell in registers:
        following, clear, preset = cell.state
        lines.append(f"      case {numbers[name]}: m_next[i] = (({following}) & ~({clear})) | ({preset}); break;")
    lines += ["      default: std::abort();", "    }", "  }", "  for (std::size_t i = 0; i < m_state.size(); i++) {",
              "    const int* r = &m_registers[i * RegisterWidth];", "    const uint64_t s = m_state[i] = m_next[i];",
              "    switch (r[0]) {"]
    for name, cell in registers:
        sets = " ".join(f"if (r[{5 + index}] >= 0) set(r[{5 + index}], {function});"
                        for index, function in enumerate(cell.outputs.values()))
        lines.append(f"      case {numbers[name]}: {sets} break;")
    return "\n".join([*lines, "    }", "  }", "}", "}  // namespace energy", ""])


def build(technology, cells):
    """Path of the simulator of a technology."""
    out = BUILD / "simulators"
    out.mkdir(parents=True, exist_ok=True)
    source, program = out / f"{technology.name}.cpp", out / technology.name
    text = _functions(cells)
    sources = [*HERE.glob("*.h"), *HERE.glob("*.cpp")]
    newest = max(path.stat().st_mtime for path in sources)
    if not program.exists() or source.read_text() != text or program.stat().st_mtime < newest:
        source.write_text(text)
        command = ["c++", "-std=c++17", "-O2", f"-I{HERE}", source, *HERE.glob("*.cpp"), "-o", program]
        flow.run_tool(f"c++, {technology.name}", command, out / f"{technology.name}.log", 600)
    return program


def run(program, circuit_path, out, arguments):
    """Changes of every net by scenario, the events by scenario, and the number of cycles of a scenario."""
    command = [str(part) for part in (program, circuit_path, out, *arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=program.parent)
    if done.returncode != 0:
        raise flow.Failure(f"{program}: {done.stderr.strip()}")
    events = [dict(zip(line.split()[::2], map(int, line.split()[1::2]))) for line in done.stdout.splitlines()]
    changes = numpy.fromfile(out, numpy.int32).reshape(SCENARIOS, -1)
    return changes, events
