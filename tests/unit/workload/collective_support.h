// SPDX-License-Identifier: Apache-2.0
/// What the tests of collectives share.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/topology/topology.h"
#include "weft/workload/collective/collective_network.h"
#include "weft/workload/collective/collective_parameters.h"

namespace weft {

/// A mesh or a torus.
collective_network grid_network(std::vector<std::uint32_t> shape, bool torus = false);

/// A network given by its channels from node to node, which run one way.
collective_network graph_network(std::uint32_t nodes, const std::vector<std::pair<node_id, node_id>>& channels);

/// A router for each node, and a channel where two nodes are one hop apart.
topology topology_of(const collective_network& network);

/// Eight nodes in a ring, each joined to the one opposite.
collective_network octagon_network();

/// A collective and the network it runs on, both random; make_collective() takes every one of them.
struct collective_case {
  collective_network network;
  collective_parameters parameters;
};
/// Inside a rapidcheck property only. \param last operation that may be drawn
collective_case random_case(collective_operation last = collective_operation::AllReduce);

}  // namespace weft
