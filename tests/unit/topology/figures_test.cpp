#include "weft/topology/figures.h"

#include "unit/topology/networks.h"
#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

using ::testing::DoubleEq;
using ::testing::Pointwise;

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

TEST(unit_topology_figures, of_an_8x8_mesh_are_those_of_the_textbook) {
  const topology_figures f = compute_figures(mesh_of({8, 8}));
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
  // k/4 flits per cycle on a middle channel, by 64/63 because none go to the sender: 32 * 32 / 63 / 8.
  EXPECT_DOUBLE_EQ(f.max_channel_load, 128.0 / 63.0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 63.0 / 128.0);
}

TEST(unit_topology_figures, self_traffic_loads_no_channel) {
  const topology_figures f = compute_figures(mesh_of({8, 8}), true);
  EXPECT_DOUBLE_EQ(f.max_channel_load, 2);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 0.5);
}

TEST(unit_topology_figures, throughput_is_capped_by_injection) {
  EXPECT_DOUBLE_EQ(compute_figures(mesh_of({2, 2})).ideal_throughput, 1);
  grid_parameters p;
  p.shape = {2, 2};
  p.options.nic_ports = 2;
  const topology_figures f = compute_figures(make_grid(p));
  EXPECT_DOUBLE_EQ(f.max_channel_load, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 1.5);  // two ports could inject 2, the channels carry 1.5
}

TEST(unit_topology_figures, the_longest_side_is_cut) {
  EXPECT_EQ(compute_figures(mesh_of({4, 8})).bisection_channels, 4U);
  EXPECT_EQ(compute_figures(mesh_of({4, 8})).bisection_method, "axis cut y < 4: 16 | 16 nodes");
  EXPECT_EQ(compute_figures(mesh_of({2, 3, 6})).bisection_channels, 6U);
  EXPECT_EQ(compute_figures(mesh_of({5})).bisection_channels, 1U);
  EXPECT_EQ(compute_figures(mesh_of({1, 7})).bisection_channels, 1U);
  EXPECT_EQ(compute_figures(mesh_of({5, 3})).bisection_method, "axis cut x < 2: 6 | 9 nodes");
}

TEST(unit_topology_figures, a_network_without_shape_is_cut_by_maximum_flow) {
  topology t = mesh_of({4, 4});
  t.shape.clear();
  topology_figures f = compute_figures(t);
  EXPECT_EQ(f.bisection_channels, 4U);
  EXPECT_EQ(f.bisection_method, "least cut between the nodes of routers 0 to 7 and of routers 8 to 15: 8 | 8 nodes");

  f = compute_figures(ring_of(6, [](router_id, node_id) { return vc_set{1}; }));
  EXPECT_EQ(f.bisection_channels, 1U);  // one way around only
  EXPECT_EQ(f.diameter, 5U);
  EXPECT_DOUBLE_EQ(f.mean_distance, 3);
}

/// Two leaf routers with two nodes each, 0 and 1, below \p spines routers without nodes.
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

TEST(unit_topology_figures, routers_without_nodes_count_as_hops_but_not_as_halves) {
  topology_figures f = compute_figures(leaves_and_spines(1));
  EXPECT_EQ(f.bisection_channels, 1U);
  EXPECT_EQ(f.bisection_method, "least cut between the nodes of routers 0 to 0 and of routers 1 to 1: 2 | 2 nodes");
  EXPECT_EQ(f.diameter, 2U);
  EXPECT_DOUBLE_EQ(f.mean_distance, (0 + 2 + 2) / 3.0);
  EXPECT_DOUBLE_EQ(f.mean_route_length, (0 + 2 + 2) / 3.0);
  EXPECT_DOUBLE_EQ(f.max_channel_load, 4.0 / 3.0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 0.75);

  f = compute_figures(leaves_and_spines(2));
  EXPECT_EQ(f.bisection_channels, 2U);
  EXPECT_DOUBLE_EQ(f.max_channel_load, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 1);
}

TEST(unit_topology_figures, all_nodes_at_one_router_have_no_bisection) {
  topology t = leaves_and_spines(1);
  t.nodes.resize(2);
  const topology_figures f = compute_figures(t);
  EXPECT_EQ(f.bisection_channels, 0U);
  EXPECT_EQ(f.bisection_method, "all nodes are at one router, which has no bisection");
  EXPECT_DOUBLE_EQ(f.mean_distance, 0);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 1);
}

TEST(unit_topology_figures, a_detour_shows_in_the_route_length) {
  const topology t = clockwise_square();
  const topology_figures f = compute_figures(t);
  EXPECT_DOUBLE_EQ(f.mean_distance, 4.0 / 3.0);
  EXPECT_DOUBLE_EQ(f.mean_route_length, 2);
  EXPECT_THAT(uniform_channel_loads(t), Pointwise(DoubleEq(), {0.0, 2.0, 2.0, 0.0, 2.0, 0.0, 0.0, 2.0}));
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 0.5);
}

TEST(unit_topology_figures, route_path_names_the_routers_traversed) {
  const topology t = clockwise_square();
  EXPECT_EQ(route_path(t, 0, 1), (std::vector<router_id>{0, 2, 3, 1}));
  EXPECT_EQ(route_channels(t, 0, 1), (std::vector<std::size_t>{1, 4, 7}));
  EXPECT_EQ(route_path(t, 2, 2), (std::vector<router_id>{2}));
  EXPECT_TRUE(route_channels(t, 2, 2).empty());
}

TEST(unit_topology_figures, a_route_that_leads_nowhere_is_an_error) {
  topology t = clockwise_square();
  t.routing[3] = table_rule(std::vector<route>(4, {0, 1}));  // +x, unconnected
  EXPECT_EQ(error_of([&] { route_path(t, 0, 1); }),
            "topology: the routing leads no packet from router 3 (1,1) to node 1");
  t.routing[1] = table_rule(std::vector<route>(4, {1, 1}));  // on, and around
  t.routing[3] = table_rule(std::vector<route>(4, {3, 1}));
  EXPECT_EQ(error_of([&] { route_path(t, 0, 1); }),
            "topology: the routing leads no packet from router 0 (0,0) to node 1");
}

RC_GTEST_PROP(unit_topology_figures, of_a_mesh_agree_with_the_formulas, ()) {
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 5);
  const shape_t shape = random_shape(dimensions, dimensions < 3 ? 9 : 4);
  const topology t = mesh_of(shape, random_order(dimensions));
  const topology_figures f = compute_figures(t);

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
  RC_ASSERT(f.bisection_channels == t.routers.size() / longest);
  // The busiest channels cross the middle of the longest side: from a near half to the rest, shared by the
  // cut.
  const double low = longest / 2, high = longest - longest / 2;
  const double load = nodes * low / longest * nodes * high / longest / (nodes - 1) / (nodes / longest);
  RC_ASSERT(near(f.max_channel_load, load));
  RC_ASSERT(near(f.ideal_throughput, std::min(1.0, 1 / load)));
}

RC_GTEST_PROP(unit_topology_figures, loads_are_those_of_all_paths_walked_one_by_one, ()) {
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
  // Each flit loads as many channels as its path is long.
  RC_ASSERT(near(std::accumulate(loads.begin(), loads.end(), 0.0),
                 static_cast<double>(nodes) * compute_figures(t).mean_route_length));
}

}  // namespace
}  // namespace weft
