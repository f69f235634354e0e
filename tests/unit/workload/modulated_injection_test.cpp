// SPDX-License-Identifier: Apache-2.0
/// Injection processes whose load varies over time: heavy tails and Markov chains.
#include "support.h"
#include <algorithm>
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "weft/workload/injection.h"
#include "weft/workload/markov_chain.h"
#include "weft/workload/pareto.h"

namespace weft {
namespace {

injection_parameters self_similar(double load, double peak, double mean_burst, double hurst) {
  injection_parameters p;
  p.kind = injection_kind::SelfSimilar;
  p.load = load;
  p.peak = peak;
  p.mean_burst = mean_burst;
  p.hurst = hurst;
  return p;
}

injection_parameters mmpp(double load, std::vector<double> rates, std::vector<double> durations,
                          std::vector<std::vector<double>> transitions = {}) {
  injection_parameters p;
  p.kind = injection_kind::Mmpp;
  p.load = load;
  p.rates = std::move(rates);
  p.durations = std::move(durations);
  p.transitions = std::move(transitions);
  return p;
}

/// A chain that never returns to the state from which it came.
injection_parameters cycle_of_four(double load) {
  return mmpp(load, {2, 0, 3, 1}, {40, 50, 10, 1}, {{0, 1, 0, 0}, {0, 0, 1, 0}, {0.25, 0, 0, 0.75}, {1, 0, 0, 0}});
}

random_stream stream_of_source(node_id node) { return {7, node, stream_purpose::Injection}; }

/// Mean of \p values, and five times its standard error.
std::pair<double, double> mean_with_bound(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  for (const double v : values) squares += (v - sum / n) * (v - sum / n);
  return {sum / n, 5 * std::sqrt(squares / (n - 1) / n)};
}

/// The numbers of packets that each of \p nodes nodes creates before cycle \p end.
std::vector<double> packets_by_node(const injection_process& process, node_id nodes, cycle_t end) {
  std::vector<double> counts(nodes);
  for (node_id node = 0; node < nodes; ++node)
    for (injection_state s = process.start(stream_of_source(node)); s.next < end; process.advance(s)) counts[node] += 1;
  return counts;
}

TEST(unit_workload_modulated_injection, pareto_values_have_the_tail_of_their_shape) {
  for (const double shape : {0.2, 1.1, 1.4, 1.9, 3.}) {
    const pareto_distribution pareto(shape, 2.5);
    random_stream random = stream_of_source(1);
    constexpr int Draws = 400000;
    std::vector<double> values;
    for (int i = 0; i < Draws; ++i) values.push_back(pareto(random));
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 2.5 * (1 - 1e-9));
    for (const double x : {2.6, 3., 5., 20., 300.}) {
      const double chance = std::pow(2.5 / x, shape);
      const auto above = std::count_if(values.begin(), values.end(), [x](double v) { return v > x; });
      EXPECT_NEAR(static_cast<double>(above), chance * Draws, 5 * std::sqrt(chance * Draws)) << shape << " " << x;
    }
  }
}

TEST(unit_workload_modulated_injection, loads_are_as_requested_from_cycle_0_on) {
  constexpr node_id Nodes = 20000;
  for (const injection_parameters& p :
       {self_similar(0.2, 0.8, 20, 0.8), self_similar(0.2, 1, 6, 0.9), self_similar(0.9, 1, 10, 0.6),
        mmpp(0.2, {1, 5}, {40, 10}), cycle_of_four(0.2)}) {
    const injection_process process(p, 1);
    for (const cycle_t cycle : {0, 1, 400}) {
      double packets = 0;
      for (node_id node = 0; node < Nodes; ++node) {
        injection_state s = process.start(stream_of_source(node));
        while (s.next < cycle) process.advance(s);
        packets += s.next == cycle;
      }
      EXPECT_NEAR(packets, p.load * Nodes, 5 * std::sqrt(p.load * (1 - p.load) * Nodes))
          << name_of(p.kind) << " " << p.hurst << ", cycle " << cycle;
    }
  }
}

TEST(unit_workload_modulated_injection, mean_loads_over_time_are_within_their_intervals) {
  constexpr cycle_t Cycles = 5000;
  for (const injection_parameters& p : {self_similar(0.3, 0.9, 50, 0.75), self_similar(0.05, 1, 100, 0.85),
                                        mmpp(0.2, {0, 1, 3}, {100, 50, 20}), cycle_of_four(0.3)}) {
    for (const double length : {1., 5.}) {
      const auto [mean, bound] = mean_with_bound(packets_by_node(injection_process(p, length), 4000, Cycles));
      const double expected = p.load / length * Cycles;
      EXPECT_NEAR(mean, expected, bound) << name_of(p.kind) << " " << p.load << " " << length;
      EXPECT_LT(bound, 0.2 * expected) << "the test would accept any load";
    }
  }
}

// With single flits and peak 1, the packets show the on periods. The mean of n lengths with a heavy tail of shape 1.5
// deviates by about n^(-1/3).
TEST(unit_workload_modulated_injection, on_and_off_periods_have_heavy_tails) {
  constexpr double Hurst = 0.75, Shape = 3 - 2 * Hurst, Burst = 30, Pause = 90;
  const injection_process process(self_similar(0.25, 1, Burst, Hurst), 1);
  std::vector<double> bursts, pauses;
  for (node_id node = 0; node < 400; ++node) {
    injection_state s = process.start(stream_of_source(node));
    double length = 1;
    bool complete = false;  // the first period began before cycle 0
    for (cycle_t last = s.next; last < 20000; last = s.next) {
      process.advance(s);
      if (s.next == last + 1) {
        ++length;
        continue;
      }
      if (complete) bursts.push_back(length);
      pauses.push_back(static_cast<double>(s.next - last - 1));
      complete = true;
      length = 1;
    }
  }
  const auto expect = [](const std::vector<double>& lengths, double mean) {
    const auto n = static_cast<double>(lengths.size());
    ASSERT_GT(n, 20000);
    const double least = mean * (Shape - 1) / Shape;
    EXPECT_GE(*std::min_element(lengths.begin(), lengths.end()), std::floor(least));
    for (const double x : {2 * least, 4 * least, 16 * least}) {
      // A length above x is rounded to at least x; the chance of x itself is within a cycle of the tail.
      const double high = std::pow(least / (x - 1), Shape) * n, low = std::pow(least / (x + 1), Shape) * n;
      const auto above =
          static_cast<double>(std::count_if(lengths.begin(), lengths.end(), [x](double l) { return l > x; }));
      EXPECT_LT(above, high + 5 * std::sqrt(high)) << mean << " " << x;
      EXPECT_GT(above, low - 5 * std::sqrt(low)) << mean << " " << x;
    }
  };
  expect(bursts, Burst);
  expect(pauses, Pause);
}

/// The Hurst parameter by the variance-time plot: Var(mean of m cycles) ~ m^(2H - 2), m from \p fine to \p coarse.
double hurst_of_packets(const injection_process& process, double load, node_id nodes, cycle_t fine, cycle_t coarse,
                        cycle_t end) {
  double fine_square = 0, coarse_square = 0;
  for (node_id node = 0; node < nodes; ++node) {
    std::vector<double> counts(end / fine);
    for (injection_state s = process.start(stream_of_source(node)); s.next < end; process.advance(s))
      ++counts[s.next / fine];
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double d = counts[i] / static_cast<double>(fine) - load;
      fine_square += d * d;
      sum += d;
      if ((i + 1) % (coarse / fine) > 0) continue;
      const double mean = sum / static_cast<double>(coarse / fine);
      coarse_square += mean * mean;
      sum = 0;
    }
  }
  const double fine_blocks = static_cast<double>(end / fine), coarse_blocks = static_cast<double>(end / coarse);
  const double slope = std::log((coarse_square / coarse_blocks) / (fine_square / fine_blocks)) /
                       std::log(static_cast<double>(coarse / fine));
  return 1 + slope / 2;
}

