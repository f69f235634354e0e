// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/metrics.h"

#include "unit/topology/random_networks.h"
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/random_graph.h"

namespace weft {
namespace {

using ::testing::DoubleEq;
using ::testing::Pointwise;

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

TEST(unit_topology_metrics, match_the_textbook_for_an_8x8_mesh) {
  const topology_metrics f = compute_metrics(mesh_of({8, 8}));
  EXPECT_EQ(f.routers, 64U);
  EXPECT_EQ(f.nodes, 64U);
  EXPECT_EQ(f.channels, 224U);
  EXPECT_EQ(f.min_degree, 2U);
  EXPECT_EQ(f.max_degree, 4U);
  EXPECT_EQ(f.diameter, 14U);
  EXPECT_DOUBLE_EQ(f.mean_distance, 16.0 / 3.0);
  EXPECT_DOUBLE_EQ(f.mean_route_length, 16.0 / 3.0);
  EXPECT_EQ(f.bisection_channels, 8U);
  EXPECT_EQ(f.bisection_method, "axis cut x < 4: 32 | 32 nodes");
  // A middle channel carries k/4 flits per cycle times 64/63, as no packet goes to its sender: 32 * 32 / 63 / 8.
  EXPECT_DOUBLE_EQ(f.max_channel_load, 128.0 / 63.0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 63.0 / 128.0);
}

TEST(unit_topology_metrics, self_traffic_adds_no_channel_load) {
  const topology_metrics f = compute_metrics(mesh_of({8, 8}), true);
  EXPECT_DOUBLE_EQ(f.max_channel_load, 2);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 0.5);
}

TEST(unit_topology_metrics, throughput_is_capped_by_injection) {
  EXPECT_DOUBLE_EQ(compute_metrics(mesh_of({2, 2})).ideal_throughput, 1);
  grid_parameters p;
  p.shape = {2, 2};
  p.options.nic_ports = 2;
  const topology_metrics f = compute_metrics(make_grid(p));
  EXPECT_DOUBLE_EQ(f.max_channel_load, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 1.5);  // two ports could inject 2 flits per cycle, the channels carry 1.5
}

TEST(unit_topology_metrics, estimates_throughput_from_sampled_distances) {
  random_graph_parameters p;
  p.routers = 4096;
  p.degree = 4;
  expected_loads unknown;
  unknown.destinations = 1;
  topology t = make_random_graph_unrouted(p);
  t.routing.assign(t.routers.size(), route_rule());
  const topology_metrics f = compute_metrics(t, unknown, false);
  EXPECT_GT(f.distance_sources, 0U);
  EXPECT_NEAR(f.ideal_throughput, 4 / f.mean_distance, 1e-9);
  EXPECT_THAT(f.throughput_method, testing::StartsWith("links for the hops of all packets, estimated from "));
}

TEST(unit_topology_metrics, bisection_cuts_the_longest_side) {
  EXPECT_EQ(compute_metrics(mesh_of({4, 8})).bisection_channels, 4U);
  EXPECT_EQ(compute_metrics(mesh_of({4, 8})).bisection_method, "axis cut y < 4: 16 | 16 nodes");
  EXPECT_EQ(compute_metrics(mesh_of({2, 3, 6})).bisection_channels, 6U);
  EXPECT_EQ(compute_metrics(mesh_of({5})).bisection_channels, 1U);
  EXPECT_EQ(compute_metrics(mesh_of({1, 7})).bisection_channels, 1U);
}

TEST(unit_topology_metrics, bisection_of_odd_sides_follows_a_stepped_cut) {
  const topology_metrics f = compute_metrics(mesh_of({5, 3}));
  EXPECT_EQ(f.bisection_channels, 4U);
  EXPECT_EQ(f.bisection_method, "cut along x = 2: 7 | 8 nodes");
  EXPECT_EQ(compute_metrics(mesh_of({3, 3, 3})).bisection_channels, 13U);  // 9 + 3 + 1
}

TEST(unit_topology_metrics, bisection_is_searched_in_networks_without_shape) {
  topology t = mesh_of({4, 4});
  t.shape.clear();
  topology_metrics f = compute_metrics(t);
  EXPECT_EQ(f.bisection_channels, 4U);
  EXPECT_EQ(f.bisection_method, "least of all partitions: 8 | 8 nodes");
  EXPECT_TRUE(f.bisection_exact);

  f = compute_metrics(ring_of(6, [](router_id, node_id) { return vc_set{1}; }));
  EXPECT_EQ(f.bisection_channels, 1U);  // channels of one direction only
  EXPECT_EQ(f.diameter, 5U);
  EXPECT_DOUBLE_EQ(f.mean_distance, 3);
}

/// Two leaf routers, 0 and 1, with two nodes each below \p spines routers without nodes.
topology leaves_and_spines(unsigned spines) {
  topology t;
  t.kind = "tree";
  for (router_id leaf = 0; leaf < 2; ++leaf) {
    t.routers.push_back({2 + spines, std::vector<std::string>(2 + spines, "p"), {}});
    for (std::uint32_t i = 0; i < 2; ++i) t.nodes.push_back({{{leaf, i}}, 1, {}});
  }
  for (std::uint32_t s = 0; s < spines; ++s) {
    t.routers.push_back({2, {"a", "b"}, {}});
    for (router_id leaf = 0; leaf < 2; ++leaf) {
      t.channels.push_back({{leaf, 2 + s}, {2 + s, leaf}, 1});
      t.channels.push_back({{2 + s, leaf}, {leaf, 2 + s}, 1});
    }
  }
  t.routing.resize(t.routers.size());
  for (router_id r = 0; r < t.routers.size(); ++r) {
    std::vector<route> by_destination;
    for (node_id d = 0; d < 4; ++d) {
      const router_id leaf = d / 2;
      const auto port = static_cast<std::uint8_t>(r >= 2 ? leaf : r == leaf ? d % 2 : 2 + d % spines);
      by_destination.push_back({port, 1});
    }
    t.routing[r] = table_rule(by_destination);
  }
  return t;
}

TEST(unit_topology_metrics, routers_without_nodes_count_only_as_hops) {
  topology_metrics f = compute_metrics(leaves_and_spines(1));
  EXPECT_EQ(f.bisection_channels, 1U);
  EXPECT_EQ(f.bisection_method, "least of all partitions: 2 | 2 nodes");
  EXPECT_EQ(f.diameter, 2U);
  EXPECT_DOUBLE_EQ(f.mean_distance, (0 + 2 + 2) / 3.0);
  EXPECT_DOUBLE_EQ(f.mean_route_length, (0 + 2 + 2) / 3.0);
  EXPECT_DOUBLE_EQ(f.max_channel_load, 4.0 / 3.0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 0.75);

  f = compute_metrics(leaves_and_spines(2));
  EXPECT_EQ(f.bisection_channels, 2U);
  EXPECT_DOUBLE_EQ(f.max_channel_load, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 1);
}

TEST(unit_topology_metrics, no_bisection_exists_if_all_nodes_share_a_router) {
  topology t = leaves_and_spines(1);
  t.nodes.resize(2);
  const topology_metrics f = compute_metrics(t);
  EXPECT_EQ(f.bisection_channels, 0U);
  EXPECT_EQ(f.bisection_method, "all nodes are at one router, which has no bisection");
  EXPECT_DOUBLE_EQ(f.mean_distance, 0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 1);
}

TEST(unit_topology_metrics, route_length_includes_detours) {
  const topology t = clockwise_square();
  const topology_metrics f = compute_metrics(t);
  EXPECT_DOUBLE_EQ(f.mean_distance, 4.0 / 3.0);
  EXPECT_DOUBLE_EQ(f.mean_route_length, 2);
  EXPECT_THAT(uniform_channel_loads(t), Pointwise(DoubleEq(), {0.0, 2.0, 2.0, 0.0, 2.0, 0.0, 0.0, 2.0}));
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 0.5);
}

