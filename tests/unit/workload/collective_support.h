// SPDX-License-Identifier: Apache-2.0
/// What the tests of collectives share.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weft/topology/topology.h"
#include "weft/workload/collective/collective_bounds.h"
#include "weft/workload/collective/collective_hops.h"
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

/// What was drawn, for RC_LOG.
std::string described(const collective_case& c);

/// The lower bounds of a collective on a network of routers that topology_of() gives.
collective_floors bounds_of(const collective_parameters& p, const collective_network& network);

/// Hops of the step of that name; of all steps where there is none.
std::uint64_t hops_of(const std::vector<collective_count>& counts, const std::string& step);

}  // namespace weft
