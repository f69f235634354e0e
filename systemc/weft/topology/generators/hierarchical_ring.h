// SPDX-License-Identifier: Apache-2.0
/// Generator of hierarchical rings.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct hierarchical_ring_parameters {
  std::vector<std::uint32_t> sizes{4, 4};  ///< members of a ring of level 0, 1, …; each 2 to 1024
  network_options options{};               ///< at least two VCs
  bool one_way = false;                    ///< channels in the + direction only
  ring_representative representative = ring_representative::Same;
  unsigned nodes = 1;  ///< c ≥ 1: nodes at each router
};

/// Makes hierarchical rings (RINGS, Fig. 2: sizes [4, 4] and [4, 4, 4]). Basic rings have s0 routers each. A ring of
/// level 1 connects the representatives of s1 basic rings, a ring of level 2 the representatives of s2 such parts, and
/// so on. A network has up to 2^20 nodes.
///
/// Let S_l = s0 · … · s_{l-1}. Router r has the position r / S_l mod s_l in its ring of level l, or in the ring of
/// level l to which its part belongs, and the nodes r · c … r · c + c - 1. The first S_l routers are a part. Its
/// representative in the ring of level l is router 0, or, with ring_representative::Corner and l ≥ 2, router s0 / 2 +
/// S_1 + … + S_{l-2}. The latter is half way round its basic ring and represents nothing else. The representatives of
/// the other parts have the same positions in their parts.
///
/// A router has the ports +l and -l for each level l with a ring that contains it, lowest level first. The ports to the
/// nodes follow: "local", or "local0", "local1", … The channel that leaves by +l enters the next member by -l. Rings of
/// two members have two channels in each direction. Coordinates are for drawings: rings are folded into two rows, and
/// parts are mirrored so that representatives face each other. With sizes [4, 4, 4] and corners, all channels connect
/// neighbors in a plane.
///
/// | metric              | two-way                                         | one-way                                  |
/// |---------------------|-------------------------------------------------|------------------------------------------|
/// | routers             | s0 · s1 · … = R                                 | the same                                 |
/// | channels, directed  | 2 Σ R / S_l over the levels l                   | half of that                             |
/// | degree              | 2 in each ring; Corner at most 4                | half of that                             |
/// | diameter (Same)     | floor(s_top / 2) + 2 Σ floor(s_l / 2), l below  | s_top - 1 + 2 Σ (s_l - 1)                |
/// | bisection, each way | 2, s_top even                                   | 1                                        |
///
/// With corners and three levels the diameter is greater by 2 floor(s0 / 2). The mean distance (Same) between routers
/// is Σ_l S_l (q_l + 2 (s_l - 1) Σ_{j<l} q_j / s_j) / (R - 1), with q_l = floor(s_l² / 4) two-way and s_l (s_l - 1) / 2
/// one-way.
///
/// Routing takes the shortest path: up to the ring that source and destination have in common, across this ring, and
/// down, in every ring in the shorter direction. Two VC classes make it free of deadlock at any depth, see
/// ring_routing.h. The tables consist of a few runs of destinations for each level.
///
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_hierarchical_ring(const hierarchical_ring_parameters& parameters);

const topology_kind& hierarchical_ring_topology();

}  // namespace weft
