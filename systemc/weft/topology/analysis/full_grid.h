// SPDX-License-Identifier: Apache-2.0
/// Recognizes full grids, for which metrics can be computed by formulas.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// A complete grid with the same number of nodes at every router.
struct full_grid {
  enum class side : std::uint8_t { Line, Ring, OneWayRing };

  std::vector<std::uint32_t> size;                        ///< of each dimension
  std::vector<side> sides;                                ///< how the routers of a row are connected
  std::size_t nodes = 1;                                  ///< at each router
  std::vector<std::vector<std::uint32_t>> coordinates{};  ///< of each router

  /// Hops between the two routers that are farthest apart.
  std::uint32_t diameter() const;
  /// Mean hops between two routers over all ordered pairs, including pairs of a router with itself.
  double mean_distance() const;
};

/// Returns \p t as a grid if its channels are exactly those of a grid, otherwise nothing. A hypercube is a mesh with
/// sides of 2, whose coordinates are the bits of the router's number.
std::optional<full_grid> recognise_grid(const topology& t);

}  // namespace weft