TEST(unit_topology_metrics, route_path_lists_the_traversed_routers) {
  const topology t = clockwise_square();
  EXPECT_EQ(route_path(t, 0, 1), (std::vector<router_id>{0, 2, 3, 1}));
  EXPECT_EQ(route_channels(t, 0, 1), (std::vector<std::size_t>{1, 4, 7}));
  EXPECT_EQ(route_path(t, 2, 2), (std::vector<router_id>{2}));
  EXPECT_TRUE(route_channels(t, 2, 2).empty());
}

TEST(unit_topology_metrics, reject_routes_that_never_arrive) {
  topology t = clockwise_square();
  t.routing[3] = table_rule(std::vector<route>(4, {0, 1}));  // +x, not connected
  EXPECT_EQ(error_of([&] { route_path(t, 0, 1); }), "topology: the routing has no route from router 3 (1,1) to node 1");
  t.routing[1] = table_rule(std::vector<route>(4, {1, 1}));  // router 1 sends on, so packets circulate
  t.routing[3] = table_rule(std::vector<route>(4, {3, 1}));
  EXPECT_EQ(error_of([&] { route_path(t, 0, 1); }), "topology: the routing has no route from router 0 (0,0) to node 1");
}

RC_GTEST_PROP(unit_topology_metrics, match_the_formulas_for_meshes, ()) {
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 5);
  const shape_t shape = random_shape(dimensions, dimensions < 3 ? 9 : 4);
  const topology t = mesh_of(shape, random_order(dimensions));
  const topology_metrics f = compute_metrics(t);

  double nodes = 1, distance = 0;
  std::uint32_t diameter = 0, longest = 0;
  std::size_t channels = 0;
  unsigned least = 0, most = 0;
  for (const std::uint32_t k : shape) {
    nodes *= k;
    distance += (static_cast<double>(k) * k - 1) / (3.0 * k);
    diameter += k - 1;
    longest = std::max(longest, k);
    channels += 2 * t.routers.size() / k * (k - 1);
    least += k > 1;
    most += std::min(k - 1, 2U);
  }
  RC_ASSERT(f.channels == channels);
  RC_ASSERT(f.diameter == diameter);
  RC_ASSERT(f.min_degree == least);
  RC_ASSERT(f.max_degree == most);
  RC_ASSERT(near(f.mean_distance, distance * nodes / (nodes - 1)));
  RC_ASSERT(near(f.mean_route_length, f.mean_distance));
  shape_t falling = shape;
  std::sort(falling.rbegin(), falling.rend());
  std::size_t cut = 0, slice = t.routers.size();  // formula of Azizoğlu and Eğecioğlu 2003
  for (const std::uint32_t k : falling) {
    if (k == 1) break;
    cut += slice /= k;
    if (k % 2 == 0) break;
  }
  RC_ASSERT(f.bisection_channels == cut);
  // The busiest channels cross the middle of the longest side. They share the traffic from the near half to the
  // other.
  const double low = longest / 2, high = longest - longest / 2;
  const double load = nodes * low / longest * nodes * high / longest / (nodes - 1) / (nodes / longest);
  RC_ASSERT(near(f.max_channel_load, load));
  RC_ASSERT(near(f.ideal_throughput, std::min(1.0, 1 / load)));
}

