# SPDX-License-Identifier: Apache-2.0
"""Compares routers over the load: how much do virtual channels and a shorter pipeline help?

Run this file with Python, or cell by cell in an editor that supports `# %%`.
"""
# %% The experiment: an 8x8 mesh under transpose traffic
import os

import weft

MEASURE = int(os.environ.get("MEASURE", "10000"))  # cycles of each run
config = {
    "network": {"topology": {"kind": "mesh", "shape": [8, 8]}},
    "workload": {"pattern": "transpose", "length": 5},
    "simulation": {"level": "engine", "warmup": 1000, "measure": MEASURE},
}

# %% Every router at every load; the points run in parallel
sweep = weft.sweep(config, {"workload.injection.load": [0.02, 0.06, 0.1, 0.14, 0.18], "network.router.vcs": [1, 2, 4],
                            "network.router.pipeline": [3, 4]})
print(sweep)

# %% The highest accepted load of each router, in flits per node and cycle
frame = sweep.frame()
print(frame.pivot_table("accepted", "network.router.vcs", "network.router.pipeline", aggfunc="max"))

# %% Latency over load, without loads that the network does not carry
ax = sweep.plot()
ax.set_title("8x8 mesh, transpose traffic")
