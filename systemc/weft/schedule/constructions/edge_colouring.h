// SPDX-License-Identifier: Apache-2.0
/// Colouring the edges of a bipartite multigraph (König 1916).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace weft::schedule {

/// A colour for each of \p edges (left vertex, right vertex), such that no two at a vertex have the same; 0…\p colours - 1.
/// \p colours is at least the greatest degree. Takes O(edges · (vertices + colours)) at worst.
std::vector<std::uint32_t> edge_colouring(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges,
                                          std::uint32_t colours);

}  // namespace weft::schedule
