// SPDX-License-Identifier: Apache-2.0
/// Bounds for the papers' networks, each with the argument that gives it; and bounds of small problems, which never
/// exceed the optimum.
#include "weft/collectives/schedule/bounds/bounds.h"

#include "unit/schedule/brute_force.h"
#include "unit/schedule/networks.h"
#include <map>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/bounds/ports.h"
#include "weft/collectives/schedule/bounds/transfer_flow.h"
#include "weft/collectives/schedule/combined_bounds.h"
#include "weft/collectives/schedule/solve.h"

namespace weft::schedule {
namespace {

TEST(unit_schedule_transfer_flow, follows_paths_of_any_length) {
  const step_network network(ring(200'000));
  node_set from(network.nodes()), to(network.nodes());
  from[0] = to[99'999] = true;
  EXPECT_EQ(transfer_flow(network).most(from, to), 1U);
}

std::map<argument, std::size_t> steps_of(const std::vector<bound>& bounds) {
  std::map<argument, std::size_t> steps;
  for (const bound& b : bounds) steps[b.why] = b.steps;
  return steps;
}

std::size_t best(const step_network& network, const collective& requested) {
  return best_of(find_bounds({network, checked(requested, network)}).start_ups).steps;
}

/// Bounds of broadcast and scatter, in this order each from node 0 and from all nodes.
std::vector<std::size_t> best_of_four(const topology& t, port_rule ports) {
  const step_network network(t, ports);
  const std::size_t nodes = network.nodes();
  return {
      best(network, one_to_all(operation::Broadcast, 0, nodes)), best(network, all_to_all(operation::Broadcast, nodes)),
      best(network, one_to_all(operation::Scatter, 0, nodes)), best(network, all_to_all(operation::Scatter, nodes))};
}

using four = std::vector<std::size_t>;

TEST(unit_schedule_bounds, match_known_values_for_rings) {
  EXPECT_EQ(best_of_four(ring(4, true), OnePort), (four{2, 3, 3, 6}));
  EXPECT_EQ(best_of_four(ring(8, true), OnePort), (four{3, 7, 7, 28}));
  EXPECT_EQ(best_of_four(ring(4), OnePort), (four{2, 3, 3, 3}));
  EXPECT_EQ(best_of_four(ring(8), OnePort), (four{3, 7, 7, 8}));
}

TEST(unit_schedule_bounds, match_known_values_for_hierarchical_rings) {
  EXPECT_EQ(best_of_four(h_rings({4, 4}), OnePort), (four{4, 15, 15, 32}));
  EXPECT_EQ(best_of_four(h_rings({4, 4, 4}), OnePort), (four{6, 63, 63, 512}));
  EXPECT_EQ(best_of_four(h_rings({4, 4, 4}, ring_representative::Corner), OnePort), (four{6, 63, 63, 512}));
}

TEST(unit_schedule_bounds, match_known_values_for_one_port_meshes) {
  EXPECT_EQ(best_of_four(mesh({4, 4}), OnePort), (four{4, 15, 15, 16}));
  EXPECT_EQ(best_of_four(mesh({6, 6}), OnePort), (four{6, 35, 35, 54}));
  EXPECT_EQ(best_of_four(mesh({8, 8}), OnePort), (four{6, 63, 63, 128}));
}

TEST(unit_schedule_bounds, match_known_values_for_all_port_meshes) {
  EXPECT_EQ(best_of_four(mesh({2, 4}), AllPorts), (four{2, 4, 4, 8}));
  EXPECT_EQ(best_of_four(mesh({3, 3}), AllPorts), (four{2, 4, 4, 6}));
  EXPECT_EQ(best_of_four(mesh({3, 4}), AllPorts), (four{2, 6, 6, 12}));
  EXPECT_EQ(best_of_four(mesh({4, 4}), AllPorts), (four{3, 8, 8, 16}));
  EXPECT_EQ(best_of_four(mesh({4, 8}), AllPorts), (four{3, 16, 16, 64}));
}

TEST(unit_schedule_bounds, match_known_values_for_fat_trees) {
  EXPECT_EQ(best_of_four(ft8(), OnePort), (four{3, 7, 7, 7}));
  EXPECT_EQ(best_of_four(gft9(), {}), (four{2, 3, 3, 3}));
  EXPECT_EQ(best_of_four(xgft12(), OnePort), (four{4, 11, 11, 14}));
  EXPECT_EQ(best_of_four(gft16(), {}), (four{3, 8, 8, 12}));
  EXPECT_EQ(best_of_four(ft32(), OnePort), (four{5, 31, 31, 31}));
}

TEST(unit_schedule_bounds, growth_bound_uses_the_port_count_of_each_node) {
  const step_network network(mesh({4, 8}), AllPorts);
  for (node_id root = 0; root < network.nodes(); ++root) {
    const problem p{network, one_to_all(operation::Broadcast, root, network.nodes())};
    EXPECT_EQ(steps_of(find_bounds(p).start_ups)[argument::Growth], 3U) << root;
  }
}

TEST(unit_schedule_bounds, consider_subtrees_as_cuts) {
  const step_network network(gft16());
  const bound cut = find_bounds({network, all_to_all(operation::Scatter, 16)}).start_ups[2];
  EXPECT_EQ(cut.why, argument::Cut);
  EXPECT_EQ(cut.text, "48 messages must leave nodes 0-3, over 4 channels");
}

TEST(unit_schedule_bounds, match_known_values_for_subsets_in_fat_octagons) {
  const step_network network(octagon(8, 2), OnePort);
  const std::vector<node_id> some{0, 2, 3, 4, 5, 6, 7, 8}, others{1, 9, 10, 11, 12, 13, 14, 15};
  std::vector<node_id> all(16);
  std::iota(all.begin(), all.end(), node_id{0});
  const auto of = [&](operation what, const std::vector<node_id>& from, const std::vector<node_id>& to) {
    return best(network, {what, from, to});
  };
  EXPECT_EQ(of(operation::Broadcast, some, some), 7U);
  EXPECT_EQ(of(operation::Broadcast, some, others), 9U) << "only seven can receive in the first step";
  EXPECT_EQ(of(operation::Broadcast, some, all), 9U);
  EXPECT_EQ(of(operation::Broadcast, all, all), 15U);
  EXPECT_EQ(of(operation::Scatter, some, some), 7U);
  EXPECT_EQ(of(operation::Scatter, some, others), 10U);
  EXPECT_EQ(of(operation::Scatter, some, all), 15U);
  EXPECT_EQ(of(operation::Scatter, all, all), 16U) << "the ring's channels alone";
}

TEST(unit_schedule_bounds, growth_bound_holds_for_combined_messages) {
  const step_network network(mesh({4, 4}), OnePort);
  const lower_bounds found = find_bounds({network, all_to_all(operation::Scatter, 16), path_rule::Any, true});
  EXPECT_EQ(best_of(found.start_ups).steps, 4U);
  EXPECT_EQ(best_of(found.occupancy).steps, 16U);
}

TEST(unit_schedule_bounds, reject_collectives_without_a_path) {
  const step_network network(one_link());
  EXPECT_EQ(best(network, one_to_all(operation::Scatter, 0, 2)), 1U);
  EXPECT_THROW(best(network, all_to_all(operation::Scatter, 2)), std::invalid_argument);
  EXPECT_THROW(best(network, all_to_all(operation::Broadcast, 2)), std::invalid_argument);
}

/// n0 only sends, n1 only receives, and n2 has no channel.
step_network one_way_network() {
  return {3, {"n0", "n1", "n2", "r0"}, {{channel_kind::Injection, 0, 3, 1}, {channel_kind::Ejection, 3, 1, 1}}};
}

TEST(unit_schedule_bounds, allow_idle_nodes_without_channels) {
  const step_network network = one_way_network();
  for (const operation what : {operation::Broadcast, operation::Scatter}) {
    const problem p{network, checked({what, {0}, {1}}, network)};
    const lower_bounds found = find_bounds(p);
    for (const bound& b : found.start_ups) EXPECT_LE(b.steps, 1U) << name_of(b.why);
    EXPECT_EQ(best_of(found.start_ups).steps, 1U);
    EXPECT_EQ(least_occupancy(p, 0), 1U);
    EXPECT_EQ(least_occupancy(p, 1), 1U);
  }
}

TEST(unit_schedule_bounds, reject_traffic_at_nodes_without_channels) {
  const step_network network = one_way_network();
  const step_network isolated(2, {"n0", "n1", "r0"}, {});
  for (const operation what : {operation::Broadcast, operation::Scatter}) {
    const std::vector<collective> impossible{{what, {0}, {2}}, {what, {2}, {1}}, {what, {0}, {1, 2}}, {what, {1}, {0}}};
    for (const collective& requested : impossible) {
      EXPECT_THROW(best(network, requested), std::invalid_argument);
      EXPECT_THROW(least_occupancy({network, requested}, 1), std::invalid_argument);
    }
    EXPECT_THROW(best(isolated, {what, {0}, {1}}), std::invalid_argument);
  }
  for (const traffic::kind what : {traffic::kind::Shared, traffic::kind::Personal, traffic::kind::Summed}) {
    EXPECT_THROW(busiest_sender(network, traffic(what, {0, 0, 1}, {false, true, false})), std::invalid_argument);
    EXPECT_THROW(busiest_receiver(network, traffic(what, {1, 0, 0}, {false, false, true})), std::invalid_argument);
    EXPECT_EQ(busiest_sender(network, traffic(what, {1, 0, 0}, {false, true, false})).node, 0U);
    EXPECT_EQ(busiest_receiver(network, traffic(what, {1, 0, 0}, {false, true, false})).node, 1U);
  }
}

TEST(unit_schedule_bounds, methods_accept_idle_nodes_without_channels) {
  const step_network network = one_way_network();
  const problem p{network, checked({operation::Broadcast, {0}, {1}}, network)};
  solve_options options;
  options.search = false;
  const answer found = solve(p, options);
  ASSERT_TRUE(found.best);
  EXPECT_EQ(found.best->start_ups(), 1U);
}

TEST(unit_schedule_bounds, brute_force_finds_known_optima) {
  const step_network ring_4(ring(4, true), OnePort), mesh_2x2(mesh({2, 2}), AllPorts);
  const auto optimum = [](const step_network& network, const collective& requested, bool combining = false) {
    return brute_force({network, requested, path_rule::Any, combining}).fewest_steps(9, 10'000'000);
  };
  EXPECT_EQ(optimum(ring_4, one_to_all(operation::Broadcast, 0, 4)), 2U);
  EXPECT_EQ(optimum(ring_4, all_to_all(operation::Broadcast, 4)), 3U);
  EXPECT_EQ(optimum(ring_4, one_to_all(operation::Scatter, 0, 4)), 3U);
  EXPECT_EQ(optimum(mesh_2x2, one_to_all(operation::Scatter, 0, 4)), 2U);
  EXPECT_EQ(optimum(mesh_2x2, all_to_all(operation::Broadcast, 4)), 2U);
  EXPECT_EQ(optimum(ring_4, all_to_all(operation::Broadcast, 4), true), 3U);
}

RC_GTEST_PROP(unit_schedule_bounds, are_never_above_the_optimum, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const topology t = small_network(random, 5);
  const step_network network(t, random() % 2 == 0 ? OnePort : port_rule{});
  const problem p{network, small_collective(random, network, 7), path_rule::Any, random() % 4 == 0};
  const std::optional<std::size_t> optimum = brute_force(p).fewest_steps(8, 300'000);
  RC_PRE(optimum.has_value());
  const lower_bounds found = find_bounds(p);
  for (const bound& b : found.start_ups) {
    if (b.steps > *optimum) RC_FAIL(std::string(name_of(b.why)) + ": " + b.text);
  }
  RC_CLASSIFY(best_of(found.start_ups).steps == *optimum, "met");
}

}  // namespace
}  // namespace weft::schedule
