#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes area and clock of routers for the examples in examples/explore, a row per router.

    python3 -B synth/router_area.py [shapes|choices]

shapes: router_area.csv, routers by VCs, depth of buffers and pipeline. choices: routers/area_of_*.csv, routers by allocators,
pipeline and buffers. Default: both.

The area covers the parts that depend on these choices: both allocators, synthesized for OSU 0.18 µm, and the registers of
buffers and delay stages with the area of a flip-flop. A router has 5 ports, and flits of 64 bits plus two bits that mark
head and tail. The area excludes parts that all these routers share (crossbar, route computation, output registers), and
small ones (credit counters). The clock is that of the slower allocator; with 3 pipeline cycles, where both work in the same
cycle, it is that of both in sequence. Cut-through adds the area and the time by which weft_vc_allocator grows with it. Only
kinds that have RTL have a row. If synthesis of an allocator does not succeed, column `failure` of its rows has the reason.

The program takes minutes to an hour; earlier results stay in build/synth. It needs the packages of synth/run.sh.
"""

import csv
import io
import itertools
import sys
from dataclasses import dataclass

import flow
import modules
import run
from modules import Case

PORTS = 5
FLIT_BITS = 64 + 2
VCS = (1, 2, 4, 8)
DEPTHS = (2, 4, 8, 16)
PIPELINES = (3, 4, 5)
PLAIN = 4  # pipelines up to this length have registers for flits only in buffers and at outputs
LIMIT = 900  # seconds for each run of Yosys
FOLDER = flow.ROOT / "examples" / "explore"

# Kinds as the configuration writes them, and their names in modules.KINDS.
DEFAULT = "{kind: separable_input_first}"
KINDS = {
    "{kind: separable_input_first, arbiter: matrix}": "input-first, matrix",
    "{kind: separable_output_first}": "output-first",
    "{kind: separable_output_first, arbiter: matrix}": "output-first, matrix",
    "{kind: islip, iterations: 1}": "islip 1",
    "{kind: islip, iterations: 2}": "islip 2",
    "{kind: islip, iterations: 4}": "islip 4",
    "{kind: wavefront}": "wavefront",
    "{kind: wavefront_fair}": "wavefront, fair",
}
# Switch allocators beside the default VC allocator.
FAIR = "{kind: wavefront_fair}"
MIXED = ("{kind: islip, iterations: 2}", "{kind: wavefront}", FAIR)
# VCs and depth of 32 flits at a port, and the width of a packet's length for which cut-through was synthesized.
SHAPES = ((1, 32, None), (2, 16, 5), (4, 8, 4), (8, 4, None))


@dataclass(frozen=True)
class Part:
    """Area and clock period of an allocator."""
    area_um2: float
    period_ns: float


def synthesised(case):
    found = run.synthesise(case, flow.ROOT / "build" / "synth", again=False, look=True)["osu018"]
    run.log(f"{case.name}: {found['area_um2']:,} µm², {found['clock_mhz']} MHz")
    return Part(found["area_um2"], found["period_ns"])


def allocator(part, vcs, kind=DEFAULT):
    """The VC allocator or the switch allocator (PART: "vc", "switch"). The default kind has modules of its own."""
    if kind == DEFAULT:
        return synthesised(Case(f"weft_separable_{part}_allocator", f"{PORTS} ports of {vcs} VCs", 0,
                                {"Ports": PORTS, "Vcs": vcs}, "0"))
    return synthesised(modules.matching(part, KINDS[kind], PORTS, vcs))


def with_cut_through(vc_allocator, vcs, length_bits):
    """The VC allocator, plus what weft_vc_allocator needs more with cut-through than without."""
    shape = {"Ports": PORTS, "Vcs": vcs}
    plain = synthesised(Case("weft_vc_allocator", f"{PORTS} ports of {vcs} VCs", 0, shape, "1"))
    longer = synthesised(Case("weft_vc_allocator", f"{PORTS} ports of {vcs} VCs with cut-through", 0,
                              {**shape, "LengthBits": length_bits}, "1"))
    return Part(vc_allocator.area_um2 + longer.area_um2 - plain.area_um2,
                vc_allocator.period_ns + longer.period_ns - plain.period_ns)


def router(vc_allocator, switch_allocator, vcs, depth, pipeline):
    """Area in mm² and clock in MHz."""
    registers = PORTS * FLIT_BITS * (vcs * depth + max(pipeline - PLAIN, 0))
    area = vc_allocator.area_um2 + switch_allocator.area_um2 + flow.cell_areas()["DFFPOSX1"] * registers
    periods = (vc_allocator.period_ns, switch_allocator.period_ns)
    period = sum(periods) if pipeline < PLAIN else max(periods)
    return f"{area / 1e6:.3f}", f"{1000 / period:.0f}"


def write(name, keys, rows):
    """Writes a table. ROWS: for each router the values of its keys, and a function that returns its area and clock."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow([*keys, "area_mm2", "clock_mhz", "failure"])
    for values, measure in rows:
        try:
            out.writerow([*values, *measure(), ""])
        except flow.Failure as failure:
            run.log(f"{', '.join(map(str, values))}: {failure}")
            out.writerow([*values, "", "", str(failure).split(" (log: ")[0]])
    run.write(FOLDER / name, text.getvalue())


