// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/time.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft::schedule {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// RINGS and FATTREE: 10 ns per start-up, 1 ns per byte.
constexpr time_model Papers{10, 1};

TEST(unit_schedule_time, matches_the_times_of_the_papers) {
  EXPECT_DOUBLE_EQ(time_of({8, 8}, Papers, 100), 880);    // RINGS, section 3
  EXPECT_DOUBLE_EQ(time_of({3, 7}, Papers, 100), 730);    // the same combined
  EXPECT_DOUBLE_EQ(time_of({6, 48}, Papers, 4), 252);     // RINGS Table 4, AAS on a 4x4 mesh
  EXPECT_DOUBLE_EQ(time_of({3, 7}, Papers, 64), 478);     // FATTREE Table VI, AAB on FT-8
  EXPECT_DOUBLE_EQ(time_of({33, 33}, Papers, 64), 2442);  // the same, AAS on FT-32
}

TEST(unit_schedule_time, fastest_of_two_schedules_changes_at_the_break_even_length) {
  const schedule_cost direct{12, 12}, combined{4, 20};
  ASSERT_TRUE(break_even(direct, combined));
  EXPECT_DOUBLE_EQ(*break_even(direct, combined), 1.0);
  EXPECT_EQ(fastest({direct, combined}, Papers, 9), 1U);
  EXPECT_EQ(fastest({direct, combined}, Papers, 11), 0U);
  EXPECT_FALSE(break_even({4, 4}, {5, 4}));
  EXPECT_FALSE(break_even({4, 4}, {4, 4}));
}

TEST(unit_schedule_time, ranges_omit_costs_that_are_never_fastest) {
  // (8, 30) is not dominated, but at any length slower than one of its neighbors.
  const std::vector<schedule_cost> costs{{16, 16}, {8, 30}, {4, 32}, {4, 40}};
  EXPECT_THAT(non_dominated(costs), ElementsAre(2, 1, 0));
  const std::vector<fastest_range> ranges = fastest_ranges(costs);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].position, 2U);
  EXPECT_EQ(ranges[1].position, 0U);
  EXPECT_DOUBLE_EQ(ranges[1].from, 0.75);
}

TEST(unit_schedule_time, table_shows_the_fastest_schedule_for_each_length) {
  const std::vector<time_row> rows{{"FT-8", {{{7, 7}, {3, 7}}, {}}}};
  EXPECT_EQ(time_table({"AAB", "AAS"}, rows, Papers, {8}),
            "| network | AAB, m = 8 | AAS, m = 8 |\n|---|---|---|\n| FT-8 | 86 (3/7) | |\n");
  EXPECT_THROW(time_table({"AAB"}, rows, Papers, {8}), std::invalid_argument);
}

std::vector<schedule_cost> any_costs() {
  const auto pairs = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<std::size_t, std::size_t>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(1, 40), rc::gen::inRange<std::size_t>(1, 40))));
  std::vector<schedule_cost> costs;
  for (const auto& [r, tco] : pairs) costs.push_back({r, tco});
  return costs;
}

RC_GTEST_PROP(unit_schedule_time_properties, both_schedules_take_equal_time_at_the_break_even_length, ()) {
  const std::vector<schedule_cost> costs = any_costs();
  const std::optional<double> x = break_even(costs.front(), costs.back());
  if (!x) return;
  const double length = *x * Papers.start_up / Papers.unit_time;
  const double a = time_of(costs.front(), Papers, length), b = time_of(costs.back(), Papers, length);
  RC_ASSERT(std::abs(a - b) < 1e-9 * a);
}

RC_GTEST_PROP(unit_schedule_time_properties, range_of_each_length_contains_the_fastest_schedule, ()) {
  const std::vector<schedule_cost> costs = any_costs();
  const double x = *rc::gen::inRange(1, 4000) / 100.0, length = x * Papers.start_up;
  std::size_t at = 0;
  for (const fastest_range& r : fastest_ranges(costs)) at = r.from <= x ? r.position : at;
  const double best = time_of(costs[fastest(costs, Papers, length)], Papers, length);
  RC_ASSERT(time_of(costs[at], Papers, length) <= best * (1 + 1e-9));
}

RC_GTEST_PROP(unit_schedule_time_properties, every_cost_is_dominated_by_or_equal_to_a_non_dominated_one, ()) {
  const std::vector<schedule_cost> costs = any_costs();
  const std::vector<std::size_t> kept = non_dominated(costs);
  for (const std::size_t a : kept) {
    for (const std::size_t b : kept) RC_ASSERT(!dominates(costs[a], costs[b]));
  }
  for (const schedule_cost& c : costs) {
    RC_ASSERT(
        std::any_of(kept.begin(), kept.end(), [&](std::size_t k) { return costs[k] == c || dominates(costs[k], c); }));
  }
}

}  // namespace
}  // namespace weft::schedule
