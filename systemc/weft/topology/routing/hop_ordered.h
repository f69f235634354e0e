// SPDX-License-Identifier: Apache-2.0
/// Shortest paths on VCs whose numbers rise from hop to hop.
#pragma once

#include <string>

#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/topology.h"

namespace weft {

/// Hops of the longest of the paths in \p ports, at least 1; 255 stands for as many and more.
unsigned hops_of_longest(const topology& t, const port_matrix& ports);

/// Routes \p t by the shortest paths in \p ports: at every hop, a packet takes a higher VC than before (Gopal 1985), so
/// that channels cannot depend on each other in a circle. It takes as many VCs as the longest path has hops; with more,
/// packets may take any VC that leaves one for each hop behind it. The table of a router has a row for each VC.
/// \param why_not_layers begins the message where no router has as many VCs: "shortest paths …"
/// \return the hops of the longest path, at least 1
/// \throws std::invalid_argument where \p vcs are fewer; too_large_to_route where no router has as many
unsigned route_shortest_by_hops(topology& t, unsigned vcs, const port_matrix& ports, const std::string& why_not_layers);

}  // namespace weft
