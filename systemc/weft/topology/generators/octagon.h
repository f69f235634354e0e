// SPDX-License-Identifier: Apache-2.0
/// Generator of Octagons.
#pragma once

#include <cstdint>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct octagon_parameters {
  std::uint32_t routers = 8;   ///< n of each Octagon: a multiple of 4, 8 to 1024; more than 8 is an extended one
  network_options options{};   ///< at least two VCs
  unsigned nodes = 1;          ///< c ≥ 1: nodes at each router; more than 1 is a fat Octagon
  std::uint32_t octagons = 1;  ///< m ≥ 1: connected in a chain; consecutive Octagons share a router
};

/// Makes an Octagon (Karim, Nguyen, Dey 2002; OCTAGON, Fig. 4): a two-way ring of n = 8 routers with additional links
/// between opposite routers. There are three variants: extended to n = 12, 16, …; fat, with several nodes at a router;
/// and a chain of several Octagons, where router n / 2 of each Octagon is router 0 of the next (the bridge nodes of
/// OCTAGON, section 6). A network has up to 2^20 nodes.
///
/// The first Octagon has the routers 0 … n - 1. Every further Octagon has the next n - 1 routers at its positions 1 … n
/// - 1. Router r has the nodes r · c … r · c + c - 1. The ports are "+" and "-" along the ring and "across"; a bridge
/// router also has "+next", "-next" and "across_next" in the next Octagon. The ports to the nodes follow: "local", or
/// "local0", "local1", … The channel that leaves by "+" enters the next router by "-". The coordinates form a square
/// that stands on its corner, with position 0 at the left.
///
/// | metric              | one Octagon                            | m in a chain                       |
/// |---------------------|----------------------------------------|------------------------------------|
/// | routers             | n                                      | m (n - 1) + 1                      |
/// | channels, directed  | 3 n                                    | 3 n m                              |
/// | degree              | 3                                      | 3; bridges 6                       |
/// | diameter            | n / 4                                  | n / 2 + m - 2, m ≥ 2               |
/// | mean distance       | (2 k² + 2 k - 1) / (n - 1), k = n / 4  |                                    |
/// | bisection, each way | 4                                      |                                    |
///
/// The mean distance is over pairs of different routers. In the bisection, every other quarter of the ring is on one
/// side, so that no channel across the ring is cut; halves of adjacent routers cut n / 2 + 2 channels.
///
/// Routing takes the shortest path, which depends on the relative address d = (destination - here) mod n: along the
/// ring if d ≤ n / 4 or d ≥ 3 n / 4; otherwise across first and then along the ring. To another Octagon, a packet takes
/// the shortest path to the bridge. Two VC classes make the routing free of deadlock for any n and m. They are those of
/// ring_routing.h, with router 0 of each Octagon as the joint. A packet goes across in the class that it will use
/// afterwards.
///
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_octagon(const octagon_parameters& parameters);

const topology_kind& octagon_topology();

}  // namespace weft
