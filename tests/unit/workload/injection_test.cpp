// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/injection.h"

#include "support.h"
#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

injection_parameters bernoulli(double load) {
  injection_parameters p;
  p.kind = injection_kind::Bernoulli;
  p.load = load;
  return p;
}

injection_parameters on_off(double load, double peak, double mean_burst) {
  injection_parameters p;
  p.kind = injection_kind::OnOff;
  p.load = load;
  p.peak = peak;
  p.mean_burst = mean_burst;
  return p;
}

random_stream injection_stream(node_id node) { return {1, node, stream_purpose::Injection}; }

/// The cycles below \p end in which a node creates a packet.
std::vector<cycle_t> creations(const injection_process& process, node_id node, cycle_t end) {
  std::vector<cycle_t> cycles;
  for (injection_state state = process.start(injection_stream(node)); state.next < end; process.advance(state)) {
    cycles.push_back(state.next);
  }
  return cycles;
}

TEST(unit_workload_injection, bernoulli_reaches_its_load) {
  constexpr cycle_t Cycles = 1000000;
  for (const double load : {0.001, 0.1, 0.5, 1.}) {
    for (const double length : {1., 5.}) {
      const double p = load / length;
      const auto packets = creations(injection_process(bernoulli(load), length), 0, Cycles).size();
      EXPECT_NEAR(static_cast<double>(packets), p * Cycles, 5 * std::sqrt(p * (1 - p) * Cycles))
          << "load " << load << " length " << length;
    }
  }
}

TEST(unit_workload_injection, correlation_time_follows_bursts_and_pauses) {
  EXPECT_EQ(correlation_time(bernoulli(0.3)), 0);
  EXPECT_EQ(correlation_time(on_off(1, 1, 100)), 0);
  EXPECT_DOUBLE_EQ(correlation_time(on_off(0.25, 1, 400)), 300);      // bursts of 400 cycles, pauses of 1200
  EXPECT_DOUBLE_EQ(correlation_time(on_off(0.001, 0.5, 100)), 99.8);  // bursts are rare, with the same mean length
  // Packet counts in spans that are one correlation time apart have a correlation of about e⁻¹.
  const injection_process process(on_off(0.25, 1, 400), 1);
  constexpr cycle_t Span = 10, Spans = 400'000, Apart = 300 / Span;
  std::vector<double> counts(Spans);
  for (const cycle_t c : creations(process, 0, Span * Spans)) counts[c / Span] += 1;
  double square = 0, lagged = 0;
  for (std::size_t i = 0; i + Apart < Spans; ++i) {
    square += (counts[i] - 2.5) * (counts[i] - 2.5);
    lagged += (counts[i] - 2.5) * (counts[i + Apart] - 2.5);
  }
  EXPECT_NEAR(lagged / square, std::exp(-1), 0.05);
}

TEST(unit_workload_injection, bernoulli_creates_at_most_one_packet_a_cycle) {
  const auto cycles = creations(injection_process(bernoulli(0.9), 1), 0, 100000);
  for (std::size_t i = 1; i < cycles.size(); ++i) ASSERT_LT(cycles[i - 1], cycles[i]);
}

TEST(unit_workload_injection, full_load_of_single_flits_creates_a_packet_every_cycle) {
  for (const injection_parameters& parameters : {bernoulli(1), on_off(1, 1, 10)}) {
    const auto cycles = creations(injection_process(parameters, 1), 0, 1000);
    ASSERT_EQ(cycles.size(), 1000u);
    for (cycle_t i = 0; i < 1000; ++i) EXPECT_EQ(cycles[i], i);
  }
}

TEST(unit_workload_injection, zero_load_creates_no_packet) {
  for (const injection_parameters& parameters : {bernoulli(0), on_off(0, 1, 10), on_off(0, 0.5, 1)}) {
    EXPECT_EQ(injection_process(parameters, 5).start(injection_stream(0)).next, Never);
  }
}

TEST(unit_workload_injection, a_tiny_load_creates_no_early_packet) {
  for (const injection_parameters& parameters : {bernoulli(1e-300), on_off(1e-300, 1, 1), bernoulli(5e-324)}) {
    injection_state state = injection_process(parameters, 5).start(injection_stream(0));
    EXPECT_GT(state.next, cycle_t{1} << 40);
  }
}

