// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/node_placement.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

/// Sides of the smallest grid that contains all coordinates; empty if routers have none, or different numbers of them.
std::vector<std::uint32_t> sides_of(const topology& t) {
  std::vector<std::uint32_t> sides(t.routers.front().coordinates.size());
  for (const router_info& r : t.routers) {
    if (r.coordinates.size() != sides.size()) return {};
    for (std::size_t d = 0; d < sides.size(); ++d) sides[d] = std::max(sides[d], r.coordinates[d] + 1);
  }
  return std::count(sides.begin(), sides.end(), 0) == 0 ? sides : std::vector<std::uint32_t>();
}

}  // namespace

bool node_placement::is_of(std::uint64_t all) const {
  std::uint64_t product = nodes;
  for (const std::uint32_t side : shape) {
    product *= side;
    if (product > all) return false;  // also prevents overflow
  }
  return !shape.empty() && product == all;
}

node_placement find_node_placement(const topology& t) {
  if (t.routers.empty() || t.nodes.empty()) return {};
  const std::size_t routers = t.routers.size();
  node_placement grid(sides_of(t));
  if (!grid.is_of(routers) || t.nodes.size() % routers != 0) return {};
  std::vector<std::vector<node_id>> at_place(routers);
  std::vector<std::uint32_t> place_of(routers);
  std::vector<bool> taken(routers);
  for (router_id r = 0; r < routers; ++r) {
    std::uint32_t& place = place_of[r];
    for (std::size_t d = grid.shape.size(); d-- > 0;) place = place * grid.shape[d] + t.routers[r].coordinates[d];
    if (taken[place]) return {};
    taken[place] = true;
  }
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    const std::vector<port_ref>& ports = t.nodes[n].ports;
    const auto elsewhere = [&](port_ref p) { return p.router != ports.front().router; };
    if (std::any_of(ports.begin(), ports.end(), elsewhere)) return {};
    at_place[place_of[ports.front().router]].push_back(n);
  }
  grid.nodes = static_cast<std::uint32_t>(t.nodes.size() / routers);
  for (const std::vector<node_id>& nodes : at_place) {
    if (nodes.size() != grid.nodes) return {};
    grid.in_order.insert(grid.in_order.end(), nodes.begin(), nodes.end());
  }
  if (std::is_sorted(grid.in_order.begin(), grid.in_order.end())) grid.in_order.clear();
  return grid;
}

}  // namespace weft
