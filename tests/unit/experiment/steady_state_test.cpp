// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/steady_state.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The length, at each of \p samples, of a queue with load \p load that serves on average one flit per step.
std::vector<std::uint32_t> queue_of(unsigned seed, double load, std::size_t samples) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> lengths;
  std::int64_t flits = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    for (int k = 0; k < 20; ++k) {
      if (std::uniform_real_distribution<double>(0, 1)(random) < load / 5) flits += 5;
      flits = std::max<std::int64_t>(0, flits - 1);
    }
    lengths.push_back(static_cast<std::uint32_t>(flits));
  }
  return lengths;
}

queue_watch::growth estimate_growth(const std::vector<std::vector<std::uint32_t>>& queues) {
  queue_watch watch(queues.size());
  for (std::size_t i = 0; i < queues.front().size(); ++i) {
    std::vector<std::uint32_t> now;
    for (const auto& queue : queues) now.push_back(queue[i]);
    watch.sample(now, std::accumulate(now.begin(), now.end(), std::uint64_t{0}));
  }
  return watch.estimate_growth(5);
}

TEST(unit_experiment_steady_state, overloaded_queues_grow) {
  for (const std::size_t samples : {400u, 1000u, 10'000u})
    for (unsigned seed = 1; seed <= 20; ++seed)
      EXPECT_THAT(estimate_growth({queue_of(seed, 0.5, samples), queue_of(seed + 100, 1.2, samples)}).nodes,
                  ElementsAre(1))
          << seed;
}

TEST(unit_experiment_steady_state, long_queues_that_run_empty_do_not_grow) {
  for (unsigned seed = 1; seed <= 50; ++seed)
    EXPECT_THAT(estimate_growth({queue_of(seed, 0.9, 1000), queue_of(seed + 100, 0.8, 1000)}).nodes, IsEmpty()) << seed;
}

TEST(unit_experiment_steady_state, sufficient_window_is_a_hundred_correlation_times) {
  EXPECT_EQ(sufficient_window(0), 0u);
  EXPECT_EQ(sufficient_window(70), 7000u);
}

TEST(unit_experiment_steady_state, growth_matches_hand_calculation) {
  std::vector<std::uint32_t> rising, level(160, 1000), slow;
  for (std::uint32_t i = 0; i < 160; ++i) {
    rising.push_back(3 * i);
    slow.push_back(i / 20);
  }
  const queue_watch::growth found = estimate_growth({level, rising, slow});
  EXPECT_THAT(found.nodes, ElementsAre(1));     // `slow` grows by less than two packets
  EXPECT_NEAR(found.flits, 3 * 130 + 6.5, 10);  // quarters of 10 to 16 groups of samples
  std::vector<std::uint32_t> dip = rising;
  dip[120] = 0;  // the queue was empty once
  EXPECT_THAT(estimate_growth({dip}).nodes, IsEmpty());
  EXPECT_THAT(estimate_growth({{1, 2, 3, 4, 5, 6, 7}}).nodes, IsEmpty());  // too few samples
}

TEST(unit_experiment_steady_state, total_may_grow_though_no_single_queue_does) {
  // Each queue is empty now and then, a different one at each sample; together they gain 12 flits per sample.
  std::vector<std::vector<std::uint32_t>> queues(4, std::vector<std::uint32_t>(160));
  for (std::uint32_t i = 0; i < 160; ++i)
    for (std::uint32_t n = 0; n < 4; ++n) queues[n][i] = i % 4 == n ? 0 : 4 * i;
  const queue_watch::growth found = estimate_growth(queues);
  EXPECT_THAT(found.nodes, IsEmpty());
  EXPECT_TRUE(found.network);
  EXPECT_TRUE(found.without_limit());
  for (auto& queue : queues) std::reverse(queue.begin(), queue.end());
  EXPECT_FALSE(estimate_growth(queues).without_limit());
}

TEST(unit_experiment_steady_state, growth_in_the_second_half_counts_for_any_sample_count) {
  for (const std::uint32_t samples : {96u, 128u, 208u, 240u, 252u}) {  // these give 12 to 16 groups
    std::vector<std::uint32_t> late;
    for (std::uint32_t i = 0; i < samples; ++i)
      late.push_back(i % 3 + (i < samples * 7 / 16 ? 0 : i - samples * 7 / 16));
    EXPECT_THAT(estimate_growth({late}).nodes, ElementsAre(0)) << samples;
  }
}

TEST(unit_experiment_steady_state, a_collapse_is_growth_without_a_linear_trend) {
  queue_watch watch(1);
  for (std::uint32_t i = 0; i < 160; ++i) {
    const std::uint32_t flits = i < 70 ? 10 : i < 110 ? 2000 + i : 200;
    watch.sample({flits}, flits);
  }
  EXPECT_TRUE(watch.estimate_growth(5, queue_watch::rise::Any).without_limit());
  EXPECT_FALSE(watch.estimate_growth(5).without_limit());
  EXPECT_FALSE(watch.is_far_above_mean(5, 1000));
  EXPECT_TRUE(watch.is_far_above_mean(5, 3000));
  watch.sample({9}, 9);  // the queue was almost empty
  EXPECT_FALSE(watch.estimate_growth(5, queue_watch::rise::Any).without_limit());
}

TEST(unit_experiment_steady_state, finds_the_length_of_the_transient) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, 1);
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(100 * (1 - std::exp(-i / 40.0)) + noise(random));
  EXPECT_GE(length_of_transient(values), 120u);
  EXPECT_LE(length_of_transient(values), 300u);
  EXPECT_EQ(length_of_transient({values.begin(), values.begin() + 200}), 200u);  // the transient has not ended
  EXPECT_LE(length_of_transient({values.begin() + 300, values.end()}), 200u);    // there is no transient
  EXPECT_EQ(length_of_transient({}), 0u);
}

TEST(unit_experiment_steady_state, a_steadily_rising_series_is_all_transient) {
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) values.push_back(i);
  EXPECT_EQ(length_of_transient(values), 500u);
}

}  // namespace
}  // namespace weft::experiment
