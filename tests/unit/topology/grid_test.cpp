// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/grid.h"

#include "unit/topology/networks.h"
#include <algorithm>

#include <gtest/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/names.h"

namespace weft {
namespace {

using names_t = std::vector<std::string>;

std::string grid_rejection(const std::function<void(grid_parameters&)>& spoil) {
  grid_parameters p;
  p.shape = {4, 4};
  spoil(p);
  return error_of([&] { make_grid(p); });
}

TEST(unit_topology_grid, ports_follow_the_documented_order) {
  EXPECT_EQ(mesh_of({2}).routers[0].port_names, (names_t{"+x", "-x", "local"}));
  EXPECT_EQ(mesh_of({2, 2, 2, 2}).routers[0].port_names,
            (names_t{"+x", "-x", "+y", "-y", "+z", "-z", "+w", "-w", "local"}));
  grid_parameters p;
  p.shape = {3, 2};
  p.options.nic_ports = 3;
  const topology t = make_grid(p);
  EXPECT_EQ(t.routers[4].port_names, (names_t{"+x", "-x", "+y", "-y", "local0", "local1", "local2"}));
  EXPECT_EQ(t.nodes[4].ports, (std::vector<port_ref>{{4, 4}, {4, 5}, {4, 6}}));
}

TEST(unit_topology_grid, node_n_is_at_router_n_with_x_fastest) {
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

TEST(unit_topology_grid, plus_channel_enters_next_router_at_minus_port) {
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

TEST(unit_topology_grid, applies_latencies_and_vcs) {
  grid_parameters p;
  p.shape = {2, 3};
  p.options.link_cycles = 3;
  p.options.node_cycles = 2;
  p.options.vcs = 6;
  const topology t = make_grid(p);
  for (const channel& c : t.channels) EXPECT_EQ(c.cycles, 3U);
  for (const node_attachment& n : t.nodes) EXPECT_EQ(n.cycles, 2U);
  for (node_id d = 0; d < 6; ++d) EXPECT_EQ(t.routing[0].answer({4, 0, d}).vcs, 0b111111U);
}

TEST(unit_topology_grid, order_sets_the_dimension_corrected_first) {
  EXPECT_EQ(route_path(mesh_of({3, 3}), 0, 8), (std::vector<router_id>{0, 1, 2, 5, 8}));
  EXPECT_EQ(route_path(mesh_of({3, 3}, {1, 0}), 0, 8), (std::vector<router_id>{0, 3, 6, 7, 8}));
  EXPECT_EQ(route_path(mesh_of({2, 2, 2}, {2, 0, 1}), 7, 0), (std::vector<router_id>{7, 3, 2, 0}));
}

TEST(unit_topology_grid, input_port_selects_the_local_port) {
  grid_parameters p;
  p.shape = {2, 2};
  p.options.nic_ports = 4;
  const topology t = make_grid(p);
  for (unsigned in = 0; in < 8; ++in) EXPECT_EQ(t.routing[3].answer({in, 0, 3}).port, 4 + in % 4);
  EXPECT_NO_THROW(check_structure(t, p.options.vcs));
}

TEST(unit_topology_grid, a_side_of_one_has_ports_but_no_channels) {
  const topology t = mesh_of({1, 5, 1});
  EXPECT_EQ(t.routers.size(), 5U);
  EXPECT_EQ(t.channels.size(), 8U);
  EXPECT_EQ(t.routers[0].ports, 7U);
  EXPECT_NO_THROW(check_structure(t, 4));
}

TEST(unit_topology_grid, rejects_impossible_parameters_with_a_remedy) {
  EXPECT_EQ(grid_rejection([](auto& p) { p.shape = {}; }), "topology: shape has 0 sides; give 1 to 4, such as [8, 8]");
  EXPECT_EQ(grid_rejection([](auto& p) {
              p.shape = {2, 2, 2, 2, 2};
            }),
            "topology: shape has 5 sides; give 1 to 4, such as [8, 8]");
  EXPECT_EQ(grid_rejection([](auto& p) {
              p.shape = {4, 0};
            }),
            "topology: shape [4, 0] has a side of 0; every side must be at least 1");
  EXPECT_EQ(grid_rejection([](auto& p) {
              p.shape = {1, 1};
            }),
            "topology: shape [1, 1] has one node; a network needs at least 2, such as [2]");
  EXPECT_EQ(grid_rejection([](auto& p) {
              p.shape = {4294967295U, 4294967295U, 4294967295U};
            }),
            "topology: shape [4294967295, 4294967295, 4294967295] has more than 1048576 nodes; choose smaller sides");
  EXPECT_EQ(grid_rejection([](auto& p) { p.order = {0}; }),
            "topology: order [0] must name each dimension of the shape once: a permutation of [0, 1]");
  EXPECT_EQ(grid_rejection([](auto& p) {
              p.order = {1, 1};
            }),
            "topology: order [1, 1] must name each dimension of the shape once: a permutation of [0, 1]");
  EXPECT_EQ(grid_rejection([](auto& p) { p.options.link_cycles = 0; }),
            "topology: link_cycles is 0; a channel takes at least 1 cycle");
  EXPECT_EQ(grid_rejection([](auto& p) { p.options.node_cycles = 0; }),
            "topology: node_cycles is 0; a channel takes at least 1 cycle");
  EXPECT_EQ(grid_rejection([](auto& p) { p.options.nic_ports = 0; }), "topology: nic.ports is 0; give at least 1");
  EXPECT_EQ(grid_rejection([](auto& p) { p.nodes = 3, p.options.nic_ports = 5; }),
            "topology: routers have 19 ports, 4 to other routers and 15 to nodes, and may have at most 16; lower "
            "nodes_per_router or nic.ports");
  EXPECT_EQ(grid_rejection([](auto& p) { p.nodes = 0; }), "topology: routers have 0 nodes; give at least 1");
  EXPECT_EQ(grid_rejection([](auto& p) { p.rings = true, p.options.vcs = 1; }),
            "topology: vcs is 1; dimension_order routing in a torus needs at least 2");
  EXPECT_EQ(grid_rejection([](auto& p) { p.algorithm = grid_algorithm::Valiant, p.rings = true, p.options.vcs = 3; }),
            "topology: vcs is 3; valiant routing in a torus needs at least 4");
  EXPECT_EQ(grid_rejection([](auto& p) { p.algorithm = grid_algorithm::WestFirst, p.rings = true; }),
            "topology: west_first routing can deadlock in a torus; use dimension_order or minimal_adaptive routing, or "
            "a mesh");
  EXPECT_EQ(grid_rejection([](auto& p) {
              p.algorithm = grid_algorithm::NorthLast;
              p.shape = {2, 2, 2};
            }),
            "topology: north_last routing is for one or two dimensions; in 3 dimensions use negative_first or "
            "planar_adaptive");
  EXPECT_EQ(grid_rejection([](auto& p) { p.one_way = true; }),
            "topology: direction is one_way, which only a ring can have; use two_way");
  EXPECT_EQ(grid_rejection([](auto& p) { p.options.vcs = 0; }), "topology: vcs is 0; give 1 to 16");
  EXPECT_EQ(grid_rejection([](auto& p) { p.options.vcs = 17; }), "topology: vcs is 17; give 1 to 16");
  EXPECT_EQ(grid_rejection([](auto& p) { p.options.nic_ports = 12, p.options.vcs = 16; }), "");
}

TEST(unit_topology_grid, torus_has_wraparound_channels) {
  grid_parameters p;
  p.shape = {3, 1};
  p.rings = true;
  const topology t = make_grid(p);
  names_t names;
  for (const channel& c : t.channels) names.push_back(full_name(t, c));
  EXPECT_EQ(t.kind, "torus");
  EXPECT_EQ(names, (names_t{"router 0 (0,0) +x -> router 1 (1,0) -x", "router 0 (0,0) -x -> router 2 (2,0) +x",
                            "router 1 (1,0) +x -> router 2 (2,0) -x", "router 1 (1,0) -x -> router 0 (0,0) +x",
                            "router 2 (2,0) +x -> router 0 (0,0) -x", "router 2 (2,0) -x -> router 1 (1,0) +x"}));
}

TEST(unit_topology_grid, ring_can_be_one_way) {
  grid_parameters p;
  p.shape = {6};
  p.rings = p.one_way = true;
  const topology t = make_grid(p);
  EXPECT_EQ(t.kind, "ring");
  EXPECT_EQ(t.channels.size(), 6U);
  EXPECT_EQ(route_path(t, 4, 3), (std::vector<router_id>{4, 5, 0, 1, 2, 3}));
}

TEST(unit_topology_grid, check_finds_cycles_without_datelines_or_escapes) {
  grid_parameters p;
  p.shape = {5, 5};
  p.rings = true;
  topology t = make_grid(p);
  EXPECT_TRUE(find_dependency_cycle(t, 4).empty());
  for (router_id r = 0; r < 25; ++r) {
    std::vector<route> row;
    for (node_id d = 0; d < 25; ++d) row.push_back({t.routing[r].answer({4, 0, d}).port, 0b1111});
    t.routing[r] = table_rule(row);
  }
  EXPECT_EQ(find_dependency_cycle(t, 4).size(), 5U);

  p.rings = false;
  p.algorithm = grid_algorithm::MinimalAdaptive;
  t = make_grid(p);
  EXPECT_TRUE(find_dependency_cycle(t, 4).empty());
  for (router_id r = 0; r < 25; ++r) {
    std::vector<route> row;
    for (node_id d = 0; d < 25; ++d) {
      const route way = t.routing[r].answer({4, 0, d});
      row.push_back(way.adaptive() ? route{0, 0, way.choices, 0b1111} : way);
    }
    t.routing[r] = table_rule(row);
  }
  EXPECT_FALSE(find_dependency_cycle(t, 4).empty());
}

/// A one-way ring with escape VCs 0 and 1 and adaptive VC 2. Packets that stay on the escape VCs obey the dateline. But
/// a packet that returns from VC 2 and no longer has to cross the dateline may use either escape VC, although it may
/// have held VC 0 before it crossed.
topology careless_escapes(bool with_choices) {
  constexpr router_id Routers = 6;
  topology t = ring_of(Routers, [](router_id, node_id) { return first_vcs(1); });
  for (router_id r = 0; r < Routers; ++r) {
    std::vector<route> fresh, on_first, on_second;
    for (node_id d = 0; d < Routers; ++d) {
      const auto onwards = [&](vc_set escape) {
        return with_choices ? route{0, escape, 0b1, 0b100} : route{0, escape};
      };
      const route here{2, 0b111};
      fresh.push_back(d == r ? here : onwards(d < r || d % 2 == 0 ? 0b01 : 0b10));
      on_first.push_back(d == r ? here : onwards(r == 0 ? 0b10 : 0b01));
      on_second.push_back(d == r ? here : onwards(0b10));
    }
    table_rule rule(fresh);
    rule.add_row(on_first);
    rule.add_row(on_second);
    rule.use_row(1, 0, 1);
    rule.use_row(1, 1, 2);
    t.routing[r] = rule;
  }
  return t;
}

TEST(unit_topology_grid, extended_dependency_graph_reveals_a_hidden_cycle) {
  EXPECT_TRUE(find_dependency_cycle(careless_escapes(false), 3).empty());
  EXPECT_FALSE(find_dependency_cycle(careless_escapes(true), 3).empty());
}

TEST(unit_topology_hypercube, metrics_match_the_formulas_for_its_dimensions) {
  for (const unsigned dimensions : {1U, 2U, 4U, 6U}) {
    for (const bool adaptive : {false, true}) {
      hypercube_parameters p;
      p.dimensions = dimensions;
      p.adaptive = adaptive;
      p.nodes = 2;
      const topology t = make_hypercube(p);
      check_structure(t, 4);
      EXPECT_TRUE(find_dependency_cycle(t, 4).empty());
      const topology_metrics f = compute_metrics(t);
      EXPECT_EQ(f.routers, 1U << dimensions);
      EXPECT_EQ(f.nodes, 2U << dimensions);
      EXPECT_EQ(f.channels, dimensions << dimensions);
      EXPECT_EQ(f.diameter, dimensions);
      EXPECT_EQ(f.bisection_channels, 1U << (dimensions - 1));
    }
  }
  hypercube_parameters p;
  p.dimensions = 16;
  EXPECT_EQ(error_of([&] { make_hypercube(p); }),
            "topology: a hypercube has 16 dimensions; give 1 to 15, because a router has at most 16 ports");
}

}  // namespace
}  // namespace weft
