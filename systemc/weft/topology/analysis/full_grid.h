// SPDX-License-Identifier: Apache-2.0
/// Grids among networks: their figures are known without a search.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// A whole grid, of which every router has equally many nodes.
struct full_grid {
  enum class side : std::uint8_t { Line, Ring, OneWayRing };

  std::vector<std::uint32_t> size;                        ///< of each dimension
  std::vector<side> sides;                                ///< what the routers of a row form
  std::size_t nodes = 1;                                  ///< at each router
  std::vector<std::vector<std::uint32_t>> coordinates{};  ///< of each router

  /// Hops between the routers that are farthest apart.
  std::uint32_t diameter() const;
  /// Hops between two routers, mean over all ordered pairs, equal ones included.
  double mean_distance() const;
};

/// \p t as a grid, or nothing unless its channels are just those of one. A hypercube is a mesh with sides of 2, whose
/// coordinates are the bits of the router's number.
std::optional<full_grid> recognise_grid(const topology& t);

}  // namespace weft
