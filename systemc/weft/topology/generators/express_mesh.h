// SPDX-License-Identifier: Apache-2.0
/// Generator of meshes with express channels along their edges.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct express_mesh_parameters {
  std::vector<std::uint32_t> shape{4, 4};  ///< columns and rows; even, at least 4
  unsigned express_cycles = 0;             ///< cycles of an express channel; 0: options.link_cycles
  network_options options{};
  unsigned nodes = 4;  ///< ≥ 1: nodes at each router
};

/// Makes a two-dimensional mesh with express channels, in the form in which BookSim2 builds its concentrated mesh. Each
/// router on an edge has a port that would lead out of the mesh. In an express mesh it leads half a side along the
/// edge: from (x, 0) by "-y" to x ± kx / 2, and likewise on the other edges.
///
/// Routers and ports are those of a mesh. The routing is express_order: x first, then y. A packet that has at least
/// half a side to go along an edge takes the express channel. This is free of deadlock with one VC, because a packet
/// takes an express channel only before the other channels of the same dimension. Some paths are not shortest: to (k /
/// 2 - 1, 0) a packet from (0, 0) takes k / 2 - 1 hops, although over the express channel there are 2.
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_express_mesh(const express_mesh_parameters& parameters);

const topology_kind& express_mesh_topology();

/// The routing of make_express_mesh().
const routing_kind& express_order_routing();

}  // namespace weft
