// SPDX-License-Identifier: Apache-2.0
// The judge of store-and-forward algorithms: a good one has no fault, and each planted fault is found, with its step.
// And what changes algorithms: steps of one round, sends that nobody needs, sums.
#include "forwarding_networks.h"

#include <gtest/gtest.h>

namespace weft::schedule {
namespace {

using fault_kind = forwarding_fault::kind;

/// Allgather on a one-way ring of three: each node passes on what it got.
forwarding_problem ring_of_three() { return make_forwarding(one_way(3), asks::Allgather); }
forwarding_algorithm passed_on() {
  return {{{1, {{0, 0, 1}, {1, 1, 2}, {2, 2, 0}}}, {1, {{2, 0, 1}, {0, 1, 2}, {1, 2, 0}}}}};
}

/// The first fault's kind; the judge must find one.
fault_kind first_fault(const forwarding_problem& p, const forwarding_algorithm& a, std::size_t step) {
  const auto faults = check_forwarding(p, a);
  EXPECT_FALSE(faults.empty());
  if (faults.empty()) return fault_kind::Rounds;
  EXPECT_EQ(faults.front().step, step) << faults.front().text;
  return faults.front().what;
}

TEST(forwarding_judge, passes_a_correct_algorithm) { EXPECT_EQ(faults_of(ring_of_three(), passed_on()), ""); }

TEST(forwarding_judge, finds_planted_faults) {
  const forwarding_problem p = ring_of_three();
  forwarding_algorithm a = passed_on();
  a.steps[1].rounds = 0;
  EXPECT_EQ(first_fault(p, a, 1), fault_kind::Rounds);

  a = passed_on();
  a.steps[0].sends[0].chunk = 3;
  EXPECT_EQ(first_fault(p, a, 0), fault_kind::Chunk);

  a = passed_on();
  a.steps[0].sends[0] = {0, 0, 2};
  EXPECT_EQ(first_fault(p, a, 0), fault_kind::Link);

  a = passed_on();
  a.steps[0].sends[0] = {2, 0, 1};  // node 0 gets chunk 2 in this step only
  EXPECT_EQ(first_fault(p, a, 0), fault_kind::NotHeld);

  a = passed_on();
  a.steps[1].sends.push_back({0, 0, 1});
  EXPECT_EQ(first_fault(p, a, 1), fault_kind::Bandwidth);

  a = passed_on();
  a.steps[1].sends.pop_back();
  EXPECT_EQ(first_fault(p, a, 0), fault_kind::Missing);
}

TEST(forwarding_judge, finds_more_than_links_share) {
  link_graph graph = one_way(3);
  graph.shared.push_back({"bus", {0, 1, 2}, {0, 1, 2}, 2});
  const forwarding_problem p = make_forwarding(graph, asks::Allgather);
  EXPECT_EQ(first_fault(p, passed_on(), 0), fault_kind::Bandwidth);
  forwarding_algorithm slower = passed_on();
  for (forwarding_step& step : slower.steps) step.rounds = 2;
  EXPECT_EQ(faults_of(p, slower), "");
}

/// Reduce to node 2 on a line 0 - 1 - 2.
TEST(forwarding_judge, adds_each_part_once) {
  link_graph line{"line", 3, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}}, {}};
  const forwarding_problem p = make_forwarding(line, asks::Reduce, 1, 2);
  const forwarding_algorithm good{{{1, {{0, 0, 1, true}}}, {1, {{0, 1, 2, true}}}}};
  EXPECT_EQ(faults_of(p, good), "");
  forwarding_algorithm early = good;
  std::swap(early.steps[0], early.steps[1]);
  EXPECT_EQ(first_fault(p, early, 0), fault_kind::Missing);
  forwarding_algorithm twice = good;
  twice.steps.push_back({1, {{0, 1, 2, true}}});
  EXPECT_EQ(first_fault(p, twice, 2), fault_kind::Twice);
  forwarding_algorithm kept = good;
  kept.steps[0].sends[0].add = false;
  EXPECT_EQ(first_fault(p, kept, 0), fault_kind::Partial);
}

TEST(forwarding_algorithm, is_cut_into_steps_of_one_round) {
  const forwarding_problem p = make_forwarding(one_way(2), asks::Allgather, 3);
  const forwarding_algorithm coarse{{{3, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 1, 0}, {4, 1, 0}, {5, 1, 0}}}}};
  ASSERT_EQ(faults_of(p, coarse), "");
  const forwarding_algorithm fine = in_unit_steps(p, coarse);
  EXPECT_EQ(fine.steps.size(), 3U);
  EXPECT_EQ(fine.rounds(), 3U);
  EXPECT_EQ(faults_of(p, fine), "");
}

TEST(forwarding_algorithm, loses_sends_that_nobody_needs) {
  const forwarding_problem p = make_forwarding(one_way(4), asks::Broadcast, 1, 0);
  forwarding_algorithm a{{{1, {{0, 0, 1}}}, {1, {{0, 1, 2}, {0, 0, 1}}}, {1, {{0, 2, 3}}}, {1, {{0, 3, 0}}}}};
  ASSERT_EQ(faults_of(p, a), "");
  a = without_idle(p, a);
  std::size_t sends = 0;
  for (const forwarding_step& step : a.steps) sends += step.sends.size();
  EXPECT_EQ(sends, 3U);
  EXPECT_EQ(faults_of(p, a), "");
}

TEST(forwarding_problem, refuses_what_cannot_be) {
  EXPECT_THROW(make_forwarding(one_way(3), asks::Allgather, 0), std::invalid_argument);
  EXPECT_THROW(make_forwarding(one_way(3), asks::Broadcast, 1, 3), std::invalid_argument);
  EXPECT_THROW(make_forwarding({"two", 2, {{0, 1, 1}}, {}}, asks::Allgather), std::invalid_argument);
  EXPECT_THROW(checked(link_graph{"loop", 2, {{0, 0, 1}}, {}}), std::invalid_argument);
  EXPECT_THROW(checked(link_graph{"twice", 2, {{0, 1, 1}, {0, 1, 1}}, {}}), std::invalid_argument);
  EXPECT_THROW(make_alltoallv(one_way(2), {{0, 1}}), std::invalid_argument);
  EXPECT_THROW(forwarding_collective_of("gossip"), std::invalid_argument);
}

}  // namespace
}  // namespace weft::schedule
