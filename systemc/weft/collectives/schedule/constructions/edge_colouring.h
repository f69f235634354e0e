// SPDX-License-Identifier: Apache-2.0
/// Coloring of the edges of a bipartite multigraph (König 1916).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace weft::schedule {

/// Assigns each of \p edges (left vertex, right vertex) a color in 0…\p colours - 1, so that no two edges at a vertex
/// have the same color. \p colours must be at least the maximum degree. Worst-case time is O(edges · (vertices +
/// colours)).
std::vector<std::uint32_t> edge_colouring(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges,
                                          std::uint32_t colours);

}  // namespace weft::schedule
