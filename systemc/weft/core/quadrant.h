// SPDX-License-Identifier: Apache-2.0
/// Shortest distances in a line and in a ring, and the routers on the shortest paths between two routers of a grid.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/division.h"
#include "weft/core/types.h"

namespace weft {

/// Number of hops in the positive direction of a ring, from position \p from to position \p to. Both are below \p size.
inline std::uint32_t hops_up(std::uint32_t from, std::uint32_t to, std::uint32_t size) {
  return to >= from ? to - from : to + size - from;
}
/// Whether the shortest path in a bidirectional ring goes in the negative direction. If both directions are equally
/// short, even positions use one and odd positions the other.
inline bool is_shorter_down(std::uint32_t from, std::uint32_t to, std::uint32_t size) {
  const std::uint32_t up = hops_up(from, to, size);
  return 2 * up == size ? from % 2 != 0 : 2 * up > size;
}

/// The minimal quadrant of a router in a grid, for a destination: the routers on the shortest paths to it. In each
/// dimension, a path takes the direction that dimension-order routing takes. Coordinates and numbers are as in
/// grid_rule.
struct quadrant {
  static constexpr unsigned MaxDimensions = 4;
  using coordinates = std::array<std::uint32_t, MaxDimensions>;

  unsigned dimensions = 0;  ///< 0: there is no grid
  coordinates size;
  coordinates stride;
  coordinates from;    ///< coordinates of the router
  bool rings = false;  ///< rows are bidirectional rings
  unsigned nodes = 1;  ///< nodes at each router

  quadrant() {
    for (unsigned d = 0; d < MaxDimensions; ++d) {
      size[d] = 0;
      stride[d] = 0;
      from[d] = 0;
    }
  }

  /// Number of routers in the quadrant of \p destination, with both its ends, at least 1.
  std::uint64_t count(node_id destination) const {
    std::uint64_t routers = 1;
    for (unsigned d = 0; d < MaxDimensions; ++d)
      if (d < dimensions) routers *= hops(d, coordinate_of(destination, d)) + 1;
    return routers;
  }

  /// Router number \p index, below count(), of the quadrant of \p destination. Number 0 is the router itself.
  router_id router(node_id destination, std::uint64_t index) const {
    auto rest = static_cast<std::uint32_t>(index);
    router_id there = 0;
    for (unsigned d = 0; d < MaxDimensions; ++d) {
      if (d < dimensions) {
        const std::uint32_t to = coordinate_of(destination, d), extent = hops(d, to) + 1;
        const std::uint32_t step = modulo<NodeBits>(rest, extent);
        rest = divide<NodeBits>(rest, extent);
        there += moved(d, to, step) * stride[d];
      }
    }
    return there;
  }

  friend bool operator==(const quadrant& a, const quadrant& b) {
    return a.dimensions == b.dimensions && a.size == b.size && a.stride == b.stride && a.from == b.from &&
           a.rings == b.rings && a.nodes == b.nodes;
  }

 private:
  std::uint32_t coordinate_of(node_id destination, unsigned d) const {
    const router_id router = divide<NodeBits>(destination, nodes);
    const std::uint32_t row = divide<NodeBits>(router, stride[d]);
    return modulo<NodeBits>(row, size[d]);
  }
  bool down(unsigned d, std::uint32_t to) const { return rings ? is_shorter_down(from[d], to, size[d]) : to < from[d]; }
  std::uint32_t hops(unsigned d, std::uint32_t to) const {
    return down(d, to) ? hops_up(to, from[d], size[d]) : hops_up(from[d], to, size[d]);
  }
  /// The coordinate \p steps hops from this router on the way to coordinate \p to.
  std::uint32_t moved(unsigned d, std::uint32_t to, std::uint32_t steps) const {
    const std::uint32_t up = from[d] + (down(d, to) ? size[d] - steps : steps);
    return up >= size[d] ? up - size[d] : up;
  }
};

}  // namespace weft
