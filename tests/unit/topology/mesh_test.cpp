#include "weft/topology/mesh.h"

#include "unit/topology/networks.h"
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/check.h"
#include "weft/topology/figures.h"
#include "weft/topology/names.h"

namespace weft {
namespace {

using names_t = std::vector<std::string>;

std::string rejection(const std::function<void(mesh_parameters&)>& spoil) {
  mesh_parameters p;
  p.shape = {4, 4};
  spoil(p);
  return error_of([&] { make_mesh(p); });
}

TEST(unit_topology_mesh, ports_follow_the_documented_order) {
  EXPECT_EQ(mesh_of({2}).routers[0].port_names, (names_t{"+x", "-x", "local"}));
  EXPECT_EQ(mesh_of({2, 2, 2, 2}).routers[0].port_names,
            (names_t{"+x", "-x", "+y", "-y", "+z", "-z", "+w", "-w", "local"}));
  mesh_parameters p;
  p.shape = {3, 2};
  p.nic_ports = 3;
  const topology t = make_mesh(p);
  EXPECT_EQ(t.routers[4].port_names, (names_t{"+x", "-x", "+y", "-y", "local0", "local1", "local2"}));
  EXPECT_EQ(t.nodes[4].ports, (std::vector<port_ref>{{4, 4}, {4, 5}, {4, 6}}));
}

TEST(unit_topology_mesh, node_n_sits_at_router_n_with_x_fastest) {
  const topology t = mesh_of({3, 4, 2});
  ASSERT_EQ(t.routers.size(), 24U);
  ASSERT_EQ(t.nodes.size(), 24U);
  ASSERT_EQ(t.routing.size(), 24U);
  EXPECT_EQ(t.kind, "mesh");
  EXPECT_EQ(t.shape, (shape_t{3, 4, 2}));
  EXPECT_EQ(t.routers[1].coordinates, (shape_t{1, 0, 0}));
  EXPECT_EQ(t.routers[3].coordinates, (shape_t{0, 1, 0}));
  EXPECT_EQ(t.routers[23].coordinates, (shape_t{2, 3, 1}));
  for (node_id n = 0; n < 24; ++n) {
    EXPECT_EQ(t.nodes[n].ports, (std::vector<port_ref>{{n, 6}}));
    const auto& here = t.routing[n].as<grid_rule>()->here;
    EXPECT_TRUE(std::equal(t.routers[n].coordinates.begin(), t.routers[n].coordinates.end(), here.begin()));
  }
}

TEST(unit_topology_mesh, a_plus_channel_enters_the_next_router_by_its_minus_port) {
  const topology t = mesh_of({2, 2});
  names_t names;
  for (const channel& c : t.channels) names.push_back(full_name(t, c));
  EXPECT_EQ(names, (names_t{
                       "router 0 (0,0) +x -> router 1 (1,0) -x",
                       "router 0 (0,0) +y -> router 2 (0,1) -y",
                       "router 1 (1,0) -x -> router 0 (0,0) +x",
                       "router 1 (1,0) +y -> router 3 (1,1) -y",
                       "router 2 (0,1) +x -> router 3 (1,1) -x",
                       "router 2 (0,1) -y -> router 0 (0,0) +y",
                       "router 3 (1,1) -x -> router 2 (0,1) +x",
                       "router 3 (1,1) -y -> router 1 (1,0) +y",
                   }));
}

TEST(unit_topology_mesh, latencies_and_vcs_are_those_of_the_parameters) {
  mesh_parameters p;
  p.shape = {2, 3};
  p.link_cycles = 3;
  p.node_cycles = 2;
  p.vcs = 6;
  const topology t = make_mesh(p);
  for (const channel& c : t.channels) EXPECT_EQ(c.cycles, 3U);
  for (const node_attachment& n : t.nodes) EXPECT_EQ(n.cycles, 2U);
  for (node_id d = 0; d < 6; ++d) EXPECT_EQ(t.routing[0]({4, 0, d}).vcs, 0b111111U);
}

TEST(unit_topology_mesh, order_decides_which_dimension_is_corrected_first) {
  EXPECT_EQ(route_path(mesh_of({3, 3}), 0, 8), (std::vector<router_id>{0, 1, 2, 5, 8}));
  EXPECT_EQ(route_path(mesh_of({3, 3}, {1, 0}), 0, 8), (std::vector<router_id>{0, 3, 6, 7, 8}));
  EXPECT_EQ(route_path(mesh_of({2, 2, 2}, {2, 0, 1}), 7, 0), (std::vector<router_id>{7, 3, 2, 0}));
}

TEST(unit_topology_mesh, a_packet_leaves_by_the_local_port_of_its_input_port) {
  mesh_parameters p;
  p.shape = {2, 2};
  p.nic_ports = 4;
  const topology t = make_mesh(p);
  for (unsigned in = 0; in < 8; ++in) EXPECT_EQ(t.routing[3]({in, 0, 3}).port, 4 + in % 4);
  EXPECT_NO_THROW(check_structure(t, p.vcs));
}

TEST(unit_topology_mesh, a_side_of_one_has_ports_but_no_channels) {
  const topology t = mesh_of({1, 5, 1});
  EXPECT_EQ(t.routers.size(), 5U);
  EXPECT_EQ(t.channels.size(), 8U);
  EXPECT_EQ(t.routers[0].ports, 7U);
  EXPECT_NO_THROW(check_structure(t, 4));
}

TEST(unit_topology_mesh, rejects_impossible_parameters_with_a_remedy) {
  EXPECT_EQ(rejection([](auto& p) { p.shape = {}; }), "mesh: shape has 0 sides; give 1 to 4, such as [8, 8]");
  EXPECT_EQ(rejection([](auto& p) {
              p.shape = {2, 2, 2, 2, 2};
            }),
            "mesh: shape has 5 sides; give 1 to 4, such as [8, 8]");
  EXPECT_EQ(rejection([](auto& p) {
              p.shape = {4, 0};
            }),
            "mesh: shape [4, 0] has a side of 0; every side must be at least 1");
  EXPECT_EQ(rejection([](auto& p) {
              p.shape = {1, 1};
            }),
            "mesh: shape [1, 1] has one node; a network needs at least 2, such as [2]");
  EXPECT_EQ(rejection([](auto& p) {
              p.shape = {4294967295U, 4294967295U, 4294967295U};
            }),
            "mesh: shape [4294967295, 4294967295, 4294967295] has more than 1048576 nodes; choose smaller sides");
  EXPECT_EQ(rejection([](auto& p) { p.order = {0}; }),
            "mesh: order [0] must name each dimension of the shape once: a permutation of [0, 1]");
  EXPECT_EQ(rejection([](auto& p) {
              p.order = {1, 1};
            }),
            "mesh: order [1, 1] must name each dimension of the shape once: a permutation of [0, 1]");
  EXPECT_EQ(rejection([](auto& p) { p.link_cycles = 0; }), "mesh: link_cycles is 0; a channel takes at least 1 cycle");
  EXPECT_EQ(rejection([](auto& p) { p.node_cycles = 0; }), "mesh: node_cycles is 0; a channel takes at least 1 cycle");
  EXPECT_EQ(rejection([](auto& p) { p.nic_ports = 0; }),
            "mesh: nic_ports is 0; with 2 dimensions give 1 to 12, for a router has at most 16 ports");
  EXPECT_EQ(rejection([](auto& p) { p.nic_ports = 13; }),
            "mesh: nic_ports is 13; with 2 dimensions give 1 to 12, for a router has at most 16 ports");
  EXPECT_EQ(rejection([](auto& p) { p.vcs = 0; }), "mesh: vcs is 0; give 1 to 16");
  EXPECT_EQ(rejection([](auto& p) { p.vcs = 17; }), "mesh: vcs is 17; give 1 to 16");
  EXPECT_EQ(rejection([](auto& p) { p.nic_ports = 12, p.vcs = 16; }), "");
}

RC_GTEST_PROP(unit_topology_mesh, every_shape_and_order_is_whole_and_free_of_cycles, ()) {
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 5);
  mesh_parameters p;
  p.shape = random_shape(dimensions, dimensions < 3 ? 7 : 4);
  p.order = random_order(dimensions);
  p.nic_ports = *rc::gen::inRange(1U, 4U);
  p.vcs = *rc::gen::inRange(1U, 5U);
  const topology t = make_mesh(p);
  check_structure(t, p.vcs);
  RC_ASSERT(find_dependency_cycle(t, p.vcs).empty());
}

}  // namespace
}  // namespace weft