TEST(unit_workload_modulated_injection, variances_over_time_have_the_requested_hurst_parameter) {
  constexpr double Load = 0.3;
  constexpr cycle_t Fine = 1024, Coarse = 16384, End = 131072;
  const auto hurst_found = [](const injection_parameters& p) {
    return hurst_of_packets(injection_process(p, 1), Load, 200, Fine, Coarse, End);
  };
  for (const double hurst : {0.7, 0.8, 0.9}) {  // below 0.7 a few very long periods determine the variances
    injection_parameters p = self_similar(Load, 1, 0, hurst);
    p.mean_burst = 1.5 * least_mean_period(p);
    const double found = hurst_found(p);
    std::cout << "H = " << hurst << ": " << found << "\n";
    EXPECT_NEAR(found, hurst, 0.05);
    p.kind = injection_kind::OnOff;
    if (hurst > 0.75) {
      EXPECT_NEAR(hurst_found(p), 0.5, 0.05) << "geometric periods";
    }
  }
  EXPECT_NEAR(hurst_found(cycle_of_four(Load)), 0.5, 0.05);
}

TEST(unit_workload_modulated_injection, a_source_of_high_load_has_hardly_any_pauses) {
  const injection_process process(self_similar(0.99, 1, 100, 0.8), 1);
  const auto [mean, bound] = mean_with_bound(packets_by_node(process, 4000, 2000));
  EXPECT_NEAR(mean, 0.99 * 2000, bound);
}

