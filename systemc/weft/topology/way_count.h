// SPDX-License-Identifier: Apache-2.0
/// How many ways the sources of a network choose from.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/topology/topology.h"

namespace weft {

/// The ways that the sources of \p t draw or look up are below this, 1 and more. Without source routing and programmes,
/// whose ways are paths.
inline std::uint64_t count_ways(const topology& t) {
  std::uint64_t count = 1;
  for (const node_attachment& node : t.nodes) {
    count = std::max(count, node.ways.count);
    for (const std::uint64_t way : node.ways.by_destination) count = std::max(count, way + 1);
  }
  return count;
}

}  // namespace weft
