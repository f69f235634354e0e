# SPDX-License-Identifier: Apache-2.0
"""Advances a simulation step by step, and sends a burst of packets into the background traffic.

Run this file with Python, or cell by cell in an editor that supports `# %%`.
"""
# %% Background traffic in an 8x8 mesh
import os
from typing import Any, List

import numpy as np
import weft

MEASURE = int(os.environ.get("MEASURE", "10000"))  # cycles
sim = weft.Simulation({"network": {"topology": {"shape": [8, 8]}},
                       "workload": {"injection": {"load": 0.15}, "length": 4},
                       "simulation": {"warmup": 0, "measure": MEASURE}})

# %% Observers receive events in batches, as structured arrays
batches: List[Any] = []
sim.on_deliveries(batches.append)
sim.step(MEASURE // 2)
print(sim, sim.totals)

# %% A burst: every node of the first row sends a packet to the last node
burst = [sim.inject(node, 63, flits=16) for node in range(8)]
sim.step(MEASURE // 2)

# %% Latency of the burst beside that of all packets, in cycles
rows = np.concatenate(batches)
latencies = rows["cycle"] - rows["created"]
of_burst = latencies[np.isin(rows["packet"], burst)]
print(f"all packets: {latencies.mean():.1f} cycles; burst: {of_burst.mean():.1f} cycles")

# %% The result so far has all statistics of a run
print(sim.result())
