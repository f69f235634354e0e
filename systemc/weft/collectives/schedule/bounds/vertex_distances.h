// SPDX-License-Identifier: Apache-2.0
/// Distances from all vertices to all nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// The number of channels on a shortest path from a vertex to a node. Such a path passes through no other node.
class vertex_distances {
 public:
  explicit vertex_distances(const step_network& network) {
    for (node_id n = 0; n < network.nodes(); ++n) m_to.push_back(distances_to(network, n));
  }
  /// Returns the distance, or Unreached if there is no path.
  std::uint32_t operator()(vertex_id from, node_id to) const { return m_to[to][from]; }

 private:
  std::vector<std::vector<std::uint32_t>> m_to;  ///< by node, then by vertex
};

}  // namespace weft::schedule
