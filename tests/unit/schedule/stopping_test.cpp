// SPDX-License-Identifier: Apache-2.0
/// Methods end soon after a stop request and keep their results.
#include "unit/schedule/costs.h"
#include "unit/schedule/networks.h"
#include <atomic>
#include <string>

#include <gtest/gtest.h>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/exact/placement.h"
#include "weft/collectives/schedule/exact/solver.h"
#include "weft/collectives/schedule/pareto.h"
#include "weft/collectives/schedule/solve.h"

namespace weft::schedule {
namespace {

/// A control that stops the method after so many polls, like a user.
class stopping_user {
 public:
  explicit stopping_user(std::size_t polls) : m_most(polls) {
    m_control.stop = [this] { return ++m_polls > m_most; };
  }
  search_control& control() { return m_control; }
  std::size_t excess_polls() const { return m_polls > m_most ? m_polls - m_most : 0; }

 private:
  const std::size_t m_most;
  std::atomic<std::size_t> m_polls{0};
  search_control m_control;
};

/// Runs a method as solve() does, without the parts that all methods have in common.
search_result run(const method& m, const problem& p, const search_control& control) {
  return unless_over([&] { return m.run(p, control); });
}

void expect_right(const problem& p, const search_result& result, const std::string& where) {
  if (result.found) {
    EXPECT_TRUE(check(p, *result.found).empty()) << where;
  }
  for (const step_schedule& s : result.others) EXPECT_TRUE(check(p, s).empty()) << where;
}

void stop_all_methods(const problem& p, const std::string& name) {
  constexpr std::size_t MaxPolls = 64;  // polls until all loops have ended
  for (const method* m : methods()) {
    if (!m->unfit(p).empty()) continue;
    for (const std::size_t polls : {0, 1, 20, 400}) {
      stopping_user user(polls);
      const std::string where = name + ", " + m->name + ", stopped after " + std::to_string(polls);
      expect_right(p, run(*m, p, user.control()), where);
      EXPECT_LE(user.excess_polls(), MaxPolls) << where;
    }
  }
}

TEST(unit_schedule_stopping, every_method_stops_soon_with_a_valid_result) {
  for (const topology& t : {ring(6), mesh({3, 3}), octagon(8), h_rings({3, 4})}) {
    const step_network network(t, OnePort);
    for (const operation what : {B, S}) {
      for (const bool combining : {false, true}) {
        stop_all_methods({network, all_to_all(what, network.nodes()), path_rule::Minimal, combining}, t.kind);
        stop_all_methods({network, all_to_all(what, network.nodes()), path_rule::Any, combining}, t.kind);
        stop_all_methods({network, one_to_all(what, 1, network.nodes()), path_rule::Any, combining}, t.kind);
      }
    }
  }
}

TEST(unit_schedule_stopping, interrupts_clause_generation) {
  stopping_user user(3);
  solver s({1, nullptr, &user.control()});
  const literal a = s.fresh();
  std::size_t made = 0;
  EXPECT_THROW(for (; made < 1'000'000; ++made) s.clause({a, -a}), time_is_over);
  EXPECT_LT(made, 50'000U);
}

TEST(unit_schedule_stopping, interrupts_the_search_for_long_paths) {
  const step_network network(mesh({8, 8}), OnePort);
  const problem p{network, all_to_all(S, 64), path_rule::Any};
  stopping_user user(10);
  const symmetry_group none = trivial_group(network);
  EXPECT_THROW(placement(p, none, path_limit{path_limit::AnyLength}, user.control()), time_is_over);
}

TEST(unit_schedule_stopping, keeps_results_found_in_groups) {
  const step_network network(h_rings({4, 6}), OnePort);
  const problem p{network, all_to_all(B, 24), path_rule::Minimal, true};
  // Stops in the middle of a pass, as soon as there is a result.
  search_control control;
  bool has_found = false;
  std::size_t polls = 0;
  control.on_progress = [&has_found](const std::string& line) { has_found |= line.rfind("combined:", 0) == 0; };
  control.stop = [&] { return has_found && ++polls > 5'000; };
  const std::vector<step_schedule> all = pareto(p, control);
  ASSERT_TRUE(has_found);
  combined_effort none;
  none.conflicts = 0;
  const std::vector<step_schedule> constructed = pareto(p, {}, none);
  EXPECT_LT(all.front().start_ups(), constructed.front().start_ups());
  for (const step_schedule& s : all) EXPECT_TRUE(check(p, s).empty());
}

TEST(unit_schedule_stopping, quick_constructions_run_first) {
  const step_network network(h_rings({4, 4, 4}), OnePort);
  for (const operation what : {B, S}) {
    const problem p{network, all_to_all(what, 64), path_rule::Minimal, true};
    stopping_user user(2'000);
    solve_options options;
    options.control = user.control();
    const answer a = solve(p, options);
    EXPECT_TRUE(a.out_of_time);
    ASSERT_TRUE(a.best);
  }
}

}  // namespace
}  // namespace weft::schedule
