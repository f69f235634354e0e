// SPDX-License-Identifier: Apache-2.0
/// Invariants of every network that a generator makes.
#pragma once

#include "unit/topology/networks.h"
#include <cmath>
#include <string>
#include <vector>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/metrics.h"

namespace weft {

/// The first defect of \p t on \p vcs VCs, or an empty string if it is complete and free of deadlock and its routes are
/// shortest paths.
inline std::string find_defect(const topology& t, unsigned vcs) {
  const std::string broken = error_of([&] { check_structure(t, vcs); });
  if (!broken.empty()) return broken;
  const std::string cycle = describe_cycle(t, find_dependency_cycle(t, vcs));
  if (!cycle.empty()) return cycle;
  // No route is shorter than the distance, so if the means agree, all routes are shortest paths.
  const topology_metrics f = compute_metrics(t);
  return std::abs(f.mean_route_length - f.mean_distance) < 1e-9 ? "" : "there are detours";
}

/// \p t with the same routes, but on VC 0 alone.
inline topology on_one_vc(topology t) {
  for (route_rule& rule : t.routing) {
    std::vector<route> by_destination;
    for (node_id n = 0; n < t.nodes.size(); ++n) by_destination.push_back({rule.answer({0, 0, n}).port, 1});
    rule = table_rule(by_destination);
  }
  return t;
}

/// For each router, the routers at the end of its channels, in the order of its ports.
inline std::vector<std::vector<router_id>> neighbours(const topology& t) {
  std::vector<std::vector<router_id>> found(t.routers.size());
  for (const channel& c : t.channels) found[c.from.router].push_back(c.to.router);
  return found;
}

/// The routers that \p node is attached to.
inline std::vector<router_id> routers_of_node(const topology& t, node_id node) {
  std::vector<router_id> found;
  for (const port_ref port : t.nodes[node].ports) found.push_back(port.router);
  return found;
}

}  // namespace weft
