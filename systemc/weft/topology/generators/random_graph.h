// SPDX-License-Identifier: Apache-2.0
/// Generator of random regular graphs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct random_graph_parameters {
  std::uint32_t routers = 16;  ///< 2…2^20
  unsigned degree = 4;         ///< links of each router, 1 ≤ degree < routers; routers · degree is even
  unsigned nodes = 1;          ///< at each router, ≥ 1
  std::uint64_t seed = 1;
  network_options options{};
};

/// Makes a random connected graph in which every router has the same number of links, without loops and without two
/// links between the same routers (COMPRESS: degree 4, 16 and 64 nodes). The same seed gives the same graph on every
/// machine. The routing is that of route_up_down().
///
/// A link is two channels between the same two ports. The ports are "link0", "link1", … in the order of the neighbors'
/// numbers, followed by "local", or "local0", "local1", …, for the nodes. Node n is at router n / nodes. If routers
/// times nodes exceeds MaxTableEntries, routers are numbered in depth-first order of a breadth-first search tree, which
/// makes the tables of route_up_down() from router 0 short.
///
/// Source: Steger and Wormald, "Generating random regular graphs quickly" (1999): the generator repeatedly connects two
/// random free ends of different routers that are not connected yet. If no such pair is left, or the graph is not
/// connected, it starts again.
///
/// \throws std::invalid_argument, which names the wrong parameter; the exceptions of route_up_down()
topology make_random_graph(const random_graph_parameters& parameters);

/// Makes the graph of make_random_graph() without routing, for the other functions of routing_tables.h.
topology make_random_graph_unrouted(const random_graph_parameters& parameters);

const topology_kind& random_topology();

}  // namespace weft
