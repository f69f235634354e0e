// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/solve.h"

#include "unit/schedule/networks.h"
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/schedule/check.h"

namespace weft::schedule {
namespace {

using ::testing::HasSubstr;

solve_options constructions_only() {
  solve_options options;
  options.search = false;
  return options;
}

std::string refusal(const problem& p, const solve_options& options) {
  try {
    solve(p, options);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "none";
}

TEST(schedule_solve, every_answer_is_right_and_keeps_to_the_bound) {
  for (const topology& t : {ring(5), mesh({3, 2}), ft8(), gft9(), octagon(8, 2), hypercube(3)}) {
    const step_network network(t);
    for (const operation what : {operation::Broadcast, operation::Scatter}) {
      for (const collective& asked : {one_to_all(what, 1, network.nodes()), all_to_all(what, network.nodes()),
                                      collective{what, {0, 2}, {1, 2, 3}}}) {
        for (const bool combining : {false, true}) {
          const problem p{network, asked, path_rule::Minimal, combining};
          const answer a = solve(p, constructions_only());
          ASSERT_TRUE(a.best) << t.kind << " " << name_of(asked, network.nodes());
          EXPECT_TRUE(check(p, *a.best).empty());
          EXPECT_GE(a.best->start_ups(), best_of(a.bounds.start_ups).steps);
          EXPECT_GE(a.best->occupancy(), best_of(a.bounds.occupancy).steps);
          EXPECT_EQ(a.optimal(), a.best->start_ups() == best_of(a.bounds.start_ups).steps);
        }
      }
    }
  }
}

TEST(schedule_solve, does_not_depend_on_threads) {
  const step_network network(mesh({3, 3}));
  const problem p{network, all_to_all(operation::Scatter, 9)};
  solve_options options = constructions_only();
  options.control.seed = 5;
  const answer one = solve(p, options);
  options.control.jobs = 4;
  const answer four = solve(p, options);
  EXPECT_EQ(one.by, four.by);
  EXPECT_EQ(cost_of(*one.best), cost_of(*four.best));
}

TEST(schedule_solve, one_method_alone) {
  const step_network network(ring(5));
  const problem p{network, all_to_all(operation::Broadcast, 5)};
  solve_options options;
  options.only = &method_named("greedy");
  const answer a = solve(p, options);
  ASSERT_EQ(a.attempts.size(), 1U);
  EXPECT_STREQ(a.by->name, "greedy");
  for (const method* m : methods()) {
    if (m->unfit(p).empty()) continue;
    options.only = m;
    EXPECT_EQ(refusal(p, options), std::string("method ") + m->name + " does not fit: " + m->unfit(p));
  }
}

TEST(schedule_solve, an_unknown_method_is_named_with_the_nearest) {
  try {
    method_named("gredy");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "no method 'gredy'; did you mean 'greedy'?");
  }
}

TEST(schedule_solve, stops_when_time_is_over_or_the_user_says_so) {
  const step_network network(ring(5));
  const problem p{network, all_to_all(operation::Scatter, 5)};
  solve_options options;
  options.control.deadline = std::chrono::steady_clock::now();
  EXPECT_TRUE(solve(p, options).out_of_time);
  options.control.deadline = std::chrono::steady_clock::time_point::max();
  options.control.stop = [] { return true; };
  EXPECT_TRUE(solve(p, options).out_of_time);
}

TEST(schedule_solve, a_receiver_out_of_reach_is_named) {
  topology t = ring(4, true);
  t.channels.pop_back();
  const step_network network(t);
  EXPECT_THAT(refusal({network, all_to_all(operation::Broadcast, 4)}, {}),
              HasSubstr("no path through routers leads from"));
}

}  // namespace
}  // namespace weft::schedule
