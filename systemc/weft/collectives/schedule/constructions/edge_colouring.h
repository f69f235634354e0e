// SPDX-License-Identifier: Apache-2.0
/// Colors the edges of a bipartite multigraph (König 1916).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace weft::schedule {

/// Returns a color in 0…\p colours - 1 for each of \p edges, which are pairs of a left and a right vertex. No two edges
/// at a vertex have the same color. \p colours must be at least the maximum degree. The worst-case time is O(edges ·
/// (vertices + colours)).
std::vector<std::uint32_t> edge_colouring(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges,
                                          std::uint32_t colours);

}  // namespace weft::schedule
