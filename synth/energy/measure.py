# SPDX-License-Identifier: Apache-2.0
"""Measures designs in technologies: netlist, simulation, energy, periods.

`measure.py asap7,osu018 [DESIGN,...]` writes build/synth/energy/DESIGN/TECHNOLOGY/points.json.
"""

import json
import sys

import cells
import circuit
import designs
import energy
import netlists
import payloads
import simulate
import technology
import timing


def environment(name):
    """Technology, path of its library, models of its cells, and its simulator."""
    chosen = technology.TECHNOLOGIES[name]
    path, library = technology.library(chosen, netlists.BUILD / "libraries")
    models = cells.models(library)
    return chosen, path, models, simulate.build(chosen, models)


def measure(design, chosen, library, models, program):
    """Events and energies of all scenarios, and static metrics of the parts, of one design in one technology."""
    out = netlists.mapped(design, chosen, library)
    path = out / "points.json"
    if path.exists():
        return json.loads(path.read_text())
    modules = netlists.read(out)
    flat = circuit.flatten(modules, design.top, models)
    circuit.write(flat, simulate.kinds(models), out / "circuit")
    changes, events = simulate.run(program, out / "circuit", out / "changes",
                                   [design.bench, *designs.arguments(design), *payloads.words()])
    costs = energy.Costs(flat, models, chosen)
    parts = energy.static(flat, models, chosen)
    periods = timing.periods(design, modules, chosen, library, out)
    points = [{"events": event, "energy": dict(zip(flat.parts, costs.of(row, event["cycle"]).round(1).tolist()))}
              for event, row in zip(events, changes)]
    found = {"design": design.name, "shape": design.shape, "points": points, "clock_of": costs.clock,
             "whole_period": periods.get("router"),
             "clock": dict(zip(flat.parts, costs.cycle.round(1).tolist())),
             "parts": {name: {**{key: round(value, 4) for key, value in entry.items()}, "period": periods.get(name)}
                       for name, entry in parts.items()}}
    path.write_text(json.dumps(found))
    return found


def main():
    names = sys.argv[1].split(",")
    chosen_designs = sys.argv[2].split(",") if len(sys.argv) > 2 else list(designs.ALL)
    for name in names:
        loaded = environment(name)
        for design in chosen_designs:
            found = measure(designs.ALL[design], *loaded)
            parts = {part: (entry["area"], entry["period"]) for part, entry in found["parts"].items()}
            print(name, design, parts, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