// The probability of a packet equals the mean from the first cycle on: the process needs no warm-up.
TEST(unit_workload_injection, processes_are_stationary_from_cycle_0) {
  constexpr int Nodes = 40000;
  for (const injection_parameters& parameters : {bernoulli(0.2), on_off(0.2, 0.8, 50), on_off(0.2, 0.8, 1)}) {
    const injection_process process(parameters, 1);
    for (const cycle_t cycle : {0, 10}) {
      int packets = 0;
      for (node_id node = 0; node < Nodes; ++node) {
        const auto cycles = creations(process, node, cycle + 1);
        packets += !cycles.empty() && cycles.back() == cycle;
      }
      EXPECT_NEAR(packets, 0.2 * Nodes, 5 * std::sqrt(0.16 * Nodes)) << "cycle " << cycle;
    }
  }
}

TEST(unit_workload_injection, on_off_reaches_its_load) {
  constexpr cycle_t Cycles = 4000000;
  struct point {
    double load, peak, burst;
  };
  for (const auto& [load, peak, burst] : {point{0.1, 1, 100}, point{0.3, 0.6, 20}, point{0.5, 1, 1}, point{0.9, 1, 5},
                                          point{0.995, 1, 100}, point{0.5, 0.5, 10}}) {
    const auto packets = creations(injection_process(on_off(load, peak, burst), 2), 0, Cycles).size();
    // Bursts increase the variance over that of a Bernoulli process: they inject about 2 * burst flits at once.
    const double deviation = std::sqrt(load / 2 * Cycles * (1 + 2 * burst * peak));
    EXPECT_NEAR(static_cast<double>(packets), load / 2 * Cycles, 5 * deviation) << load << " " << peak << " " << burst;
  }
}

// With single flits and peak 1, every cycle of an on period creates a packet, which shows the periods.
TEST(unit_workload_injection, on_and_off_periods_are_geometric_with_the_right_means) {
  constexpr double Burst = 8, Load = 0.25, Pause = Burst * (1 - Load) / Load;
  const auto cycles = creations(injection_process(on_off(Load, 1, Burst), 1), 0, 4000000);
  std::vector<double> bursts, pauses;
  cycle_t length = 1;
  for (std::size_t i = 1; i < cycles.size(); ++i) {
    const cycle_t gap = cycles[i] - cycles[i - 1] - 1;
    if (gap == 0) {
      ++length;
      continue;
    }
    bursts.push_back(static_cast<double>(length));
    pauses.push_back(static_cast<double>(gap));
    length = 1;
  }
  const auto expect = [](const std::vector<double>& periods, double mean) {
    const auto count = static_cast<double>(periods.size());
    const double variance = mean * (mean - 1);
    double sum = 0, squares = 0;
    for (const double period : periods) {
      sum += period;
      squares += (period - mean) * (period - mean);
    }
    EXPECT_NEAR(sum / count, mean, 5 * std::sqrt(variance / count));
    EXPECT_NEAR(squares / count, variance, 5 * variance * std::sqrt(9 / count));
  };
  expect(bursts, Burst);
  expect(pauses, Pause);
}

TEST(unit_workload_injection, impossible_loads_are_errors) {
  const auto expect = [](const injection_parameters& parameters, double length, const std::string& message) {
    expect_error<std::invalid_argument>([&] { injection_process(parameters, length); }, "injection" + message);
  };
  expect(bernoulli(-0.1), 5, ": load must be a number ≥ 0, not -0.1");
  expect(bernoulli(std::nan("")), 5, ": load must be a number ≥ 0, not nan");
  expect(bernoulli(2), 1,
         ": a load of 2 with packets of 1 flits on average needs 2 packets per cycle, but a node creates at most one; "
         "lower it to at most 1 or send longer packets");
  expect(on_off(0.5, 3, 10), 2,
         ": a peak of 3 with packets of 2 flits on average needs 1.5 packets per cycle, but a node creates at most "
         "one; lower it to at most 2 or send longer packets");
  expect(on_off(0.5, 0.4, 10), 5,
         " on_off: peak (0.4) must be at least load (0.5), which is its mean over time; raise peak or lower load");
  expect(on_off(0.5, 1, 0.5), 5, " on_off: mean_burst must be at least 1 cycle, not 0.5");
}

}  // namespace
}  // namespace weft
