// SPDX-License-Identifier: Apache-2.0
/// Whether reported statistics are correct: confidence intervals contain the mean of many runs, and saturation is
/// detected on the right side of the knee. docs/03_reference/statistics.md has the tables.
#include "support/subprocess.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/report/run_assessment.h"

namespace weft::experiment {
namespace {

/// The results of one run.
struct run_findings {
  outcome how = outcome::Complete;
  rate accepted;
  double latency = 0;
  interval around;
};

run_findings run_once(const std::string& text) {
  const configuration c = parse_configuration(text, "test.yaml");
  experiment work(c, nullptr, {}, {});
  const run_result result = work.run({});
  const run_summary r{c, work.graph(), work.measured(), result, 0};
  run_findings v;
  v.how = result.how;
  v.accepted = work.measured().accepted();
  v.latency = work.measured().latency().count() > 0 ? work.measured().latency().mean() : 0;
  v.around = latency_interval(r);
  return v;
}

// ---------------------------------------------------------------------------------------------------------------------
// Breakdown

/// The parts of the latency of a run at \p level, and their sum.
std::vector<std::uint64_t> parts_at(const char* level, const std::string& text) {
  const std::string output = run_in_subprocess_or_throw([&] {
    const configuration c = parse_configuration(
        text, "test.yaml",
        {parse_setting(std::string("simulation.level=") + level), parse_setting("output.breakdown=true")});
    experiment work(c, nullptr, {}, {});
    if (const outcome how = work.run({}).how; how != outcome::Complete) return std::string(name_of(how));
    const latency_parts p = work.measured().parts().value();
    const histogram& all = work.measured().latency();
    return fmt::format("{} {} {} {} {} {} {} {} {}", p.vc_allocation, p.switch_allocation, p.credit_wait,
                       p.source_queue, p.injection, p.pipeline, p.serialisation, p.ejection,
                       std::llround(all.mean() * static_cast<double>(all.count())));
  });
  std::vector<std::uint64_t> numbers;
  std::istringstream in(output);
  for (std::uint64_t n = 0; in >> n;) numbers.push_back(n);
  return numbers;
}

TEST(system_statistics, latency_parts_add_up_at_both_levels) {
  for (const char* const text :
       {"network: {topology: {shape: [4, 4]}}\nworkload: {injection: 0.4}\nsimulation: {measure: 2000}\n",
        "network: {topology: {kind: torus, shape: [4, 4]}, router: {pipeline: 3}, link: 3}\n"
        "nic: {link_cycles: 2}\nworkload: {injection: 0.2, length: 3}\nsimulation: {measure: 2000}\n",
        "network: {topology: {shape: [3, 3]}}\nworkload: {injection: 0.2, payload: small_integers, length: 8}\n"
        "nic: {compression: {mode: always}}\nsimulation: {measure: 2000}\n"}) {
    const std::vector<std::uint64_t> pin = parts_at("pin", text), tlm = parts_at("engine", text);
    ASSERT_EQ(pin.size(), 9u);
    EXPECT_EQ(pin, tlm) << text;
    EXPECT_EQ(std::accumulate(pin.begin(), pin.end() - 1, std::uint64_t{0}), pin.back()) << text;
    for (std::size_t i = 0; i + 1 < pin.size(); ++i) EXPECT_LT(pin[i], pin.back()) << "part " << i << " is negative";
    EXPECT_GT(pin[0], 0u) << text;
    EXPECT_GT(pin[1], 0u) << text;
  }
}

TEST(system_statistics, isolated_packets_do_not_wait) {
  const std::vector<std::uint64_t> parts =
      parts_at("engine", "workload: {injection: 0.0002}\nsimulation: {measure: 20000, warmup: 0}\n");
  ASSERT_EQ(parts.size(), 9u);
  EXPECT_EQ(parts[3], 0u);
  EXPECT_LE(parts[0] + parts[1] + parts[2], parts.back() / 100);  // few packets interfere at all
}

// ---------------------------------------------------------------------------------------------------------------------
// Saturation

/// A network under uniform traffic.
struct network_choice {
  const char* network;
  unsigned vcs, depth, flits;
};

std::string text_of(const network_choice& n, double load, cycle_t measure) {
  return fmt::format(
      "network: {{topology: {}, router: {{vcs: {}, depth: {}}}}}\nworkload: {{injection: {}, length: {}}}\n"
      "simulation: {{level: engine, warmup: 3000, measure: {}}}\n",
      n.network, n.vcs, n.depth, load, n.flits, measure);
}

/// Offers \p factor times the load that \p n accepts when overloaded. Expects saturation if and only if the factor
/// exceeds 1.
void expect_right_side(const network_choice& n, double factor) {
  const double most = run_once(text_of(n, 1, 5'000)).accepted.mean;
  const double load = std::min(1.0, factor * most);
  const run_findings v = run_once(text_of(n, load, 20'000));
  EXPECT_EQ(v.how, factor > 1 ? outcome::Saturated : outcome::Complete)
      << n.network << ", " << n.vcs << " VCs of " << n.depth << ", packets of " << n.flits << " flits, load " << load
      << " of " << most;
}

constexpr const char* Networks[] = {"{kind: mesh, shape: [8, 8]}", "{kind: mesh, shape: [5, 3]}",
                                    "{kind: mesh, shape: [3, 3, 3]}", "{kind: torus, shape: [6, 6]}",
                                    "{kind: torus, shape: [4, 4, 2]}"};

TEST(system_statistics, reports_saturation_above_but_not_below_the_saturation_load) {
  for (const char* const network : Networks)
    for (const double factor : {0.8, 1.1}) expect_right_side({network, 4, 8, 5}, factor);
}

class system_statistics_soak : public testing::TestWithParam<int> {};

TEST_P(system_statistics_soak, detects_saturation_in_a_random_network) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  const auto draw = [&random](auto list) { return list[random() % std::size(list)]; };
  const network_choice n{Networks[random() % std::size(Networks)], draw(std::vector<unsigned>{2, 4, 8}),
                         draw(std::vector<unsigned>{4, 8, 16}), draw(std::vector<unsigned>{1, 5, 12})};
  const double share = static_cast<double>(random() % 1000) / 1000;
  expect_right_side(n, GetParam() % 2 == 0 ? 0.4 + 0.4 * share : 1.08 + 0.5 * share);
}

INSTANTIATE_TEST_SUITE_P(soak, system_statistics_soak, testing::Range(0, 100));

/// Expects that bursts are distinguished from saturation in the shortest window that permits it.
void expect_distinct_from_bursts(int seed) {
  for (const double load : {0.25, 0.5}) {
    const double correlation = 100 * (1 - load);
    const run_findings v =
        run_once(fmt::format("workload: {{injection: {{process: on_off, load: {}, mean_burst: 100}}}}\n"
                             "simulation: {{level: engine, seed: {}, warmup: 2000, measure: {}}}\n",
                             load, seed, 100 * correlation));
    EXPECT_EQ(v.how, load < 0.39 ? outcome::Complete : outcome::Saturated) << "load " << load << ", seed " << seed;
  }
}

TEST(system_statistics, distinguishes_bursts_from_saturation) { expect_distinct_from_bursts(1); }

TEST_P(system_statistics_soak, distinguishes_bursts_from_saturation) { expect_distinct_from_bursts(GetParam()); }

/// A closed loop has long queues, which hold at most all windows.
TEST_P(system_statistics_soak, a_closed_loop_is_not_saturated) {
  const run_findings v =
      run_once(fmt::format("network: {{topology: {{shape: [4, 4]}}, router: {{vcs: 4, classes: 2}}}}\n"
                           "workload: {{injection: {{process: request_reply, window: {}, reply: 5}}, length: 1}}\n"
                           "simulation: {{level: engine, seed: {}, measure: 3000}}\n",
                           GetParam() % 2 == 0 ? 16 : 64, GetParam()));
  EXPECT_EQ(v.how, outcome::Complete);
}

// ---------------------------------------------------------------------------------------------------------------------
// Coverage

struct coverage_case {
  const char* name;
  double load;
  cycle_t measure;
  bool saturated;  ///< latency has no mean, and every run must report saturation; accepted load still has a mean
};

class system_coverage_soak : public testing::TestWithParam<coverage_case> {};

/// WEFT_SOAK_SEEDS, or 200.
int soak_seeds() {
  const char* const given = std::getenv("WEFT_SOAK_SEEDS");
  return given != nullptr ? std::stoi(given) : 200;
}

/// Expects that a share of 0.92 to \p most of the intervals contains the mean of all \p means; prints a row of the
/// table.
void expect_coverage(const std::vector<double>& means, const std::vector<interval>& around, const std::string& what,
                     double most) {
  double sum = 0, widths = 0;
  for (const double m : means) sum += m;
  const double mean = sum / static_cast<double>(means.size());
  int with_interval = 0, held = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (!around[i].half_width) continue;
    ++with_interval;
    held += std::abs(means[i] - mean) <= *around[i].half_width;
    widths += *around[i].half_width;
  }
  std::cout << fmt::format("{}: mean {:.4f} ± {:.4f}; {} runs, {} with interval, {} hold\n", what, mean,
                           widths / with_interval, means.size(), with_interval, held);
  EXPECT_GE(with_interval, 0.8 * static_cast<double>(means.size()));
  EXPECT_GE(held, 0.92 * with_interval);
  EXPECT_LE(held, most * with_interval);
}

TEST_P(system_coverage_soak, confidence_intervals_contain_the_overall_mean) {
  const coverage_case& c = GetParam();
  std::vector<double> latencies, accepted;
  std::vector<interval> around_latency, around_accepted;
  int saturated = 0;
  const int seeds = soak_seeds();
  for (int seed = 1; seed <= seeds; ++seed) {
    const run_findings v =
        run_once(fmt::format("workload: {{injection: {}, length: 5}}\n"
                             "simulation: {{level: engine, seed: {}, warmup: 20000, measure: {}}}\n",
                             c.load, seed, c.measure));
    saturated += v.how == outcome::Saturated;
    latencies.push_back(v.latency);
    around_latency.push_back(v.around);
    accepted.push_back(v.accepted.mean);
    around_accepted.push_back(v.accepted.around);
  }
  std::cout << fmt::format("load {}, {} cycles: {} of {} saturated\n", c.load, c.measure, saturated, seeds);
  if (c.saturated)
    EXPECT_GE(saturated, 0.98 * seeds) << "half a per cent above the knee, a run may not see it";
  else
    EXPECT_EQ(saturated, 0);
  expect_coverage(accepted, around_accepted, "accepted", c.saturated ? 1 : 0.99);  // hardly correlated: too wide
  if (!c.saturated) expect_coverage(latencies, around_latency, "latency", 0.98);
}

INSTANTIATE_TEST_SUITE_P(soak, system_coverage_soak,
                         testing::Values(coverage_case{"mesh_at_0_30", 0.30, 50'000, false},
                                         coverage_case{"mesh_at_0_38", 0.38, 300'000, false},
                                         coverage_case{"mesh_at_0_40", 0.40, 300'000, true}),
                         [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace weft::experiment
