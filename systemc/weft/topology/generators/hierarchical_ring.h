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

/// Hierarchical rings (RINGS, Fig. 2: sizes [4, 4] and [4, 4, 4]): basic rings of s0 routers; a ring of level 1
/// connects the representatives of s1 basic rings, a ring of level 2 those of s2 such parts, and so on. Up to 2^20
/// nodes.
///
/// Write S_l for s0 · … · s_{l-1}. Router r has the position r / S_l mod s_l in, or below, its ring of level l, and
/// nodes r · c … r · c + c - 1. The first S_l routers are a part, whose representative is in the ring of level l:
/// router 0, or, with ring_representative::Corner and l ≥ 2, router s0 / 2 + S_1 + … + S_{l-2}. This router is half way
/// round its basic ring and represents nothing else. The other parts follow the same rule.
///
/// Ports: +l and -l for each level l with a ring that contains the router, lowest first; then those of the nodes,
/// "local", or "local0", "local1", … The channel that leaves by +l enters the next member's -l. Rings of two members
/// have two channels each way. Coordinates: rings are folded into two rows, and parts are mirrored so that
/// representatives face each other; with sizes [4, 4, 4] and corners all channels connect neighbors in a plane.
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
/// Routing takes the shortest path: up to the ring that source and destination have in common, across and down, in
/// every ring in the shorter direction. Two VC classes make it free of deadlock at any depth, see ring_routing.h. The
/// tables have runs of destinations, a few for each level.
///
/// Throws std::invalid_argument, which names the parameter and a valid value.
topology make_hierarchical_ring(const hierarchical_ring_parameters& parameters);

const topology_kind& hierarchical_ring_topology();

}  // namespace weft
