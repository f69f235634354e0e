// SPDX-License-Identifier: Apache-2.0
/// The networks of RINGS, FATTREE and OCTAGON, for tests of schedules.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/collectives/schedule/step_network.h"
#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/hierarchical_ring.h"
#include "weft/topology/generators/octagon.h"

namespace weft::schedule {

inline topology mesh(std::vector<std::uint32_t> shape) {
  grid_parameters p;
  p.shape = std::move(shape);
  return make_grid(p);
}

inline topology torus(std::vector<std::uint32_t> shape) {
  grid_parameters p;
  p.shape = std::move(shape);
  p.rings = true;
  return make_grid(p);
}

inline topology ring(std::uint32_t routers, bool one_way = false) {
  grid_parameters p;
  p.shape = {routers};
  p.rings = true;
  p.one_way = one_way;
  return make_grid(p);
}

inline topology hypercube(unsigned dimensions) {
  hypercube_parameters p;
  p.dimensions = dimensions;
  return make_hypercube(p);
}

inline topology h_rings(std::vector<std::uint32_t> sizes,
                        ring_representative representative = ring_representative::Same) {
  hierarchical_ring_parameters p;
  p.sizes = std::move(sizes);
  p.representative = representative;
  return make_hierarchical_ring(p);
}

inline topology fat_tree(fat_tree_shape shape) {
  fat_tree_parameters p;
  p.shape = std::move(shape);
  return make_fat_tree(p);
}
inline topology ft8() { return fat_tree(fixed_arity_tree(4, 2)); }
inline topology gft9() { return fat_tree(generalised_tree(2, 3, 3)); }
inline topology xgft12() { return fat_tree({{3, 4}, {1, 2}}); }
inline topology gft16() { return fat_tree(generalised_tree(2, 4, 2)); }
inline topology ft32() { return fat_tree(fixed_arity_tree(4, 4)); }

inline topology octagon(std::uint32_t routers = 8, unsigned nodes = 1) {
  octagon_parameters p;
  p.routers = routers;
  p.nodes = nodes;
  return make_octagon(p);
}

/// A node at each router, and one-way channels from `first` to `second`. Ports: first that of the node, then those of
/// the links in their order.
inline topology joined(std::uint32_t routers, const std::vector<std::pair<router_id, router_id>>& links) {
  topology t;
  t.routers.resize(routers);
  t.nodes.resize(routers);
  for (router_id r = 0; r < routers; ++r) t.nodes[r].ports.push_back({r, t.routers[r].ports++});
  for (const auto& [from, to] : links) {
    const port_ref out{from, t.routers[from].ports++}, in{to, t.routers[to].ports++};
    t.channels.push_back({out, in});
  }
  return t;
}

/// Two nodes, and only one channel, from node 0 to node 1.
inline topology one_link() { return joined(2, {{0, 1}}); }

inline constexpr port_rule AllPorts{port_rule::kind::All, 1};
inline constexpr port_rule OnePort{port_rule::kind::Number, 1};

}  // namespace weft::schedule
