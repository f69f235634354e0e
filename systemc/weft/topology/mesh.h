/// Generator of k-ary n-meshes.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

struct mesh_parameters {
  std::vector<std::uint32_t> shape;  ///< 1 to 4 sides, each ≥ 1, x first; 2 to 2^20 nodes in all
  std::vector<unsigned> order;       ///< dimension the routing corrects first, second, …; empty: 0, 1, …
  unsigned link_cycles = 1;          ///< L ≥ 1: cycles of a channel between routers
  unsigned node_cycles = 1;          ///< Ln ≥ 1: cycles of the channels between node and router
  unsigned nic_ports = 1;            ///< ≥ 1: channels between node and router, each way
  unsigned vcs = 4;                  ///< 1…MaxVcs: every packet may use VCs 0…vcs-1
};

/// A mesh of one to four dimensions, the sides may differ, with dimension-order routing.
///
/// Node n sits at router n, whose coordinate d is (n / stride[d]) mod shape[d]; x runs fastest. Ports of
/// every router: +x, -x, +y, -y, +z, -z, +w, -w as far as there are dimensions, then "local", or "local0",
/// "local1", … Ports at the edge exist, unconnected. The channel that leaves by +x of one router enters the
/// next by its -x. Throws std::invalid_argument that names the parameter and says what would do.
topology make_mesh(const mesh_parameters& parameters);

}  // namespace weft
