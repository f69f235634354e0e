// SPDX-License-Identifier: Apache-2.0
/// Nodes arranged by the coordinates of their routers, as traffic patterns such as tornado need them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// A grid of places with the same number of nodes at each place. The coordinates of place p are p mod shape[0], p /
/// shape[0] mod shape[1], and so on.
struct node_placement {
  std::vector<std::uint32_t> shape;  ///< sides, dimension 0 first; empty: the nodes fill no grid
  std::uint32_t nodes = 1;           ///< at each place
  /// Element p · nodes + i is the i-th node of place p, in the order of node numbers. Empty: nodes are numbered in this
  /// order.
  std::vector<node_id> in_order;

  node_placement() = default;
  node_placement(std::vector<std::uint32_t> sides, std::uint32_t nodes_each = 1,
                 std::vector<node_id> nodes_in_order = {})
      : shape(std::move(sides)), nodes(nodes_each), in_order(std::move(nodes_in_order)) {}

  /// Whether the grid has exactly \p all nodes in total.
  bool is_of(std::uint64_t all) const;
  node_id at(std::uint32_t place, std::uint32_t i) const {
    const std::uint32_t index = place * nodes + i;
    return in_order.empty() ? index : in_order[index];
  }
};

/// Finds the grid that the coordinates of the routers of \p t form, whatever the channels are. Returns an empty grid
/// unless there is exactly one router at every coordinate, all routers have the same number of nodes, and each node is
/// attached to one router.
node_placement find_node_placement(const topology& t);

}  // namespace weft
