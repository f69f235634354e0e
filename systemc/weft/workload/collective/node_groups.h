// SPDX-License-Identifier: Apache-2.0
/// The groups of hierarchical collectives: which nodes are in them, and which node is the intermediate of each.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/workload/collective/broadcast_tree.h"
#include "weft/workload/collective/intermediates.h"

namespace weft {

/// Groups of \p size nodes; the last one may be smaller.
row_cuts cut_row(std::uint32_t side, std::uint32_t size);

/// Number of the group that \p coordinate belongs to.
std::uint32_t group_of(const row_cuts& cuts, std::uint32_t coordinate);

/// The coordinate in \p group that stands for \p coordinate: at the same distance from the beginning of its group,
/// counted round where the group is smaller.
std::uint32_t counterpart_in_row(const row_cuts& cuts, std::uint32_t group, std::uint32_t coordinate);

/// A set of nodes in groups.
struct node_groups {
  std::vector<node_grid> groups;
  std::vector<std::uint32_t> intermediates;  ///< of each group, its index in it
  node_grid between;                         ///< the intermediates themselves
  std::vector<std::uint32_t> group_of;       ///< of the nodes of the set, by index
  std::vector<std::uint32_t> index_of;       ///< their indices in their groups

  std::uint32_t size() const { return static_cast<std::uint32_t>(groups.size()); }

  /// Index in \p group of the node that stands for the one at \p index of group \p other.
  std::uint32_t counterpart(std::uint32_t group, std::uint32_t other, std::uint32_t index) const;
};

/// Intermediates are placed as \p p says.
/// \param shape sides of a group, as collective_parameters::group
node_groups make_groups(const node_grid& set, const std::vector<std::uint32_t>& shape, const collective_parameters& p,
                        const collective_network& network);
/// \param lists indices in \p set by group
node_groups make_groups(const node_grid& set, const std::vector<std::vector<std::uint32_t>>& lists,
                        const collective_parameters& p, const collective_network& network);

/// The cuts of all dimensions of a grid.
std::vector<row_cuts> cut_rows(const std::vector<std::uint32_t>& sides, const std::vector<std::uint32_t>& shape);

}  // namespace weft
