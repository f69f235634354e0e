// SPDX-License-Identifier: Apache-2.0
/// Shared parts of the tests of collectives.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weft/collectives/communication/collective_bounds.h"
#include "weft/collectives/communication/collective_hops.h"
#include "weft/collectives/communication/collective_network.h"
#include "weft/topology/topology.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// A mesh or a torus.
collective_network grid_network(std::vector<std::uint32_t> shape, bool torus = false);

/// A network described by its one-way channels between nodes.
collective_network graph_network(std::uint32_t nodes, const std::vector<std::pair<node_id, node_id>>& channels);

/// A router for each node, and a channel between nodes that are one hop apart.
topology topology_of(const collective_network& network);

/// Eight nodes in a ring; each is also joined to the opposite node.
collective_network octagon_network();

/// A random collective on a random network. make_collective() accepts every such pair.
struct collective_case {
  collective_network network;
  collective_parameters parameters;
};
/// Only inside RapidCheck properties. \param last last operation that may be drawn
collective_case random_case(collective_operation last = collective_operation::AllReduce);

/// The drawn case, for RC_LOG.
std::string described(const collective_case& c);

/// The lower bounds of a collective on the network of routers from topology_of().
collective_floors bounds_of(const collective_parameters& p, const collective_network& network);

/// The hops of the step with this name; those of all steps if there is none.
std::uint64_t hops_of(const std::vector<collective_count>& counts, const std::string& step);

}  // namespace weft
