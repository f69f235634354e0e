// SPDX-License-Identifier: Apache-2.0
/// Generator of Slim Flies.
#pragma once

#include <cstdint>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct slim_fly_parameters {
  std::uint32_t order = 5;    ///< q: 3, 4, 5, 7, 8 or 9
  network_options options{};  ///< at least two VCs
  unsigned nodes = 1;         ///< p ≥ 1: nodes at each router
};

/// Makes a Slim Fly (Besta and Hoefler 2014): the graph of McKay, Miller and Širáň (1998) on 2 q² routers, in which any
/// two routers are at most two hops apart. q = 4 w + d is a prime power, and d is -1, 0 or 1.
///
/// All calculations are in the field of q elements, which are numbered 0 … q - 1. Router (s, x, y) of half s has the
/// number s · q² + x · q + y. With a primitive element ξ, the sets X and X' are
///
/// | d  | X                                           | X'                                      |
/// |----|---------------------------------------------|-----------------------------------------|
/// | 1  | 1, ξ², ξ⁴, …, ξ^(q-3)                       | ξ, ξ³, …, ξ^(q-2)                       |
/// | 0  | 1, ξ², ξ⁴, …, ξ^(q-2)                       | ξ, ξ³, …, ξ^(q-1)                       |
/// | -1 | 1, ξ², …, ξ^(2w-2), ξ^(2w-1), ξ^(2w+1), …, ξ^(4w-3) | ξ, ξ³, …, ξ^(2w-1), ξ^(2w), ξ^(2w+2), …, ξ^(4w-2) |
///
/// Routers (0, x, y) and (0, x, y') are connected if y - y' is in X, routers (1, m, c) and (1, m, c') if c - c' is in
/// X', and routers (0, x, y) and (1, m, c) if y = m · x + c.
///
/// The ports "link0", "link1", … lead to the neighbors in the order of their numbers. The ports to the nodes follow.
///
/// | metric              | value          |
/// |---------------------|----------------|
/// | routers             | 2 q²           |
/// | degree              | (3 q - d) / 2  |
/// | channels, directed  | q² (3 q - d)   |
/// | diameter            | 2              |
///
/// Routing takes shortest paths. A packet uses a higher VC on its second hop than on its first, so two VCs are enough.
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_slim_fly(const slim_fly_parameters& parameters);

const topology_kind& slim_fly_topology();

}  // namespace weft
