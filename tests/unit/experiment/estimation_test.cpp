// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/estimation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft::experiment {
namespace {

TEST(unit_experiment_estimation, histogram_of_known_numbers) {
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
  EXPECT_EQ(bins.width, 5u);  // with 2 there would be 51
  EXPECT_EQ(bins.first, 15u);
  EXPECT_EQ(bins.counts.size(), 21u);
  EXPECT_EQ(bins.counts.front(), 3u);  // 17, 18, 19
  EXPECT_EQ(bins.counts[1], 5u);
  EXPECT_EQ(bins.counts.back(), 2u);  // 115, 116
  EXPECT_TRUE(histogram().equal_bins(50).counts.empty());
}

RC_GTEST_PROP(unit_experiment_estimation, percentiles_of_any_numbers_are_nearest_ranks, ()) {
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

TEST(unit_experiment_estimation, students_t_as_in_tables) {
  EXPECT_NEAR(student_t(1), 12.706, 1e-3);
  EXPECT_NEAR(student_t(4), 2.776, 1e-3);
  EXPECT_NEAR(student_t(7), 2.3646, 1e-3);
  EXPECT_NEAR(student_t(10), 2.2281, 1e-3);
  EXPECT_NEAR(student_t(29), 2.0452, 1e-4);
  EXPECT_NEAR(student_t(60), 2.0003, 1e-4);
  EXPECT_NEAR(student_t(1'000'000), 1.96, 1e-4);
}

TEST(unit_experiment_estimation, half_width_by_hand) {
  // Mean 2, variance 1, t(2) = 4.3027: 4.3027 / sqrt(3).
  EXPECT_NEAR(*half_width({1, 2, 3}), 2.4842, 1e-4);
  EXPECT_FALSE(half_width({1}).has_value());
  EXPECT_FALSE(half_width({}).has_value());
}

TEST(unit_experiment_estimation, batches_of_a_window_are_thirtieths_of_it) {
  batch_means batches(100, 3000);
  // The first two batches hold 10 and 20; 30 and 40 share the third.
  batches.add(100, 10);
  batches.add(299, 20);
  batches.add(300, 30);
  batches.add(399, 40);
  // Batch means 10, 20, 35.
  EXPECT_NEAR(*batches.half_width_of_mean(), *half_width({10, 20, 35}), 1e-12);
  std::vector<double> rates(30, 0.0);
  rates[0] = 0.1;
  rates[1] = 0.2;
  rates[2] = 0.7;
  EXPECT_NEAR(*batches.half_width_of_rate(3100), *half_width(rates), 1e-12);
  // A window that ended early has fewer batches, and only whole ones.
  EXPECT_NEAR(*batches.half_width_of_rate(399), *half_width({0.1, 0.2}), 1e-12);
  EXPECT_FALSE(batches.half_width_of_rate(250).has_value());
}

TEST(unit_experiment_estimation, batches_without_an_end_merge) {
  batch_means batches(0, 0);
  for (cycle_t c = 0; c < 120; ++c) batches.add(c, c);
  // 60 batches of two cycles, with means 0.5, 2.5, …
  std::vector<double> means;
  for (int i = 0; i < 60; ++i) means.push_back(2 * i + 0.5);
  EXPECT_NEAR(*batches.half_width_of_mean(), *half_width(means), 1e-9);
  batches.add(1'000'000'000, 5);
  EXPECT_TRUE(batches.half_width_of_mean().has_value());
}

}  // namespace
}  // namespace weft::experiment
