// SPDX-License-Identifier: Apache-2.0
// The checker of store-and-forward algorithms: it accepts a valid one and reports each planted fault with its step.
// Also transformations: division into steps of one round, removal of unnecessary sends, sums.
#include "forwarding_networks.h"

#include <gtest/gtest.h>

namespace weft::schedule {
namespace {

using violation_kind = forwarding_violation::kind;

/// Allgather on a one-way ring of three nodes: each node passes on what it received.
forwarding_problem ring_of_three() { return make_forwarding(one_way(3), collective_kind::Allgather); }
forwarding_algorithm passed_on() {
  return {{{1, {{0, 0, 1}, {1, 1, 2}, {2, 2, 0}}}, {1, {{2, 0, 1}, {0, 1, 2}, {1, 2, 0}}}}};
}

/// The kind of the first violation; the checker must find one in step \p step.
violation_kind first_violation(const forwarding_problem& p, const forwarding_algorithm& a, std::size_t step) {
  const auto violations = check_forwarding(p, a);
  EXPECT_FALSE(violations.empty());
  if (violations.empty()) return violation_kind::Rounds;
  EXPECT_EQ(violations.front().step, step) << violations.front().text;
  return violations.front().what;
}

TEST(unit_schedule_forwarding_check, accepts_a_correct_algorithm) {
  EXPECT_EQ(violations_of(ring_of_three(), passed_on()), "");
}

TEST(unit_schedule_forwarding_check, reports_planted_faults) {
  const forwarding_problem p = ring_of_three();
  forwarding_algorithm a = passed_on();
  a.steps[1].rounds = 0;
  EXPECT_EQ(first_violation(p, a, 1), violation_kind::Rounds);

  a = passed_on();
  a.steps[0].sends[0].chunk = 3;
  EXPECT_EQ(first_violation(p, a, 0), violation_kind::Chunk);

  a = passed_on();
  a.steps[0].sends[0] = {0, 0, 2};
  EXPECT_EQ(first_violation(p, a, 0), violation_kind::Link);

  a = passed_on();
  a.steps[0].sends[0] = {2, 0, 1};  // node 0 receives chunk 2 in this same step
  EXPECT_EQ(first_violation(p, a, 0), violation_kind::NotHeld);

  a = passed_on();
  a.steps[1].sends.push_back({0, 0, 1});
  EXPECT_EQ(first_violation(p, a, 1), violation_kind::Bandwidth);

  a = passed_on();
  a.steps[1].sends.pop_back();
  EXPECT_EQ(first_violation(p, a, 0), violation_kind::Missing);
}

TEST(unit_schedule_forwarding_check, reports_overuse_of_shared_bandwidth) {
  link_graph graph = one_way(3);
  graph.shared.push_back({"bus", {0, 1, 2}, {0, 1, 2}, 2});
  const forwarding_problem p = make_forwarding(graph, collective_kind::Allgather);
  EXPECT_EQ(first_violation(p, passed_on(), 0), violation_kind::Bandwidth);
  forwarding_algorithm slower = passed_on();
  for (forwarding_step& step : slower.steps) step.rounds = 2;
  EXPECT_EQ(violations_of(p, slower), "");
}

/// The algorithm reduces to node 2 on the line 0 - 1 - 2.
TEST(unit_schedule_forwarding_check, requires_each_part_to_be_added_once) {
  link_graph line{"line", 3, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}}, {}};
  const forwarding_problem p = make_forwarding(line, collective_kind::Reduce, 1, 2);
  const forwarding_algorithm good{{{1, {{0, 0, 1, true}}}, {1, {{0, 1, 2, true}}}}};
  EXPECT_EQ(violations_of(p, good), "");
  forwarding_algorithm early = good;
  std::swap(early.steps[0], early.steps[1]);
  EXPECT_EQ(first_violation(p, early, 0), violation_kind::Missing);
  forwarding_algorithm twice = good;
  twice.steps.push_back({1, {{0, 1, 2, true}}});
  EXPECT_EQ(first_violation(p, twice, 2), violation_kind::Twice);
  forwarding_algorithm kept = good;
  kept.steps[0].sends[0].add = false;
  EXPECT_EQ(first_violation(p, kept, 0), violation_kind::Partial);
}

TEST(unit_schedule_forwarding_algorithm, is_divided_into_steps_of_one_round) {
  const forwarding_problem p = make_forwarding(one_way(2), collective_kind::Allgather, 3);
  const forwarding_algorithm coarse{{{3, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 1, 0}, {4, 1, 0}, {5, 1, 0}}}}};
  ASSERT_EQ(violations_of(p, coarse), "");
  const forwarding_algorithm fine = in_unit_steps(p, coarse);
  EXPECT_EQ(fine.steps.size(), 3U);
  EXPECT_EQ(fine.rounds(), 3U);
  EXPECT_EQ(violations_of(p, fine), "");
}

TEST(unit_schedule_forwarding_algorithm, drops_unnecessary_sends) {
  const forwarding_problem p = make_forwarding(one_way(4), collective_kind::Broadcast, 1, 0);
  forwarding_algorithm a{{{1, {{0, 0, 1}}}, {1, {{0, 1, 2}, {0, 0, 1}}}, {1, {{0, 2, 3}}}, {1, {{0, 3, 0}}}}};
  ASSERT_EQ(violations_of(p, a), "");
  a = without_idle(p, a);
  std::size_t sends = 0;
  for (const forwarding_step& step : a.steps) sends += step.sends.size();
  EXPECT_EQ(sends, 3U);
  EXPECT_EQ(violations_of(p, a), "");
}

TEST(unit_schedule_forwarding_problem, rejects_impossible_problems) {
  EXPECT_THROW(make_forwarding(one_way(3), collective_kind::Allgather, 0), std::invalid_argument);
  EXPECT_THROW(make_forwarding(one_way(3), collective_kind::Broadcast, 1, 3), std::invalid_argument);
  EXPECT_THROW(make_forwarding({"two", 2, {{0, 1, 1}}, {}}, collective_kind::Allgather), std::invalid_argument);
  EXPECT_THROW(checked(link_graph{"loop", 2, {{0, 0, 1}}, {}}), std::invalid_argument);
  EXPECT_THROW(checked(link_graph{"twice", 2, {{0, 1, 1}, {0, 1, 1}}, {}}), std::invalid_argument);
  EXPECT_THROW(make_alltoallv(one_way(2), {{0, 1}}), std::invalid_argument);
  EXPECT_THROW(forwarding_collective_of("gossip"), std::invalid_argument);
}

}  // namespace
}  // namespace weft::schedule