def shapes():
    """router_area.csv"""
    allocators = {vcs: [allocator(part, vcs) for part in ("vc", "switch")] for vcs in VCS}
    lines = [",".join([f"network.router.{key}" for key in ("vcs", "depth", "pipeline")] + ["area_mm2", "clock_mhz"])]
    for vcs, depth, pipeline in itertools.product(VCS, DEPTHS, PIPELINES):
        lines.append(f"{vcs},{depth},{pipeline},{','.join(router(*allocators[vcs], vcs, depth, pipeline))}")
    run.write(FOLDER / "router_area.csv", "\n".join(lines) + "\n")


def choices():
    """routers/area_of_*.csv"""
    def of_kinds(vc_kind, switch_kind):
        return lambda: router(allocator("vc", 4, vc_kind), allocator("switch", 4, switch_kind), 4, 8, 4)

    def of_pipeline(pipeline):
        return lambda: router(allocator("vc", 4), allocator("switch", 4), 4, 8, pipeline)

    def of_shape(vcs, depth, length_bits=None, switch_kind=DEFAULT):
        def measure():
            vc_allocator = allocator("vc", vcs)
            if length_bits is not None:
                vc_allocator = with_cut_through(vc_allocator, vcs, length_bits)
            return router(vc_allocator, allocator("switch", vcs, switch_kind), vcs, depth, 4)
        return measure

    pairs = [(DEFAULT, DEFAULT), *((kind, kind) for kind in KINDS), *((DEFAULT, kind) for kind in MIXED)]
    write("routers/area_of_allocators.csv", ["network.router.vc_allocator", "network.router.switch_allocator"],
          [(pair, of_kinds(*pair)) for pair in pairs])
    write("routers/area_of_pipelines.csv", [f"network.router.{key}" for key in ("pipeline", "lookahead_routing", "speculation")],
          [((pipeline, "false", "none"), of_pipeline(pipeline)) for pipeline in PIPELINES])
    rows = [([f"{{vcs: 2, depth: 16, switch_allocator: {FAIR}}}"], of_shape(2, 16, switch_kind=FAIR))]
    for vcs, depth, length_bits in SHAPES:
        rows.append(([f"{{vcs: {vcs}, depth: {depth}}}"], of_shape(vcs, depth)))
        if length_bits is not None:
            rows.append(([f"{{vcs: {vcs}, depth: {depth}, flow_control: virtual_cut_through}}"],
                         of_shape(vcs, depth, length_bits)))
    write("routers/area_of_buffers.csv", ["network.router"], rows)


def main():
    tables = {"shapes": shapes, "choices": choices}
    chosen = sys.argv[1:] or list(tables)
    if not set(chosen) <= set(tables):
        sys.exit(__doc__)
    run.look_only()
    flow.LIMIT = LIMIT
    for name in chosen:
        tables[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
