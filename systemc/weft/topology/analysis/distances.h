// SPDX-License-Identifier: Apache-2.0
/// Distances between routers by breadth-first search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// For each router, the routers at the ends of its outgoing channels.
using neighbour_lists = std::vector<std::vector<router_id>>;

inline neighbour_lists neighbours_of(const topology& t) {
  neighbour_lists neighbours(t.routers.size());
  for (const channel& c : t.channels) neighbours[c.from.router].push_back(c.to.router);
  return neighbours;
}

inline constexpr std::uint32_t Unreached = std::numeric_limits<std::uint32_t>::max();

/// Hops from the nearest of \p starts to each router; Unreached if there is no path.
std::vector<std::uint32_t> hops_from(const neighbour_lists& neighbours, const std::vector<router_id>& starts);

inline std::vector<router_id> routers_of(const node_attachment& node) {
  std::vector<router_id> routers;
  for (const port_ref port : node.ports) routers.push_back(port.router);
  return routers;
}

/// The distance to \p node: the minimum of \p hops over its routers. \p hops is indexed by router.
inline std::uint32_t hops_to(const node_attachment& node, const std::vector<std::uint32_t>& hops) {
  std::uint32_t least = Unreached;
  for (const port_ref port : node.ports) least = std::min(least, hops[port.router]);
  return least;
}

}  // namespace weft
