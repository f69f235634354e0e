// SPDX-License-Identifier: Apache-2.0
/// Methods end soon after they are told to, and what they found until then is kept.
#include "unit/schedule/costs.h"
#include "unit/schedule/networks.h"
#include <atomic>
#include <string>

#include <gtest/gtest.h>

#include "weft/schedule/check.h"
#include "weft/schedule/exact/placement.h"
#include "weft/schedule/exact/solver.h"
#include "weft/schedule/pareto.h"
#include "weft/schedule/solve.h"

namespace weft::schedule {
namespace {

/// A user who has enough once so many looks have been taken at the control.
class impatient_user {
 public:
  explicit impatient_user(std::size_t looks) : m_most(looks) {
    m_control.stop = [this] { return ++m_looks > m_most; };
  }
  search_control& control() { return m_control; }
  std::size_t looks_too_many() const { return m_looks > m_most ? m_looks - m_most : 0; }

 private:
  const std::size_t m_most;
  std::atomic<std::size_t> m_looks{0};
  search_control m_control;
};

/// As solve() runs it, but for what all methods have in common.
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
  constexpr std::size_t MostLooks = 64;  // until all loops have ended
  for (const method* m : methods()) {
    if (!m->unfit(p).empty()) continue;
    for (const std::size_t looks : {0, 1, 20, 400}) {
      impatient_user user(looks);
      const std::string where = name + ", " + m->name + ", stopped after " + std::to_string(looks);
      expect_right(p, run(*m, p, user.control()), where);
      EXPECT_LE(user.looks_too_many(), MostLooks) << where;
    }
  }
}

TEST(Stopping, EveryMethodEndsSoonAndWhatItFoundIsRight) {
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

TEST(Stopping, ClausesAreNotMadeForEver) {
  impatient_user user(3);
  solver s({1, nullptr, &user.control()});
  const literal a = s.fresh();
  std::size_t made = 0;
  EXPECT_THROW(for (; made < 1'000'000; ++made) s.clause({a, -a}), time_is_over);
  EXPECT_LT(made, 50'000U);
}

TEST(Stopping, LongPathsAreNotSoughtForEver) {
  const step_network network(mesh({8, 8}), OnePort);
  const problem p{network, all_to_all(S, 64), path_rule::Any};
  impatient_user user(10);
  const symmetry_group none = trivial_group(network);
  EXPECT_THROW(placement(p, none, path_limit{path_limit::AnyLength}, user.control()), time_is_over);
}

TEST(Stopping, WhatTheSolverFoundInGroupsIsKept) {
  const step_network network(h_rings({4, 6}), OnePort);
  const problem p{network, all_to_all(B, 24), path_rule::Minimal, true};
  // Stops in the midst of a pass, as soon as it has found something.
  search_control control;
  bool has_found = false;
  std::size_t looks = 0;
  control.tell = [&has_found](const std::string& line) { has_found |= line.rfind("combined:", 0) == 0; };
  control.stop = [&] { return has_found && ++looks > 5'000; };
  const std::vector<step_schedule> all = pareto(p, control);
  ASSERT_TRUE(has_found);
  combined_effort none;
  none.conflicts = 0;
  const std::vector<step_schedule> constructed = pareto(p, {}, none);
  EXPECT_LT(all.front().start_ups(), constructed.front().start_ups());
  for (const step_schedule& s : all) EXPECT_TRUE(check(p, s).empty());
}

TEST(Stopping, QuickConstructionsComeFirst) {
  const step_network network(h_rings({4, 4, 4}), OnePort);
  for (const operation what : {B, S}) {
    const problem p{network, all_to_all(what, 64), path_rule::Minimal, true};
    impatient_user user(2'000);
    solve_options options;
    options.control = user.control();
    const answer a = solve(p, options);
    EXPECT_TRUE(a.out_of_time);
    ASSERT_TRUE(a.best);
  }
}

}  // namespace
}  // namespace weft::schedule
