// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/solve.h"

#include "unit/schedule/networks.h"
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/collectives/schedule/check.h"

namespace weft::schedule {
namespace {

using ::testing::HasSubstr;

solve_options constructions_only() {
  solve_options options;
  options.search = false;
  return options;
}

std::string rejection(const problem& p, const solve_options& options) {
  try {
    solve(p, options);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "none";
}

TEST(unit_schedule_solve, answers_are_valid_and_respect_the_bounds) {
  for (const topology& t : {ring(5), mesh({3, 2}), ft8(), gft9(), octagon(8, 2), hypercube(3)}) {
    const step_network network(t);
    for (const operation what : {operation::Broadcast, operation::Scatter}) {
      for (const collective& requested : {one_to_all(what, 1, network.nodes()), all_to_all(what, network.nodes()),
                                          collective{what, {0, 2}, {1, 2, 3}}}) {
        for (const bool combining : {false, true}) {
          const problem p{network, requested, path_rule::Minimal, combining};
          const answer a = solve(p, constructions_only());
          ASSERT_TRUE(a.best) << t.kind << " " << name_of(requested, network.nodes());
          EXPECT_TRUE(check(p, *a.best).empty());
          EXPECT_GE(a.best->start_ups(), best_of(a.bounds.start_ups).steps);
          EXPECT_GE(a.best->occupancy(), best_of(a.bounds.occupancy).steps);
          EXPECT_EQ(a.optimal(), a.best->start_ups() == best_of(a.bounds.start_ups).steps);
        }
      }
    }
  }
}

TEST(unit_schedule_solve, does_not_depend_on_thread_count) {
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

TEST(unit_schedule_solve, can_run_a_single_method) {
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
    EXPECT_EQ(rejection(p, options), std::string("method ") + m->name + " does not fit: " + m->unfit(p));
  }
}

TEST(unit_schedule_solve, unknown_method_error_suggests_the_nearest) {
  try {
    method_named("gredy");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "no method 'gredy'; did you mean 'greedy'?");
  }
}

TEST(unit_schedule_solve, stops_at_the_deadline_or_on_request) {
  const step_network network(ring(5));
  const problem p{network, all_to_all(operation::Scatter, 5)};
  solve_options options;
  options.control.deadline = std::chrono::steady_clock::now();
  EXPECT_TRUE(solve(p, options).out_of_time);
  options.control.deadline = std::chrono::steady_clock::time_point::max();
  options.control.stop = [] { return true; };
  EXPECT_TRUE(solve(p, options).out_of_time);
}

TEST(unit_schedule_solve, rejects_unreachable_receivers) {
  topology t = ring(4, true);
  t.channels.pop_back();
  const step_network network(t);
  EXPECT_THAT(rejection({network, all_to_all(operation::Broadcast, 4)}, {}),
              HasSubstr("no path through routers leads from"));
}

}  // namespace
}  // namespace weft::schedule
