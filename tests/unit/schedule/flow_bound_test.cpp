// SPDX-License-Identifier: Apache-2.0
/// The linear program of flows: not below other bounds, never above the optimum, exact in whole numbers.
#include "weft/collectives/schedule/exact/flow_bound.h"

#include "unit/schedule/brute_force.h"
#include "unit/schedule/networks.h"
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/exact/flow_symmetry.h"
#include "weft/topology/generators/random_graph.h"

namespace weft::schedule {
namespace {

std::size_t all_to_all_flow(const topology& t, port_rule ports = OnePort) {
  const step_network network(t, ports);
  return find_flow_bound({network, all_to_all(operation::Scatter, network.nodes())})->steps;
}

TEST(unit_schedule_flow_bound, matches_known_values_of_the_papers_networks) {
  EXPECT_EQ(all_to_all_flow(ring(4, true)), 6U);
  EXPECT_EQ(all_to_all_flow(ring(8, true)), 28U);
  EXPECT_EQ(all_to_all_flow(h_rings({4, 4})), 32U);
  EXPECT_EQ(all_to_all_flow(h_rings({4, 4, 4})), 512U);
  EXPECT_EQ(all_to_all_flow(mesh({4, 4})), 16U);
  EXPECT_EQ(all_to_all_flow(mesh({8, 8})), 128U);
  EXPECT_EQ(all_to_all_flow(ft8()), 7U);
  EXPECT_EQ(all_to_all_flow(gft9(), {}), 3U);
  EXPECT_EQ(all_to_all_flow(xgft12()), 14U);
  EXPECT_EQ(all_to_all_flow(gft16(), {}), 12U);
  EXPECT_EQ(all_to_all_flow(ft32()), 31U);
  EXPECT_EQ(all_to_all_flow(mesh({4, 8}), AllPorts), 64U);
  EXPECT_EQ(all_to_all_flow(octagon(8, 2)), 16U);
}

TEST(unit_schedule_flow_bound, is_tighter_for_shortest_paths) {
  const step_network network(octagon(8, 2), OnePort);
  const std::vector<node_id> some{0, 2, 3, 4, 5, 6, 7, 8};
  const problem p{network, {operation::Scatter, some, some}};
  EXPECT_EQ(find_flow_bound(p, {}, journey::Relayed)->steps, 7U);
  EXPECT_EQ(find_flow_bound(p, {}, journey::Direct)->steps, 7U);
  EXPECT_EQ(find_flow_bound(p, {}, journey::Shortest)->steps, 10U);
}

TEST(unit_schedule_flow_bound, is_not_weaker_than_ports_cuts_and_load) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    random_graph_parameters parameters;
    parameters.routers = 12;
    parameters.degree = 3;
    parameters.seed = seed;
    const step_network network(make_random_graph(parameters), AllPorts);
    const problem p{network, all_to_all(operation::Scatter, network.nodes())};
    const std::size_t flow = find_flow_bound(p)->steps;
    for (const bound& b : find_bounds(p).start_ups) EXPECT_GE(flow, b.steps) << name_of(b.why) << ": " << b.text;
  }
}

TEST(unit_schedule_flow_bound, equivalent_channels_share_one_weight) {
  const step_network grid(mesh({8, 8}), OnePort), circle(torus({8, 8}), OnePort);
  const flow_colours of_grid = find_flow_colours(grid, traffic(all_to_all(operation::Scatter, 64), 64));
  EXPECT_EQ(of_grid.origins.size(), 10U);
  EXPECT_EQ(of_grid.channel_colours, 28U + 20U) << "links of an eighth of the grid; those of nodes, both ways";
  const flow_colours of_circle = find_flow_colours(circle, traffic(all_to_all(operation::Scatter, 64), 64));
  EXPECT_EQ(of_circle.origins.size(), 1U);
  EXPECT_EQ(of_circle.channel_colours, 3U);
  const flow_colours one = find_flow_colours(circle, traffic(one_to_all(operation::Scatter, 5, 64), 64));
  EXPECT_EQ(one.origins, (std::vector<std::vector<node_id>>{{5}}));
}

TEST(unit_schedule_flow_bound, is_weaker_but_valid_when_stopped) {
  const step_network network(mesh({8, 8}), OnePort);
  const problem p{network, all_to_all(operation::Scatter, 64)};
  search_control control;
  control.stop = [] { return true; };
  EXPECT_FALSE(find_flow_bound(p, control).has_value()) << "before a bound is found";
  std::size_t weaker = 0;
  for (int polls = 50; polls <= 2000; polls += 50) {
    control.stop = [left = polls]() mutable { return left-- <= 0; };
    const std::optional<flow_bound> found = find_flow_bound(p, control);
    if (!found) continue;
    EXPECT_GE(found->steps, 1U);
    EXPECT_LE(found->steps, 128U);
    weaker += found->steps < 128;
  }
  EXPECT_GT(weaker, 0U);
}

TEST(unit_schedule_flow_bound, reports_progress) {
  const step_network network(mesh({6, 6}), OnePort);
  search_control control;
  std::vector<std::string> lines;
  control.on_progress = [&](const std::string& line) { lines.push_back(line); };
  const std::optional<flow_bound> found = find_flow_bound({network, all_to_all(operation::Scatter, 36)}, control);
  EXPECT_EQ(found->steps, 54U);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front().substr(0, 28), "flow bound, round 1: between");
}

TEST(unit_schedule_flow_bound, is_verifiable_from_its_weights) {
  const step_network network(gft16());
  const collective requested = all_to_all(operation::Scatter, 16);
  const std::optional<flow_bound> found = find_flow_bound({network, requested});
  const std::uint64_t cost = least_cost(network, traffic(requested, 16), found->weights);
  EXPECT_EQ(divided_up(cost, cost_of_step(network, found->weights)), 12U);
}

TEST(unit_schedule_flow_bound, requires_a_feasible_scatter) {
  const step_network network(ring(4), OnePort);
  EXPECT_FALSE(find_flow_bound({network, all_to_all(operation::Broadcast, 4)}).has_value());
  topology apart;
  apart.routers.resize(2);
  apart.nodes.resize(2);
  for (node_id n = 0; n < 2; ++n) {
    apart.routers[n].ports = 1;
    apart.nodes[n].ports.push_back({n, 0});
  }
  const step_network two(apart);
  EXPECT_THROW(find_flow_bound({two, all_to_all(operation::Scatter, 2)}), std::invalid_argument);
}

RC_GTEST_PROP(unit_schedule_flow_bound, is_never_above_the_optimum, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const topology t = small_network(random, 5);
  const step_network network(t, random() % 2 == 0 ? OnePort : port_rule{});
  problem p{network, small_collective(random, network, 7)};
  p.requested.what = operation::Scatter;
  const std::optional<std::size_t> optimum = brute_force(p).fewest_steps(8, 100'000);
  RC_PRE(optimum.has_value());
  const std::optional<flow_bound> found = find_flow_bound(p);
  RC_ASSERT(found->steps <= *optimum);
  for (const bound& b : find_bounds(p).start_ups) {
    if (b.why != argument::Growth) RC_ASSERT(found->steps >= b.steps);
  }
}

}  // namespace
}  // namespace weft::schedule
