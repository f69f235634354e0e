// SPDX-License-Identifier: Apache-2.0
/// Counts the path ids that the sources of a network select from.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/topology/topology.h"

namespace weft {

/// One more than the highest path id that sources of \p t draw or look up, at least 1. Source routing and send
/// sequences do not count, because their path ids encode whole paths.
inline std::uint64_t count_path_ids(const topology& t) {
  std::uint64_t count = 1;
  for (const node_attachment& node : t.nodes) {
    count = std::max(count, node.path_ids.count);
    for (const std::uint64_t path_id : node.path_ids.by_destination) count = std::max(count, path_id + 1);
  }
  return count;
}

}  // namespace weft
