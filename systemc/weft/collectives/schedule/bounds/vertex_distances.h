// SPDX-License-Identifier: Apache-2.0
/// Distances from vertices to nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// Number of channels on a shortest path from each vertex to each node that passes through no other node.
class vertex_distances {
 public:
  explicit vertex_distances(const step_network& network) {
    for (node_id n = 0; n < network.nodes(); ++n) m_to.push_back(distances_to(network, n));
  }
  /// topology's Unreached if there is no path.
  std::uint32_t operator()(vertex_id from, node_id to) const { return m_to[to][from]; }

 private:
  std::vector<std::vector<std::uint32_t>> m_to;  ///< by node, then vertex
};

}  // namespace weft::schedule
