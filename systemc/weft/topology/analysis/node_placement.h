// SPDX-License-Identifier: Apache-2.0
/// Nodes by coordinates: what traffic patterns such as tornado go by.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// A grid with equally many nodes at each place. Place p has coordinate p mod shape[0], p / shape[0] mod shape[1], …
struct node_placement {
  std::vector<std::uint32_t> shape;  ///< sides, dimension 0 first; empty: the nodes fill no grid
  std::uint32_t nodes = 1;           ///< at each place
  /// Element p · nodes + i is node i of place p, lowest number first; empty: nodes are in this order.
  std::vector<node_id> in_order;

  node_placement() = default;
  node_placement(std::vector<std::uint32_t> sides, std::uint32_t nodes_each = 1,
                 std::vector<node_id> nodes_in_order = {})
      : shape(std::move(sides)), nodes(nodes_each), in_order(std::move(nodes_in_order)) {}

  /// Whether \p all nodes fill it.
  bool is_of(std::uint64_t all) const;
  node_id at(std::uint32_t place, std::uint32_t i) const {
    const std::uint32_t index = place * nodes + i;
    return in_order.empty() ? index : in_order[index];
  }
};

/// The grid of the coordinates of \p t's routers, whatever its channels. No grid unless exactly one router is at all
/// coordinates up to the highest, and all routers have equally many nodes, each of one router.
node_placement find_node_placement(const topology& t);

}  // namespace weft
