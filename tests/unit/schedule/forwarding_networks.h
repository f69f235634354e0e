// SPDX-License-Identifier: Apache-2.0
/// Store-and-forward problems for tests.
#pragma once

#include "networks.h"
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"

namespace weft::schedule {

using collective_kind = forwarding_collective;

/// A one-way ring of \p nodes nodes.
inline link_graph one_way(std::uint32_t nodes) {
  link_graph graph{"one-way ring", nodes, {}, {}};
  for (node_id n = 0; n < nodes; ++n) graph.links.push_back({n, (n + 1) % nodes, 1});
  return graph;
}

/// The texts of all violations, for failure messages.
inline std::string violations_of(const forwarding_problem& p, const forwarding_algorithm& a) {
  std::string all;
  for (const forwarding_violation& violation : check_forwarding(p, a)) all += violation.text + "\n";
  return all;
}

}  // namespace weft::schedule