RC_GTEST_PROP(unit_topology_metrics, loads_match_the_sum_over_all_paths, ()) {
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 4);
  const topology t = mesh_of(random_shape(dimensions, 4), random_order(dimensions));
  const std::size_t nodes = t.nodes.size();
  std::vector<double> expected(t.channels.size());
  for (node_id s = 0; s < nodes; ++s) {
    for (node_id d = 0; d < nodes; ++d) {
      if (s == d) continue;
      for (const std::size_t c : route_channels(t, s, d)) expected[c] += 1.0 / static_cast<double>(nodes - 1);
    }
  }
  const std::vector<double> loads = uniform_channel_loads(t);
  RC_ASSERT(std::equal(loads.begin(), loads.end(), expected.begin(), expected.end(), near));
  // Each flit loads as many channels as its path has hops.
  RC_ASSERT(near(std::accumulate(loads.begin(), loads.end(), 0.0),
                 static_cast<double>(nodes) * compute_metrics(t).mean_route_length));
}

// ---- All families ----

constexpr auto Unlimited = std::numeric_limits<std::size_t>::max();

bool near_all(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), near);
}

RC_GTEST_PROP(unit_topology_metrics, grid_formulas_match_search, ()) {
  topology t = random_grid(grid_algorithm::DimensionOrder);
  const topology_metrics by_formula = compute_metrics(t);
  t.shape.clear();  // no longer recognized as a grid
  const topology_metrics by_search = compute_metrics(t);
  RC_ASSERT(by_formula.diameter == by_search.diameter);
  RC_ASSERT(near(by_formula.mean_distance, by_search.mean_distance));
  RC_ASSERT(near(by_formula.max_channel_load, by_search.max_channel_load));
  RC_ASSERT(near(by_formula.mean_route_length, by_search.mean_route_length));
  RC_ASSERT(by_search.distance_sources == 0U);
}

RC_GTEST_PROP(unit_topology_metrics, grid_load_formula_matches_followed_packets, ()) {
  const topology t = random_grid(random_oblivious(), 5);
  const expected_loads formula = find_loads(t, 1), followed = follow_loads(t, Unlimited);
  RC_ASSERT(formula.destinations == 0U);
  RC_ASSERT(near_all(formula.channels, followed.channels));
  RC_ASSERT(near(formula.mean_route, followed.mean_route));
}

