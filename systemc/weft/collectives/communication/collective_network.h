// SPDX-License-Identifier: Apache-2.0
/// The properties of a network that collective algorithms need: its nodes, their grid, and distances.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft {

struct collective_network {
  std::uint32_t nodes = 0;
  /// The sides of a mesh or torus with one node at every router; node n has the coordinates (n mod k0, n / k0 mod k1,
  /// …). A hypercube is a mesh with sides of 2. Empty for all other networks.
  std::vector<std::uint32_t> shape;
  bool torus = false;  ///< whether every row of the grid is a ring with channels in both directions
  /// If `shape` is empty: the hops (channels between routers) from node u to node v at [u * nodes + v].
  std::vector<std::uint16_t> hops;

  std::uint32_t distance(node_id from, node_id to) const {
    if (shape.empty()) return hops[std::size_t{from} * nodes + to];
    std::uint32_t sum = 0;
    for (const std::uint32_t side : shape) {
      sum += distance_in_row(from % side, to % side, side);
      from /= side;
      to /= side;
    }
    return sum;
  }

  /// Returns the hops between two nodes of one row of the grid, given by their coordinates.
  std::uint32_t distance_in_row(std::uint32_t a, std::uint32_t b, std::uint32_t side) const {
    const std::uint32_t apart = a < b ? b - a : a - b;
    return torus ? std::min(apart, side - apart) : apart;
  }
};

}  // namespace weft
