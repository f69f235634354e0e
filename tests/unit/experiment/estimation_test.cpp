// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/estimation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft::experiment {
namespace {

TEST(unit_experiment_estimation, histogram_matches_hand_calculation) {
  histogram h;
  for (const std::uint64_t x : {3, 1, 4, 1, 5, 9, 2, 6, 5, 3}) h.add(x);
  EXPECT_EQ(h.count(), 10u);
  EXPECT_EQ(h.min(), 1u);
  EXPECT_EQ(h.max(), 9u);
  EXPECT_DOUBLE_EQ(h.mean(), 3.9);
  // Sorted: 1 1 2 3 3 4 5 5 6 9; the rank of p % is p / 10, rounded up.
  EXPECT_EQ(h.percentile(10), 1u);
  EXPECT_EQ(h.percentile(50), 3u);
  EXPECT_EQ(h.percentile(51), 4u);
  EXPECT_EQ(h.percentile(90), 6u);
  EXPECT_EQ(h.percentile(90.1), 9u);
  EXPECT_EQ(h.percentile(99.9), 9u);
  EXPECT_EQ(h.percentile(100), 9u);
}

TEST(unit_experiment_estimation, bins_have_round_widths_and_hold_every_value) {
  histogram h;
  for (std::uint64_t x = 17; x <= 116; ++x) h.add(x);
  const histogram::bins bins = h.equal_bins(50);
  EXPECT_EQ(bins.width, 5u);  // with a width of 2 there would be 51 bins
  EXPECT_EQ(bins.first, 15u);
  EXPECT_EQ(bins.counts.size(), 21u);
  EXPECT_EQ(bins.counts.front(), 3u);  // values 17, 18, 19
  EXPECT_EQ(bins.counts[1], 5u);
  EXPECT_EQ(bins.counts.back(), 2u);  // values 115, 116
  EXPECT_TRUE(histogram().equal_bins(50).counts.empty());
}

RC_GTEST_PROP(unit_experiment_estimation, percentiles_approximate_nearest_ranks, ()) {
  const auto magnitude = *rc::gen::inRange<std::uint64_t>(1, 40);
  auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(
      rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << magnitude)));
  histogram h;
  for (const std::uint64_t v : values) h.add(v);
  std::sort(values.begin(), values.end());
  for (const double p : {1.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(p / 100 * static_cast<double>(values.size()) - 1e-6));
    const auto exact = static_cast<double>(values[std::max<std::size_t>(rank, 1) - 1]);
    const auto got = static_cast<double>(h.percentile(p));
    const double error = std::abs(got - exact);
    RC_ASSERT(error <= (exact < 4096 ? 0 : exact / 2048));
  }
  const histogram::bins bins = h.equal_bins(50);
  RC_ASSERT(bins.counts.size() <= 50u);
  std::uint64_t sum = 0;
  for (const std::uint64_t c : bins.counts) sum += c;
  RC_ASSERT(sum == values.size());
}

TEST(unit_experiment_estimation, student_t_matches_published_tables) {
  EXPECT_NEAR(student_t(1), 12.706, 1e-3);
  EXPECT_NEAR(student_t(4), 2.776, 1e-3);
  EXPECT_NEAR(student_t(7), 2.3646, 1e-3);
  EXPECT_NEAR(student_t(10), 2.2281, 1e-3);
  EXPECT_NEAR(student_t(29), 2.0452, 1e-4);
  EXPECT_NEAR(student_t(60), 2.0003, 1e-4);
  EXPECT_NEAR(student_t(1'000'000), 1.96, 1e-4);
}

}  // namespace
}  // namespace weft::experiment
