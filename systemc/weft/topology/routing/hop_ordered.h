// SPDX-License-Identifier: Apache-2.0
/// Shortest paths on VCs whose numbers increase with every hop.
#pragma once

#include <string>

#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/topology.h"

namespace weft {

/// Shortest paths that form a tree to each node.
/// \throws std::invalid_argument if a node cannot be reached
port_matrix shortest_ports(const topology& t, path_weight weight = path_weight::Hops);

/// Number of hops of the longest path in \p ports, at least 1. Values above 255 are given as 255.
unsigned hops_of_longest(const topology& t, const port_matrix& ports);

/// Routes \p t by the shortest paths in \p ports. At every hop a packet takes a higher VC than before (Gopal 1985), so
/// channels cannot depend on each other in a cycle. The routing needs as many VCs as the longest path has hops. With
/// more VCs, a packet may take any VC that leaves one for each remaining hop. The table of a router has a row for each
/// VC.
/// \param why_not_layers beginning of the error message if no router can have as many VCs: "shortest paths …"
/// \return the number of hops of the longest path, at least 1
/// \throws std::invalid_argument if \p vcs is less than this number; too_large_to_route if it exceeds MaxVcs
unsigned route_shortest_by_hops(topology& t, unsigned vcs, const port_matrix& ports, const std::string& why_not_layers);

/// The same with the paths of shortest_ports().
unsigned route_shortest_by_hops(topology& t, unsigned vcs);

}  // namespace weft