RC_GTEST_PROP(unit_topology_metrics, loads_are_the_mean_over_all_path_ids, ()) {
  topology t;
  if (*rc::gen::arbitrary<bool>())
    t = random_grid(random_oblivious(), 4);
  else
    t = tree_of(*rc::gen::inRange(2U, 4U), *rc::gen::inRange(1U, 4U), ascent::Random);
  const std::uint64_t path_id_count = t.nodes.front().path_ids.count;
  std::vector<double> expected(t.channels.size());
  for (std::uint64_t path_id = 0; path_id < path_id_count; ++path_id) {
    topology one = t;  // here all packets use this path id
    for (node_attachment& node : one.nodes) node.path_ids.by_destination.assign(t.nodes.size(), path_id);
    for (node_id s = 0; s < t.nodes.size(); ++s)
      for (node_id d = 0; d < t.nodes.size(); ++d)
        if (s != d)
          for (const std::size_t c : route_channels(one, s, d))
            expected[c] += 1 / (static_cast<double>(path_id_count) * static_cast<double>(t.nodes.size() - 1));
  }
  RC_ASSERT(near_all(uniform_channel_loads(t), expected));
}

RC_GTEST_PROP(unit_topology_metrics, loads_by_source_sum_to_the_total, ()) {
  const topology t = *rc::gen::arbitrary<bool>() ? random_grid(random_oblivious(), 4) : random_graph(12, 3);
  const std::vector<double> sums = follow_loads(t, Unlimited).channels;
  const auto by_source = loads_by_source(t);
  for (std::size_t c = 0; c < sums.size(); ++c)
    RC_ASSERT(near(std::accumulate(by_source[c].begin(), by_source[c].end(), 0.0), sums[c]));
}

TEST(unit_topology_metrics, loads_follow_source_routes) {
  topology t = mesh_of({2, 2});
  for (router_id r = 0; r < 4; ++r) t.routing[r] = source_rule{1};
  const topology by_table = mesh_of({2, 2});
  for (node_id s = 0; s < 4; ++s)
    for (node_id d = 0; d < 4; ++d) {
      std::vector<unsigned> ports;
      for (const std::size_t c : route_channels(by_table, s, d)) ports.push_back(by_table.channels[c].from.port);
      ports.push_back(4);
      t.nodes[s].path_ids.by_destination.push_back(source_path::pack(ports));
    }
  EXPECT_THAT(uniform_channel_loads(t), Pointwise(DoubleEq(), uniform_channel_loads(by_table)));
}

TEST(unit_topology_metrics, hypercube_formulas_match_search) {
  hypercube_parameters p;
  p.dimensions = 6;
  topology t = make_hypercube(p);
  const topology_metrics f = compute_metrics(t);
  EXPECT_EQ(f.diameter, 6U);
  EXPECT_DOUBLE_EQ(f.mean_distance, 3 * 64.0 / 63);
  EXPECT_EQ(f.bisection_channels, 32U);
  EXPECT_TRUE(f.bisection_exact);
  EXPECT_DOUBLE_EQ(f.max_channel_load, 32.0 / 63);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 1);
  t.kind = "graph";
  const topology_metrics searched = compute_metrics(t);
  EXPECT_EQ(searched.diameter, 6U);
  EXPECT_NEAR(searched.mean_distance, f.mean_distance, 1e-9);
  EXPECT_GE(searched.bisection_channels, 32U);
  p.nodes = 4;
  p.adaptive = true;
  EXPECT_DOUBLE_EQ(compute_metrics(make_hypercube(p)).ideal_throughput, 255.0 / 256 * 2 / 4);
}

TEST(unit_topology_vcs, reports_the_vcs_in_use_and_the_fewest_that_suffice) {
  EXPECT_EQ(vcs_used(mesh_of({4, 4})), 4U);
  const auto torus = [](unsigned vcs) {
    topology t = grid_of({4, 4}, true, grid_algorithm::DimensionOrder);
    for (route_rule& rule : t.routing) rule.as<grid_rule>()->vcs = first_vcs(vcs);
    return t;
  };
  EXPECT_EQ(vcs_used(torus(6)), 6U);
  EXPECT_EQ(least_vcs(torus, 6), 2U);
  EXPECT_EQ(least_vcs(torus, 1), 0U);
  EXPECT_EQ(least_vcs(torus, 6, 2), 2U);
  EXPECT_EQ(least_vcs([](unsigned) { return mesh_of({3, 3}); }, 4), 4U);  // this mesh uses four VCs
  EXPECT_EQ(least_vcs([](unsigned) { return clockwise_square(); }, 4), 0U);
}

}  // namespace
}  // namespace weft
