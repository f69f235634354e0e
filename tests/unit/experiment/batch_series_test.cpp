// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/batch_series.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "weft/simulation/estimation.h"
#include "weft/workload/injection.h"

namespace weft::experiment {
namespace {

constexpr int Seeds = 200;

/// Number of intervals that contain the mean, and number of intervals that exist, of Seeds series.
struct coverage {
  int with_interval = 0;
  int held = 0;
  double share() const { return static_cast<double>(held) / with_interval; }
};

template <class Interval>
coverage cover(double mean, Interval interval_of_seed) {
  coverage c;
  for (unsigned seed = 1; seed <= Seeds; ++seed) {
    const auto [center, around] = interval_of_seed(seed);
    if (!around.half_width) continue;
    ++c.with_interval;
    c.held += std::abs(center - mean) <= *around.half_width;
  }
  return c;
}

/// An autoregressive series of order 1 with this correlation and mean 5, started in its steady state.
std::vector<double> autoregressive(unsigned seed, double correlation, std::size_t size) {
  std::mt19937_64 random(7919 * seed + 12345);  // the first numbers of neighboring seeds are similar
  std::normal_distribution<double> noise(0, std::sqrt(1 - correlation * correlation));
  std::vector<double> values;
  double x = noise(random) / std::sqrt(1 - correlation * correlation);
  for (std::size_t i = 0; i < size; ++i) {
    values.push_back(5 + x);
    x = correlation * x + noise(random);
  }
  return values;
}

double mean_of_all(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

TEST(unit_experiment_batch_series, intervals_of_an_autoregressive_process_cover_its_mean) {
  for (const double correlation : {0.0, 0.5, 0.9}) {
    const coverage c = cover(5, [&](unsigned seed) {
      const std::vector<double> values = autoregressive(seed, correlation, 8192);
      return std::pair(mean_of_all(values), interval_of(values));
    });
    EXPECT_GE(c.with_interval, 0.95 * Seeds) << correlation;
    EXPECT_GE(c.share(), 0.92) << correlation;
    EXPECT_LE(c.share(), 0.98) << correlation;
  }
}

TEST(unit_experiment_batch_series, series_too_short_for_its_correlation_gives_no_interval) {
  int with_interval = 0;
  for (unsigned seed = 1; seed <= Seeds; ++seed) {
    const interval around = interval_of(autoregressive(seed, 0.998, 1024));
    with_interval += around.half_width.has_value();
    if (!around.half_width) {
      EXPECT_NE(around.none, nullptr);
    }
  }
  EXPECT_LE(with_interval, 0.2 * Seeds);
  EXPECT_FALSE(interval_of(std::vector<double>(15, 1)).half_width.has_value());
}

/// Times in an M/M/1 queue with load 0.9, from the steady state, in 1/1024 of a service time. \param mean their mean
batch_series mm1(unsigned seed, unsigned customers, double& mean) {
  constexpr double Load = 0.9;
  std::mt19937_64 random(7919 * seed + 12345);  // the first numbers of neighboring seeds are similar
  std::exponential_distribution<double> service(1), gap(Load), wait(1 - Load);
  batch_series series(0);
  double waiting = std::uniform_real_distribution<double>(0, 1)(random) < Load ? wait(random) : 0, sum = 0;
  for (unsigned i = 0; i < customers; ++i) {
    const double served = service(random);
    const auto time = static_cast<std::uint64_t>(1024 * (waiting + served) + 0.5);
    series.add(i, time);
    sum += static_cast<double>(time);
    waiting = std::max(0.0, waiting + served - gap(random));
  }
  mean = sum / customers;
  return series;
}

coverage cover_mm1(unsigned customers) {
  return cover(10 * 1024, [customers](unsigned seed) {
    double mean = 0;
    const batch_series series = mm1(seed, customers, mean);
    return std::pair(mean, series.interval_of_mean(customers));
  });
}

TEST(unit_experiment_batch_series, intervals_of_a_queue_at_a_load_of_0_9_cover_its_mean) {
  const coverage c = cover_mm1(400'000);
  RecordProperty("with_interval", c.with_interval);
  RecordProperty("held", c.held);
  EXPECT_GE(c.with_interval, 0.9 * Seeds);
  EXPECT_GE(c.share(), 0.92);
  EXPECT_LE(c.share(), 0.98);
}

/// The load of 16 self-similar sources in 2,048 spans of 16 cycles, with the mean 0.3 packets per source and cycle.
std::vector<double> self_similar_load(unsigned seed, double hurst) {
  constexpr node_id Sources = 16;
  constexpr cycle_t Span = 16, Spans = 2048;
  injection_parameters p;
  p.kind = injection_kind::SelfSimilar;
  p.load = 0.3;
  p.mean_burst = 20;
  p.hurst = hurst;
  const injection_process process(p, 1);
  std::vector<double> load(Spans);
  for (node_id source = 0; source < Sources; ++source) {
    injection_state s = process.start({seed, source, stream_purpose::Injection});
    for (; s.next < Span * Spans; process.advance(s)) load[s.next / Span] += 1.0 / Span / Sources;
  }
  return load;
}

TEST(unit_experiment_batch_series, intervals_of_self_similar_load_cover_its_mean_if_its_hurst_parameter_is_known) {
  for (const double hurst : {0.75, 0.9}) {
    int known = 0, unknown = 0, without_interval = 0;
    for (unsigned seed = 1; seed <= Seeds; ++seed) {
      const std::vector<double> load = self_similar_load(seed, hurst);
      const double deviation = std::abs(mean_of_all(load) - 0.3);
      known += deviation <= interval_of(load, hurst).half_width.value();
      const interval around = interval_of(load);
      unknown += around.half_width && deviation <= *around.half_width;
      without_interval += !around.half_width;
    }
    std::cout << "H = " << hurst << ": " << known << " of " << Seeds << " hold, without it " << unknown << " of "
              << Seeds - without_interval << "\n";
    EXPECT_GE(known, 0.9 * Seeds);
    EXPECT_LE(unknown, 0.8 * (Seeds - without_interval));
  }
}

TEST(unit_experiment_batch_series, half_width_of_independent_batches_matches_hand_calculation) {
  // 128 batches 0, 1, 0, 1, … are merged into 16 with equal means.
  std::vector<double> alternating;
  for (int i = 0; i < 128; ++i) alternating.push_back(i % 2);
  EXPECT_DOUBLE_EQ(*interval_of(alternating).half_width, 0);
  // 16 means, half of them 1 and half −1, neither correlated nor skewed: the variance is 16/15, t = 2.1314.
  std::vector<double> signs;
  for (int i = 0; i < 16; ++i) signs.push_back(i % 2 == 0 ? 1 : -1);
  EXPECT_NEAR(*interval_of(signs).half_width, 2.1314 * std::sqrt(16.0 / 15 / 16), 1e-3);
  EXPECT_DOUBLE_EQ(*interval_of(std::vector<double>(500, 7)).half_width, 0);
  // With H = 0.75 the variance of the mean of 16 values is a quarter of theirs, of which 16/15 shows 3/4.
  EXPECT_NEAR(*interval_of(signs, 0.75).half_width, 2.1314 * std::sqrt(16.0 / 15 * (0.25 / 0.75) * 15 / 16), 1e-3);
}

TEST(unit_experiment_batch_series, too_few_values_give_no_interval) {
  batch_series series(100);
  for (cycle_t c = 100; c < 419; ++c) series.add(c, 3);
  EXPECT_STREQ(series.interval_of_mean(1000).none, "fewer than 320 values");
  EXPECT_STREQ(series.interval_of_rate(1000).none, "fewer than 320 values");
  series.add(419, 3);
  EXPECT_DOUBLE_EQ(*series.interval_of_mean(420).half_width, 0);
  EXPECT_FALSE(series.interval_of_mean(100).half_width.has_value());  // an empty window
}

TEST(unit_experiment_batch_series, trend_includes_the_last_value) {
  for (const std::size_t size : {8u, 15u, 63u, 64u}) {
    std::vector<double> rising(size);
    std::iota(rising.begin(), rising.end(), 0.5);
    const trend t = trend_of(rising);
    EXPECT_TRUE(t.significant) << size;
    EXPECT_NEAR(t.first, static_cast<double>(size) / 8, 0.03 * static_cast<double>(size)) << size;
    EXPECT_NEAR(t.last, static_cast<double>(size) * 7 / 8, 0.03 * static_cast<double>(size)) << size;
  }
}

TEST(unit_experiment_batch_series, values_from_a_few_bursts_give_no_interval) {
  for (const unsigned bursts : {1u, 2u, 15u, 16u}) {
    batch_series series(0);
    for (unsigned i = 0; i < 3200; ++i) series.add(i % bursts * 64, i / bursts % 7);
    const interval of_mean = series.interval_of_mean(1024), of_rate = series.interval_of_rate(1024);
    EXPECT_EQ(of_mean.half_width.has_value(), bursts == 16) << bursts;
    EXPECT_EQ(of_mean.none == nullptr, bursts == 16) << bursts;
    if (bursts < 15) {
      EXPECT_FALSE(of_rate.half_width.has_value()) << bursts;
    }
  }
}

TEST(unit_experiment_batch_series, rate_interval_accounts_for_cycles_without_values) {
  std::mt19937_64 random(1);
  batch_series all(0), first(0);
  for (cycle_t c = 0; c < 10'000; ++c)
    if (random() % 4 == 0) {
      all.add(c, 1);
      if (c < 5000) first.add(c, 1);
    }
  // The variance of a mean of n draws is 3/16 / n.
  EXPECT_NEAR(*all.interval_of_rate(10'000).half_width, 1.96 * std::sqrt(3.0 / 16 / 10'000), 0.004);
  EXPECT_NEAR(*first.interval_of_rate(5'000).half_width, 1.96 * std::sqrt(3.0 / 16 / 5'000), 0.005);
  EXPECT_FALSE(first.interval_of_rate(20'000).half_width.has_value()) << "half of the window is empty";
}

TEST(unit_experiment_batch_series, difference_interval_excludes_common_variation) {
  std::mt19937 random(1);
  batch_series in(0), out(0), late(0), few(0);
  for (cycle_t c = 0; c < 10'000; ++c)
    if (random() % 2 == 0) {
      in.add(c, 3);
      out.add(c, 3);
      if (random() % 4 != 0) late.add(c, 3);
      if (c % 100 == 0) few.add(c, 3);
    }
  EXPECT_EQ(in.interval_of_difference(out, 10'000).half_width, 0);
  const double missing = 1. / 8;  // share of the cycles in which only `in` has a value
  EXPECT_NEAR(*in.interval_of_difference(late, 10'000).half_width,
              1.96 * 3 * std::sqrt(missing * (1 - missing) / 10'000), 0.01);
  EXPECT_FALSE(in.interval_of_difference(few, 10'000).half_width.has_value());
  EXPECT_FALSE(in.interval_of_difference(out, 0).half_width.has_value());
}

TEST(unit_experiment_batch_series, difference_ignores_values_after_the_end) {
  batch_series in(0), out(0);
  for (cycle_t c = 0; c < 2'000; ++c) {
    in.add(c, 2 + c % 2);
    if (c < 1'000) out.add(c, 2 + c % 2);
  }
  EXPECT_EQ(in.interval_of_difference(out, 1'000).half_width, 0);
  EXPECT_EQ(out.interval_of_difference(in, 1'000).half_width, 0);
}

TEST(unit_experiment_batch_series, detects_trends_but_not_noise) {
  int seen = 0;
  for (unsigned seed = 1; seed <= Seeds; ++seed) seen += trend_of(autoregressive(seed, 0.5, 4096)).significant;
  EXPECT_LE(seen, 2);
  std::vector<double> rising;
  for (int i = 0; i < 800; ++i) rising.push_back(i + 30 * (i % 3));
  const trend t = trend_of(rising);
  EXPECT_TRUE(t.significant);
  EXPECT_NEAR(t.first, 130, 2);
  EXPECT_NEAR(t.last, 730, 2);
  EXPECT_FALSE(trend_of({1, 2, 3}).significant);
  EXPECT_FALSE(trend_of(std::vector<double>(80, 3)).significant);
}

}  // namespace
}  // namespace weft::experiment