/// The shares of time of the states of \p p, by advancing a distribution cycle by cycle.
std::vector<double> shares_by_iteration(const injection_parameters& p) {
  const std::size_t n = p.rates.size();
  std::vector<double> shares(n, 1 / static_cast<double>(n));
  for (int cycle = 0; cycle < 20000; ++cycle) {
    std::vector<double> next(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double leaving = 1 / p.durations[i];
        const double chance = p.transitions.empty() ? 1 / static_cast<double>(n - 1) : p.transitions[i][j];
        next[j] += shares[i] * (i == j ? 1 - leaving : leaving * chance);
      }
    shares = next;
  }
  return shares;
}

TEST(unit_workload_modulated_injection, states_have_the_shares_and_rates_of_the_stationary_chain) {
  constexpr node_id Nodes = 1000;
  constexpr cycle_t Cycles = 20000;
  for (const injection_parameters& p : {cycle_of_four(0.3), mmpp(0.2, {0.5, 3, 1}, {200, 10, 40})}) {
    const std::vector<double> shares = shares_by_iteration(p);
    double mean_rate = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) mean_rate += shares[i] * p.rates[i];
    const markov_chain chain(p);
    const injection_process process(p, 2);
    std::vector<std::vector<double>> packets(shares.size(), std::vector<double>(Nodes));
    std::vector<std::uint64_t> first(shares.size());
    for (node_id node = 0; node < Nodes; ++node)
      for (injection_state s = process.start(stream_of_source(node)); s.next < Cycles; process.advance(s))
        packets[s.phase][node] += 1;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      EXPECT_NEAR(chain.share(i), shares[i], 1e-9);
      EXPECT_NEAR(chain.factor(i), p.rates[i] / mean_rate, 1e-9);
      const auto [mean, bound] = mean_with_bound(packets[i]);
      EXPECT_NEAR(mean, Cycles * shares[i] * p.load / 2 * p.rates[i] / mean_rate, bound) << "state " << i;
    }
  }
}

// A chain with the states off and on is an on/off process, whose periods the packets show.
TEST(unit_workload_modulated_injection, two_states_are_an_on_off_process) {
  const injection_parameters p = mmpp(0.25, {0, 1}, {24, 8});
  EXPECT_DOUBLE_EQ(correlation_time(p), 8 * (1 - 0.25));
  const injection_process process(p, 1);
  std::vector<double> bursts, pauses;
  double length = 1;
  injection_state s = process.start(stream_of_source(3));
  for (cycle_t last = s.next; last < 4000000; last = s.next) {
    process.advance(s);
    if (s.next == last + 1) {
      ++length;
      continue;
    }
    bursts.push_back(length);
    pauses.push_back(static_cast<double>(s.next - last - 1));
    length = 1;
  }
  for (const auto& [lengths, expected] : {std::pair(bursts, 8.), std::pair(pauses, 24.)}) {
    const auto [mean, bound] = mean_with_bound(lengths);
    EXPECT_NEAR(mean, expected, bound);
    double squares = 0;
    for (const double l : lengths) squares += (l - expected) * (l - expected);
    EXPECT_NEAR(squares / static_cast<double>(lengths.size()), expected * (expected - 1), 0.05 * expected * expected);
  }
}

// The variance of the packets in T cycles is T (p (1 - p) + 2 v (c - 1)), where p is the mean probability of a packet,
// v its variance over time and c the correlation time.
TEST(unit_workload_modulated_injection, dispersion_follows_from_the_correlation_time) {
  constexpr node_id Nodes = 3000;
  constexpr cycle_t Cycles = 8000;
  for (const injection_parameters& p : {cycle_of_four(0.3), mmpp(0.2, {1, 5}, {300, 60}), mmpp(0.1, {2, 2}, {9, 5})}) {
    const markov_chain chain(p);
    double variance = 0;
    for (std::size_t i = 0; i < chain.states(); ++i)
      variance += chain.share(i) * std::pow(p.load * (chain.factor(i) - 1), 2);
    const double expected = p.load * (1 - p.load) + 2 * variance * (correlation_time(p) - 1);
    double squares = 0;
    for (const double count : packets_by_node(injection_process(p, 1), Nodes, Cycles))
      squares += std::pow(count - p.load * Cycles, 2);
    EXPECT_NEAR(squares / Nodes / Cycles, expected, 0.15 * expected);
  }
  EXPECT_EQ(correlation_time(mmpp(0.1, {2, 2}, {9, 5})), 0);
}

