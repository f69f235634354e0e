// SPDX-License-Identifier: Apache-2.0
/// Combining schedules that CaDiCaL finds, and sets of schedules that do not dominate each other.
#include "weft/collectives/schedule/pareto.h"

#include "unit/schedule/costs.h"
#include "unit/schedule/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/combined_bounds.h"
#include "weft/collectives/schedule/constructions/combining_groups.h"
#include "weft/topology/generators/random_graph.h"

namespace weft::schedule {
namespace {

using testing::HasSubstr;

TEST(unit_schedule_pareto, gossip_on_4x4_mesh_minimizes_both_costs) {
  const step_network network(mesh({4, 4}), OnePort);
  const problem p{network, all_to_all(B, 16), path_rule::Minimal, true};
  const std::vector<step_schedule> found = pareto(p, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(check(p, found.front()).empty());
  EXPECT_EQ(found.front().start_ups(), least_start_ups(p));
  EXPECT_EQ(found.front().occupancy(), least_occupancy(p, 4));
}

TEST(unit_schedule_pareto, exchange_on_4x4_mesh_costs_no_more_than_on_hypercube) {
  const step_network network(mesh({4, 4}), OnePort);
  const problem p{network, all_to_all(S, 16), path_rule::Minimal, true};
  combined_effort effort;
  effort.more_start_ups = 0;
  effort.failures = 1;
  effort.conflicts = 40'000;
  const search_control control;
  combined_search search(p, {}, control, effort);
  std::vector<step_schedule> found;
  while (!search.is_done()) search.pass([&found](const step_schedule& s) { found.push_back(s); });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(check(p, found.front()).empty());
  EXPECT_EQ(found.front().start_ups(), 4U);
  EXPECT_EQ(found.front().occupancy(), least_occupancy(p, 4));
}

/// A schedule whose steps all carry the same amount costs 3/6.
TEST(unit_schedule_pareto, steps_of_an_optimal_schedule_can_differ_in_size) {
  const step_network network(joined(4, {{3, 0}, {3, 1}, {3, 2}, {2, 3}, {0, 3}, {1, 2}, {2, 1}}), OnePort);
  const problem p{network, all_to_all(S, 4), path_rule::Minimal, true};
  const std::vector<step_schedule> found = pareto(p, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(check(p, found.front()).empty());
  EXPECT_EQ(found.front().start_ups(), 3U);
  EXPECT_EQ(found.front().occupancy(), 4U);
}

TEST(unit_schedule_pareto, refutes_costs_below_the_optimum) {
  const step_network network(ring(4), OnePort);
  const problem p{network, all_to_all(B, 4), path_rule::Minimal, true};
  const symmetry_group none = trivial_group(network);
  EXPECT_TRUE(find_combined(p, {2, 3}, none, {}, 10'000).found);
  EXPECT_TRUE(find_combined(p, {2, 2}, none, {}, 10'000).refuted);
  EXPECT_TRUE(find_combined(p, {1, 3}, none, {}, 10'000).refuted);
}

TEST(unit_schedule_pareto, solves_larger_networks_by_exchanges_between_groups) {
  // 24 nodes give too many clauses, but the first nodes of the groups do not.
  const step_network network(h_rings({4, 6}), OnePort);
  const problem p{network, all_to_all(B, 24), path_rule::Minimal, true};
  combined_effort little;
  little.conflicts = 500;
  little.groups = 2;
  const std::vector<step_schedule> found = pareto(p, {}, little);
  for (const step_schedule& s : found) EXPECT_TRUE(check(p, s).empty());
  EXPECT_LE(found.front().start_ups(), 9U);
  EXPECT_EQ(found.back().occupancy(), 23U);
}

TEST(unit_schedule_pareto, exchanges_between_first_nodes_extend_to_whole_groups) {
  const step_network network(h_rings({3, 4}), OnePort);
  const problem p{network, all_to_all(S, 12), path_rule::Minimal, true};
  const problem core{network, *between_groups(p.requested, 3), path_rule::Minimal, true};
  round_router router(p);
  std::size_t found = 0;
  for (std::size_t occupancy = 4; occupancy <= 9; ++occupancy) {
    const auto s = find_combined(core, {3, occupancy}, trivial_group(network), {}, 2'000).found;
    if (!s) continue;
    ++found;
    EXPECT_TRUE(check(core, *s).empty());
    EXPECT_TRUE(check(p, in_groups(p, router, 3, *s)).empty());
  }
  EXPECT_GT(found, 0U);
}

TEST(unit_schedule_pareto, reports_unsupported_problems) {
  const step_network network(ring(4)), ports(mesh({3, 3}), AllPorts);
  EXPECT_THROW(pareto({network, all_to_all(B, 4)}, {}), std::invalid_argument);
  EXPECT_THAT(unfit_for_combined({ports, all_to_all(B, 9), path_rule::Minimal, true}), HasSubstr("one port"));
  EXPECT_THAT(combining_pareto().unfit({network, all_to_all(B, 4)}), HasSubstr("combining is off"));
}

RC_GTEST_PROP(unit_schedule_pareto_properties, no_result_dominates_another, ()) {
  random_graph_parameters g;
  g.routers = *rc::gen::inRange(4U, 8U);
  g.degree = g.routers % 2 == 0 ? 3 : 2;
  g.seed = *rc::gen::inRange(1U, 1000U);
  const step_network network(make_random_graph(g), OnePort);
  const problem p{network, all_to_all(*rc::gen::element(B, S), g.routers), path_rule::Minimal, true};
  combined_effort little;
  little.conflicts = 200;
  little.groups = 1;
  const std::vector<step_schedule> found = pareto(p, {}, little);
  RC_ASSERT(!found.empty());
  for (const step_schedule& a : found) {
    RC_ASSERT(check(p, a).empty());
    RC_ASSERT(a.start_ups() >= least_start_ups(p));
    RC_ASSERT(a.occupancy() >= least_occupancy(p, a.start_ups()));
    for (const step_schedule& b : found) RC_ASSERT(!dominates(cost_of(a), cost_of(b)));
  }
}

}  // namespace
}  // namespace weft::schedule
