// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/node_placement.h"

#include "unit/topology/networks.h"
#include <algorithm>

#include <gtest/gtest.h>

#include "weft/topology/files/read_topology.h"

namespace weft {
namespace {

TEST(unit_topology_node_placement, equals_the_shape_and_node_order_of_a_mesh) {
  grid_parameters p;
  p.shape = {3, 2};
  p.nodes = 4;
  const node_placement grid = find_node_placement(make_grid(p));
  EXPECT_EQ(grid.shape, (shape_t{3, 2}));
  EXPECT_EQ(grid.nodes, 4U);
  EXPECT_TRUE(grid.in_order.empty());
  EXPECT_EQ(grid.at(5, 3), 23U);
  EXPECT_TRUE(grid.is_of(24));
  EXPECT_FALSE(grid.is_of(6));
}

TEST(unit_topology_node_placement, follows_the_coordinates_in_a_file) {
  const std::string text = R"(format: weft-topology-1
routers:
  - {name: d, coordinates: [1, 1]}
  - {name: b, coordinates: [1, 0]}
  - {name: a, coordinates: [0, 0]}
  - {name: c, coordinates: [0, 1]}
links: [{between: [a, b]}, {between: [b, c]}, {between: [c, d]}]
nodes: [b, a, d, c, a, b, c, d]
)";
  const node_placement grid = find_node_placement(read_topology(text, "f"));
  EXPECT_EQ(grid.shape, (shape_t{2, 2}));
  EXPECT_EQ(grid.nodes, 2U);
  EXPECT_EQ(grid.in_order, (std::vector<node_id>{1, 4, 0, 5, 3, 6, 2, 7}));
}

TEST(unit_topology_node_placement, requires_full_coordinates_and_evenly_spread_nodes) {
  const auto shape_after = [](const std::function<void(topology&)>& spoil) {
    topology t = mesh_of({3, 2});
    spoil(t);
    return find_node_placement(t).shape;
  };
  EXPECT_EQ(shape_after([](topology&) {}), (shape_t{3, 2}));
  EXPECT_EQ(shape_after([](topology& t) { t.routers[0].coordinates.clear(); }), shape_t());
  EXPECT_EQ(shape_after([](topology& t) { t.routers[3].coordinates.pop_back(); }), shape_t());
  EXPECT_EQ(shape_after([](topology& t) { t.routers[3].coordinates = {2, 1}; }), shape_t());
  EXPECT_EQ(shape_after([](topology& t) { t.routers[3].coordinates = {3, 1}; }), shape_t());
  EXPECT_EQ(shape_after([](topology& t) { t.nodes.pop_back(); }), shape_t());
  EXPECT_EQ(shape_after([](topology& t) { t.nodes[0].ports = t.nodes[1].ports; }), shape_t());
  EXPECT_EQ(shape_after([](topology& t) { t.nodes[0].ports.push_back(t.nodes[1].ports.front()); }), shape_t());
  EXPECT_EQ(shape_after([](topology& t) {
              for (router_info& r : t.routers) r.coordinates.clear();
            }),
            shape_t());
}

}  // namespace
}  // namespace weft
