// SPDX-License-Identifier: Apache-2.0
/// Generator of three-dimensional meshes whose layers are connected at some places only.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct tsv_mesh_parameters {
  std::vector<std::uint32_t> shape{4, 4, 4};  ///< columns, rows and layers; at least 2 layers
  std::uint32_t tsv_pitch = 2;                ///< ≥ 1: vertical links where x and y are multiples of it
  std::vector<std::uint32_t> tsv_columns{};   ///< routers of a layer with vertical links; empty: those of tsv_pitch
  unsigned vertical_cycles = 0;               ///< cycles of a vertical link; 0: options.link_cycles
  network_options options{};                  ///< at least two VCs
  unsigned nodes = 1;                         ///< ≥ 1: nodes at each router
};

/// Makes a three-dimensional mesh in which only some columns of routers have vertical links, through-silicon vias
/// (TSVs). Routers and ports are those of a mesh; ports "+z" and "-z" of other columns are not connected.
///
/// The routing is elevator_first. A packet to another layer goes to a column with vertical links, y before x, along
/// this column to its layer, and again y before x to its destination. Of all columns it takes the one with the fewest
/// hops, then the nearest to it, then the number of the destination selects one. Packets that go up use the first half
/// of the VCs, and packets that go down the second half. Packets within a layer use either half. This is free of
/// deadlock, because in each half packets change layers in one direction only (Dubois et al. 2013).
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_tsv_mesh(const tsv_mesh_parameters& parameters);

const topology_kind& tsv_mesh_topology();

/// The routing of make_tsv_mesh().
const routing_kind& elevator_first_routing();

}  // namespace weft
