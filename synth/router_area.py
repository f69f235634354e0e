#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes area and clock of routers by VCs, depth of buffers and pipeline: examples/explore/router_area.csv, a row per router.

The area covers the parts that depend on these three: both allocators, synthesized for OSU 0.18 µm, and the registers of
buffers and delay stages with the area of a flip-flop. A router has 5 ports, and flits of 64 bits plus two bits that mark
head and tail. The area excludes parts that all these routers share (crossbar, route computation, output registers), and
small ones (credit counters). The clock is that of the slower allocator; with 3 pipeline cycles, where both work in the same
cycle, it is that of both in sequence. The program takes minutes to an hour; earlier results stay in build/synth. It needs
the packages of synth/run.sh.
"""

import itertools
import sys

import flow
import run
from modules import Case

PORTS = 5
FLIT_BITS = 64 + 2
VCS = (1, 2, 4, 8)
DEPTHS = (2, 4, 8, 16)
PIPELINES = (3, 4, 5)
PLAIN = 4  # pipelines up to this length have registers for flits only in buffers and at outputs
KEYS = ("vcs", "depth", "pipeline")


def synthesised(module, vcs):
    case = Case(module, f"{PORTS} ports of {vcs} VCs", 0, {"Ports": PORTS, "Vcs": vcs}, "0")
    found = run.synthesise(case, flow.ROOT / "build" / "synth", again=False, look=True)["osu018"]
    run.log(f"{case.name}: {found['area_um2']:,} µm², {found['clock_mhz']} MHz")
    return found


def main():
    run.look_only()
    allocators = {vcs: [synthesised(f"weft_separable_{name}_allocator", vcs) for name in ("vc", "switch")] for vcs in VCS}
    bit = flow.cell_areas()["DFFPOSX1"]
    lines = [",".join([f"network.router.{key}" for key in KEYS] + ["area_mm2", "clock_mhz"])]
    for vcs, depth, pipeline in itertools.product(VCS, DEPTHS, PIPELINES):
        registers = PORTS * FLIT_BITS * (vcs * depth + max(pipeline - PLAIN, 0))
        area = sum(found["area_um2"] for found in allocators[vcs]) + bit * registers
        periods = [found["period_ns"] for found in allocators[vcs]]
        period = sum(periods) if pipeline < PLAIN else max(periods)
        lines.append(f"{vcs},{depth},{pipeline},{area / 1e6:.3f},{1000 / period:.0f}")
    run.write(flow.ROOT / "examples" / "explore" / "router_area.csv", "\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
