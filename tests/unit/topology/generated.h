// SPDX-License-Identifier: Apache-2.0
/// What holds of every network that a generator makes.
#pragma once

#include "unit/topology/networks.h"
#include <cmath>
#include <string>
#include <vector>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/figures.h"

namespace weft {

/// What is wrong with \p t on \p vcs VCs; nothing if it is whole and free of deadlock, and its routes are shortest
/// paths.
inline std::string flaw_of(const topology& t, unsigned vcs) {
  const std::string broken = error_of([&] { check_structure(t, vcs); });
  if (!broken.empty()) return broken;
  const std::string cycle = describe_cycle(t, find_dependency_cycle(t, vcs));
  if (!cycle.empty()) return cycle;
  // No route is shorter than the distance; so if their means agree, all of them do.
  const topology_figures f = compute_figures(t);
  return std::abs(f.mean_route_length - f.mean_distance) < 1e-9 ? "" : "there are detours";
}

/// \p t, routed as before but on VC 0 alone.
inline topology on_one_vc(topology t) {
  for (route_rule& rule : t.routing) {
    std::vector<route> by_destination;
    for (node_id n = 0; n < t.nodes.size(); ++n) by_destination.push_back({rule.answer({0, 0, n}).port, 1});
    rule = table_rule(by_destination);
  }
  return t;
}

/// Routers by the channels that leave a router, in the order of its ports.
inline std::vector<std::vector<router_id>> neighbours(const topology& t) {
  std::vector<std::vector<router_id>> found(t.routers.size());
  for (const channel& c : t.channels) found[c.from.router].push_back(c.to.router);
  return found;
}

/// Routers that \p node is joined to.
inline std::vector<router_id> routers_of_node(const topology& t, node_id node) {
  std::vector<router_id> found;
  for (const port_ref port : t.nodes[node].ports) found.push_back(port.router);
  return found;
}

}  // namespace weft
