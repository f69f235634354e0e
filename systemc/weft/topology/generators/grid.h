// SPDX-License-Identifier: Apache-2.0
/// Generators of k-ary n-meshes, k-ary n-tori and rings, and of hypercubes.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/grid_routing.h"
#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct grid_parameters {
  std::vector<std::uint32_t> shape;  ///< routers: 1 to 4 sides, each ≥ 1, x first; 2 to 2^20 nodes in all
  network_options options{};
  std::vector<unsigned> order{};  ///< dimension that the routing corrects first, second, …; empty: 0, 1, …
  grid_algorithm algorithm = grid_algorithm::DimensionOrder;
  bool rings = false;      ///< torus: the last router of every row is connected to its first
  bool one_way = false;    ///< for a ring of one dimension: channels in the positive direction only
  unsigned nodes = 1;      ///< c ≥ 1: nodes at each router (concentration)
  std::uint64_t seed = 1;  ///< random seed of O1TURN, Valiant's routing and ROMM
  selection_rule selection = selection_rule::MostCredits;  ///< of adaptive algorithms
  std::uint32_t congestion = UsualCongestion;              ///< 0…100; see output_choice
};

/// Makes a mesh or a torus of one to four dimensions, with sides that may differ. A torus of one dimension is a ring.
///
/// Node n is at router n / c. Coordinate d of router r is (r / stride[d]) mod shape[d], so neighbors in x have
/// consecutive numbers. The ports of every router are +x, -x, +y, -y, +z, -z, +w, -w as far as there are dimensions,
/// followed by the ports to the nodes: "local", or "local0", "local1", … Ports at the edge of a mesh exist but are not
/// connected. The channel that leaves one router by +x enters the next router by -x. In a torus, a side of 2 has two
/// channels in each direction, and a side of 1 has none.
///
/// | metric                | mesh                | torus                                 |
/// |-----------------------|---------------------|---------------------------------------|
/// | channels, directed    | 2 Σ N (1 - 1/k_d)   | 2 n N; one-way ring N                 |
/// | diameter, hops        | Σ (k_d - 1)         | Σ floor(k_d / 2); one-way ring N - 1  |
/// | bisection, each way   | N / k_max           | 2 N / k_max; k_max even               |
///
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_grid(const grid_parameters& parameters);

struct hypercube_parameters {
  unsigned dimensions = 3;  ///< n ≥ 1: 2^n routers
  network_options options{};
  bool adaptive = false;  ///< any dimension that differs, with e-cube routing as escape; otherwise e-cube
  unsigned nodes = 1;     ///< c ≥ 1: nodes at each router
};

/// Makes a hypercube: port d of router r and port d of router r xor 2^d are connected. The ports "0", "1", … come
/// first, then the ports to the nodes. The degree and the diameter are n, the mean distance over all pairs is n / 2,
/// and the bisection has N / 2 channels in each direction.
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_hypercube(const hypercube_parameters& parameters);

const topology_kind& mesh_topology();
const topology_kind& torus_topology();
const topology_kind& ring_topology();
const topology_kind& hypercube_topology();

}  // namespace weft
