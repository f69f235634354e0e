// SPDX-License-Identifier: Apache-2.0
/// Generator of flattened butterflies.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct flattened_butterfly_parameters {
  std::vector<std::uint32_t> shape{4, 4};  ///< routers: 1 to 4 sides, each ≥ 1, x first
  network_options options{};
  unsigned nodes = 1;     ///< c ≥ 1: nodes at each router
  bool adaptive = false;  ///< any dimension that differs, with dimension order as escape; otherwise dimension order
};

/// Makes a flattened butterfly (Kim, Dally, Abts 2007), which is also called HyperX (Ahn et al. 2009) or Hamming graph:
/// a grid in which every router has a channel to each other router of its row in each dimension. With one dimension,
/// all routers are connected with each other.
///
/// Coordinates are numbered as in a grid. The ports of dimension x come first, then those of y, z and w: port "x3"
/// leads to the router with x = 3 in the same row. The ports to the nodes follow: "local", or "local0", "local1", …
///
/// | metric              | value                                        |
/// |---------------------|----------------------------------------------|
/// | routers             | R = Π k_d                                    |
/// | channels, directed  | R Σ (k_d - 1)                                |
/// | degree              | Σ (k_d - 1)                                  |
/// | diameter            | number of dimensions with k_d > 1            |
/// | mean distance       | Σ (1 - 1 / k_d) · R / (R - 1), between routers |
/// | bisection, each way | R / 4 · min k_d over even k_d, if all sides are equal and even |
///
/// Dimension order takes at most one hop in each dimension and needs one VC. Adaptive routing takes the dimensions in
/// any order on VCs 1, 2, …, and dimension order on VC 0.
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_flattened_butterfly(const flattened_butterfly_parameters& parameters);

const topology_kind& flattened_butterfly_topology();

}  // namespace weft
