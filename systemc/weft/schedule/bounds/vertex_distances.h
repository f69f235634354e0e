// SPDX-License-Identifier: Apache-2.0
/// How far nodes are from routers.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/schedule/step_network.h"

namespace weft::schedule {

/// Channels on a shortest path through no node from each vertex to each node.
class vertex_distances {
 public:
  explicit vertex_distances(const step_network& network) {
    for (node_id n = 0; n < network.nodes(); ++n) m_to.push_back(distances_to(network, n));
  }
  /// topology's Unreached where there is no path.
  std::uint32_t operator()(vertex_id from, node_id to) const { return m_to[to][from]; }

 private:
  std::vector<std::vector<std::uint32_t>> m_to;  ///< by node, by vertex
};

}  // namespace weft::schedule