TEST(unit_workload_modulated_injection, extreme_loads_are_reached) {
  const auto first = [](const injection_parameters& p) {
    return injection_process(p, 1).start(stream_of_source(0)).next;
  };
  EXPECT_EQ(first(self_similar(0, 1, 10, 0.8)), Never);
  EXPECT_EQ(first(mmpp(0, {1, 2}, {10, 10})), Never);
  for (const injection_parameters& p : {self_similar(1e-300, 1, 10, 0.8), mmpp(1e-300, {1, 2}, {10, 10})})
    EXPECT_GT(first(p), cycle_t{1} << 40);
  for (const injection_parameters& p : {self_similar(1, 1, 60, 0.99), mmpp(1, {1, 1}, {10, 10})})
    EXPECT_EQ(packets_by_node(injection_process(p, 1), 1, 1000), std::vector<double>{1000});
  const auto [mean, bound] =
      mean_with_bound(packets_by_node(injection_process(self_similar(0.5, 1, 100, 0.99), 1), 4000, 100));
  EXPECT_NEAR(mean, 50, bound) << "periods that may last forever";
}

TEST(unit_workload_modulated_injection, impossible_parameters_are_errors) {
  const auto expect = [](const injection_parameters& p, const std::string& message) {
    expect_error<std::invalid_argument>([&] { injection_process(p, 2); }, "injection" + message);
  };
  expect(
      self_similar(0.5, 0.4, 20, 0.8),
      " self_similar: peak (0.4) must be at least load (0.5), which is its mean over time; raise peak or lower load");
  expect(self_similar(0.5, 1, 20, 0.5), " self_similar: hurst must be between 0.5 and 1, not 0.5");
  expect(self_similar(0.5, 1, 3, 0.8),
         " self_similar: mean_burst must be at least 3.5 cycles with hurst 0.8, because the shortest burst has one "
         "cycle, not 3");
  expect(mmpp(0.5, {1}, {2}), " mmpp: needs 2 to 8 states, but rates has 1; give each state a rate");
  expect(mmpp(0.5, {1, 2}, {2, 3, 4}),
         " mmpp: rates has 2 states and durations has 3; give each state a rate and a mean duration");
  expect(mmpp(0.5, {1, -2}, {2, 3}), " mmpp: rates must be numbers ≥ 0, not -2");
  expect(mmpp(0.5, {0, 0}, {2, 3}), " mmpp: all rates are 0; give at least one state a rate above 0");
  expect(mmpp(0.5, {1, 2}, {2, 0.5}), " mmpp: durations must be at least 1 cycle, not 0.5");
  expect(mmpp(0.5, {1, 2}, {2, 3}, {{0, 1}}), " mmpp: transitions has 1 rows for 2 states; give one row per state");
  expect(mmpp(0.5, {1, 2}, {2, 3}, {{0, 1}, {1}}),
         " mmpp: row 1 of transitions has 1 probabilities for 2 states; give one per state");
  expect(mmpp(0.5, {1, 2}, {2, 3}, {{0, 1}, {1.5, 0}}),
         " mmpp: transitions must be probabilities from 0 to 1, not 1.5");
  expect(mmpp(0.5, {1, 2}, {2, 3}, {{0.5, 0.5}, {1, 0}}),
         " mmpp: row 0 of transitions has 0.5 for its own state; a visit lasts as durations specify, so write 0");
  expect(mmpp(0.5, {1, 2}, {2, 3}, {{0, 0.9}, {1, 0}}), " mmpp: row 0 of transitions has the sum 0.9; expected 1");
  expect(mmpp(0.5, {1, 2, 3}, {2, 3, 4}, {{0, 1, 0}, {1, 0, 0}, {1, 0, 0}}),
         " mmpp: state 2 never follows state 0; add transitions such that each state can be reached from all others");
  expect(mmpp(0.5, {0, 1}, {90, 10}),
         ": a load of 5 in one of its states, which a mean load of 0.5 needs, with packets of 2 flits on average needs "
         "2.5 packets per cycle, but a node creates at most one; lower the mean load to at most 0.2 or send longer "
         "packets");
}

}  // namespace
}  // namespace weft
