// SPDX-License-Identifier: Apache-2.0
/// The groups of hierarchical collectives, with their nodes and intermediates.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/broadcast_tree.h"
#include "weft/collectives/communication/intermediates.h"

namespace weft {

/// Splits a row into groups of \p size nodes. The last group may be smaller.
row_split split_row(std::uint32_t side, std::uint32_t size);

/// Returns the number of the group that contains \p coordinate.
std::uint32_t group_of(const row_split& splits, std::uint32_t coordinate);

/// Returns the counterpart of \p coordinate in \p group. It has the same offset from the start of its group, modulo the
/// size of the group if that is smaller.
std::uint32_t counterpart_in_row(const row_split& splits, std::uint32_t group, std::uint32_t coordinate);

/// A set of nodes that is divided into groups.
struct node_groups {
  std::vector<node_grid> groups;
  std::vector<std::uint32_t> intermediates;  ///< for each group, the index of its intermediate in the group
  node_grid between;                         ///< the set of all intermediates
  std::vector<std::uint32_t> group_of;       ///< for each node of the set, its group
  std::vector<std::uint32_t> index_of;       ///< for each node of the set, its index in its group

  std::uint32_t size() const { return static_cast<std::uint32_t>(groups.size()); }

  /// Returns the index in \p group of the counterpart of the node at \p index in group \p other.
  std::uint32_t counterpart(std::uint32_t group, std::uint32_t other, std::uint32_t index) const;
};

/// Makes groups of a given shape; \p p determines the intermediates.
/// \param shape sides of a group, as in collective_parameters::group
node_groups make_groups(const node_grid& set, const std::vector<std::uint32_t>& shape, const collective_parameters& p,
                        const collective_network& network);
/// Makes groups from lists of nodes; \p p determines the intermediates.
/// \param lists for each group, the indices of its nodes in \p set
node_groups make_groups(const node_grid& set, const std::vector<std::vector<std::uint32_t>>& lists,
                        const collective_parameters& p, const collective_network& network);

/// Returns the boundaries of the groups in each dimension of a grid.
std::vector<row_split> split_rows(const std::vector<std::uint32_t>& sides, const std::vector<std::uint32_t>& shape);

}  // namespace weft
