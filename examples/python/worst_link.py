# SPDX-License-Identifier: Apache-2.0
"""Finds the worst link of a network from networkx, and doubles it.

Run this file with Python, or cell by cell in an editor that supports `# %%`.
"""
# %% Two rings of eight routers, connected by one bridge
import os

import networkx
import weft

MEASURE = int(os.environ.get("MEASURE", "10000"))  # cycles of the run
graph = networkx.MultiGraph(networkx.disjoint_union(networkx.cycle_graph(8), networkx.cycle_graph(8)))
graph.add_edge(0, 8, cycles=2)

config = {"workload": {"injection": {"load": 0.05}},
          "simulation": {"level": "engine", "warmup": 1000, "measure": MEASURE}}
network = weft.Network.from_networkx(graph, config, routing="shortest")
print(network, "-", network.metrics["diameter"], "hops")

# %% The link with the highest expected load limits the throughput
worst = network.links[network.loads.argmax()]
print("worst link: router", worst["from_router"], "to router", worst["to_router"])
before = network.metrics["ideal_throughput"]

# %% A second bridge
graph.add_edge(int(worst["from_router"]), int(worst["to_router"]), cycles=2)
doubled = weft.Network.from_networkx(graph, config, routing="shortest")
after = doubled.metrics["ideal_throughput"]
print(f"ideal throughput: {before:.3f} flits/node/cycle with one bridge, {after:.3f} with two")

# %% A run confirms that the network carries this load
print(weft.run(doubled.config))
