// SPDX-License-Identifier: Apache-2.0
/// Meshes with express channels, meshes with TSVs, and butterflies.
#include "unit/topology/generated.h"
#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/generators/express_mesh.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/k_ary_n_fly.h"
#include "weft/topology/generators/tsv_mesh.h"

namespace weft {
namespace {

using number_list = std::vector<std::uint32_t>;

// ---- Express channels ----

topology express(number_list shape, unsigned nodes = 1) {
  express_mesh_parameters p;
  p.shape = std::move(shape);
  p.nodes = nodes;
  p.options.vcs = 1;
  return make_express_mesh(p);
}

TEST(unit_topology_express_mesh, every_port_of_a_router_is_connected) {
  for (const auto& shape : {number_list{4, 4}, {6, 4}, {8, 8}}) {
    const topology t = express(shape);
    EXPECT_EQ(t.channels.size(), 4 * t.routers.size());
    EXPECT_EQ(error_of([&] { check_structure(t, 1); }), "");
    EXPECT_EQ(describe_cycle(t, find_dependency_cycle(t, 1)), "");
  }
}

TEST(unit_topology_express_mesh, packets_take_express_channels_for_half_a_side) {
  const topology t = express({8, 8});
  EXPECT_EQ(route_path(t, 0, 5), (std::vector<router_id>{0, 4, 5}));
  EXPECT_EQ(route_path(t, 0, 3), (std::vector<router_id>{0, 1, 2, 3}));
  EXPECT_EQ(route_path(t, 7, 8 * 7), (std::vector<router_id>{7, 3, 2, 1, 0, 32, 40, 48, 56}));
  EXPECT_EQ(route_path(t, 8, 8 + 7), (std::vector<router_id>{8, 9, 10, 11, 12, 13, 14, 15}));  // not on an edge
}

/// Hops of a packet in one dimension of k routers, along an edge or not.
std::uint32_t hops_in(std::uint32_t from, std::uint32_t to, std::uint32_t side, bool on_edge) {
  const std::uint32_t far = from < to ? to - from : from - to;
  return on_edge && far >= side / 2 ? 1 + far - side / 2 : far;
}

TEST(unit_topology_express_mesh, mean_route_matches_the_formula) {
  for (const auto& [x, y] : {std::pair(4U, 4U), {8U, 4U}, {8U, 8U}}) {
    double sum = 0;
    for (std::uint32_t s = 0; s < x * y; ++s) {
      for (std::uint32_t d = 0; d < x * y; ++d) {
        sum += hops_in(s % x, d % x, x, s / x == 0 || s / x == y - 1);
        sum += hops_in(s / x, d / x, y, d % x == 0 || d % x == x - 1);
      }
    }
    EXPECT_NEAR(compute_metrics(express({x, y})).mean_route_length, sum / (x * y * (x * y - 1)), 1e-9);
  }
}

TEST(unit_topology_express_mesh, rejects_invalid_parameters) {
  EXPECT_EQ(error_of([] {
              express({5, 4});
            }),
            "topology: shape [5, 4] has a side of 5; express channels span half a side: give even sides of at least 4");
  EXPECT_EQ(error_of([] { express({8}); }), "topology: shape [8] has 1 numbers; give 2: columns and rows");
  EXPECT_EQ(error_of([] {
              express({4, 4}, 13);
            }),
            "topology: routers have 17 ports, 4 to other routers and 13 to nodes, and may have at most 16; lower "
            "nodes_per_router or nic.ports");
}

// ---- TSVs ----

topology with_tsvs(number_list shape, std::uint32_t pitch, number_list columns = {}) {
  tsv_mesh_parameters p;
  p.shape = std::move(shape);
  p.tsv_pitch = pitch;
  p.tsv_columns = std::move(columns);
  p.options.vcs = 2;
  return make_tsv_mesh(p);
}

TEST(unit_topology_tsv_mesh, with_all_columns_is_a_mesh) {
  grid_parameters p;
  p.shape = {3, 4, 3};
  const topology_metrics some = compute_metrics(with_tsvs(p.shape, 1)), all = compute_metrics(make_grid(p));
  EXPECT_EQ(some.channels, all.channels);
  EXPECT_EQ(some.diameter, all.diameter);
  EXPECT_NEAR(some.mean_route_length, all.mean_distance, 1e-9);
}

RC_GTEST_PROP(unit_topology_tsv_mesh, channels_match_the_formula_and_paths_are_shortest, ()) {
  const auto x = *rc::gen::inRange(1U, 5U), y = *rc::gen::inRange(1U, 5U), z = *rc::gen::inRange(2U, 4U),
             pitch = *rc::gen::inRange(1U, 5U);
  const topology t = with_tsvs({x, y, z}, pitch);
  const std::uint32_t columns = ((x - 1) / pitch + 1) * ((y - 1) / pitch + 1);
  RC_ASSERT(t.channels.size() == 2 * (z * ((x - 1) * y + x * (y - 1)) + columns * (z - 1)));
  RC_ASSERT(find_defect(t, 2).empty());
}

TEST(unit_topology_tsv_mesh, packets_take_the_elevator_on_the_shortest_path) {
  const topology t = with_tsvs({4, 4, 2}, 1, {5, 15});
  EXPECT_EQ(route_path(t, 0, 16), (std::vector<router_id>{0, 4, 5, 21, 17, 16}));
  EXPECT_EQ(route_path(t, 31, 10), (std::vector<router_id>{31, 15, 11, 10}));
}

TEST(unit_topology_tsv_mesh, one_vc_would_not_be_enough) {
  const topology narrow = on_one_vc(with_tsvs({4, 4, 2}, 1, {5, 10}));
  EXPECT_NE(describe_cycle(narrow, find_dependency_cycle(narrow, 1)), "");
}

TEST(unit_topology_tsv_mesh, rejects_invalid_parameters) {
  EXPECT_EQ(error_of([] {
              with_tsvs({4, 4}, 2);
            }),
            "topology: shape [4, 4] has 2 numbers; give 3: columns, rows and layers");
  EXPECT_EQ(error_of([] {
              with_tsvs({4, 4, 1}, 2);
            }),
            "topology: shape [4, 4, 1] has a single layer; give at least 2, or use a mesh");
  EXPECT_EQ(error_of([] {
              with_tsvs({4, 4, 2}, 2, {16});
            }),
            "topology: tsv_columns has 16; a layer has routers 0 to 15");
  EXPECT_EQ(error_of([] {
              with_tsvs({4, 4, 2}, 2, {3, 3});
            }),
            "topology: tsv_columns has 3 twice; give each router once");
}

// ---- Butterflies ----

topology fly(std::uint32_t arity, std::uint32_t stages) {
  k_ary_n_fly_parameters p;
  p.arity = arity;
  p.stages = stages;
  p.options.vcs = 1;
  return make_k_ary_n_fly(p);
}

TEST(unit_topology_k_ary_n_fly, has_the_structure_of_its_description) {
  // 2-ary 3-fly: switches 0 to 3 of the first and of the last stage are routers 0 to 3; the middle stage is 4 to 7.
  EXPECT_EQ(neighbours(fly(2, 3)),
            (std::vector<std::vector<router_id>>{{4, 6}, {5, 7}, {4, 6}, {5, 7}, {0, 1}, {0, 1}, {2, 3}, {2, 3}}));
}

RC_GTEST_PROP(unit_topology_k_ary_n_fly, every_packet_passes_all_stages, ()) {
  const auto k = *rc::gen::inRange(2U, 5U), n = *rc::gen::inRange(3U, k == 2 ? 6U : 4U);
  const topology t = fly(k, n);
  std::uint32_t nodes = 1;
  for (std::uint32_t i = 0; i < n; ++i) nodes *= k;
  RC_ASSERT(t.nodes.size() == nodes);
  RC_ASSERT(t.channels.size() == (n - 1) * nodes);
  RC_ASSERT(error_of([&] { check_structure(t, 1); }).empty());
  RC_ASSERT(find_dependency_cycle(t, 1).empty());
  RC_ASSERT(std::abs(compute_metrics(t).mean_route_length - (n - 1)) < 1e-12);
  const std::vector<double> loads = uniform_channel_loads(t);
  RC_ASSERT(std::abs(*std::max_element(loads.begin(), loads.end()) - nodes / (nodes - 1.0)) < 1e-9);
  for (node_id s = 0; s < nodes; s += 3)
    for (node_id d = 0; d < nodes; ++d) RC_ASSERT(route_path(t, s, d).back() == d / k);
}

TEST(unit_topology_k_ary_n_fly, rejects_invalid_parameters) {
  EXPECT_EQ(error_of([] { fly(1, 3); }), "topology: arity is 1; give at least 2");
  EXPECT_EQ(error_of([] { fly(2, 2); }),
            "topology: stages is 2; give 3 to 20: with 2, routers would be connected to themselves");
  EXPECT_EQ(error_of([] { fly(9, 3); }),
            "topology: routers of the first and last stage have 18 ports, and may have at most 16; lower arity or "
            "nic.ports");
  EXPECT_EQ(error_of([] { fly(8, 7); }),
            "topology: arity 8 and 7 stages make more than 1048576 nodes; lower arity or stages");
}

}  // namespace
}  // namespace weft
