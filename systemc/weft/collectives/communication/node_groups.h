// SPDX-License-Identifier: Apache-2.0
/// The groups of hierarchical collectives: their nodes and intermediates.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/broadcast_tree.h"
#include "weft/collectives/communication/intermediates.h"

namespace weft {

/// Splits a row into groups of \p size nodes; the last one may be smaller.
row_split split_row(std::uint32_t side, std::uint32_t size);

/// Number of the group that contains \p coordinate.
std::uint32_t group_of(const row_split& splits, std::uint32_t coordinate);

/// The counterpart of \p coordinate in \p group: at the same offset from the start of its group, modulo the size of a
/// smaller group.
std::uint32_t counterpart_in_row(const row_split& splits, std::uint32_t group, std::uint32_t coordinate);

/// A set of nodes in groups.
struct node_groups {
  std::vector<node_grid> groups;
  std::vector<std::uint32_t> intermediates;  ///< for each group, the index of its intermediate in the group
  node_grid between;                         ///< the intermediates
  std::vector<std::uint32_t> group_of;       ///< for each node of the set, its group
  std::vector<std::uint32_t> index_of;       ///< for each node of the set, its index in its group

  std::uint32_t size() const { return static_cast<std::uint32_t>(groups.size()); }

  /// Index in \p group of the counterpart of the node at \p index of group \p other.
  std::uint32_t counterpart(std::uint32_t group, std::uint32_t other, std::uint32_t index) const;
};

/// Makes groups; \p p determines the intermediates.
/// \param shape sides of a group, as in collective_parameters::group
node_groups make_groups(const node_grid& set, const std::vector<std::uint32_t>& shape, const collective_parameters& p,
                        const collective_network& network);
/// \param lists for each group, indices into \p set
node_groups make_groups(const node_grid& set, const std::vector<std::vector<std::uint32_t>>& lists,
                        const collective_parameters& p, const collective_network& network);

/// The group boundaries in each dimension of a grid.
std::vector<row_split> split_rows(const std::vector<std::uint32_t>& sides, const std::vector<std::uint32_t>& shape);

}  // namespace weft
