// SPDX-License-Identifier: Apache-2.0
/// The same seed gives the same events, byte for byte. They do not depend on how often run() is called, which
/// clocks are gated, or which other models exist in the process.
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/workload/pattern.h"

namespace {

using weft::cycle_t;

constexpr cycle_t LoggedCycles = 500;

/// Three different networks, each with traffic for more than LoggedCycles cycles.
std::vector<network_case> cases() {
  network_case plain;
  plain.workload.injection.load = 0.3;
  network_case busy;
  busy.graph = weft::make_grid({{3, 2, 2}, {2, 3, 2, 3}, {2, 0, 1}});
  busy.router = {3, 5, 7, weft::flow_control::Wormhole};
  busy.nic.ejection_depth = 4;
  busy.workload.pattern.kind = &weft::find_pattern("hotspot");
  busy.workload.pattern.hotspots = {3};
  busy.workload.injection.load = 0.9;
  busy.payload_bits = 256;
  busy.seed = 7;
  network_case sparse;
  sparse.graph = weft::make_grid({{5, 3}, {1, 1, 1, 2}});
  sparse.router = {2, 6, 3, weft::flow_control::VirtualCutThrough};
  sparse.workload.injection.load = 0.05;
  sparse.workload.length.kind = weft::length_kind::Uniform;
  sparse.workload.length.max = 6;
  sparse.payload_bits = 32;
  sparse.seed = 3;
  return {plain, busy, sparse};
}

/// The log of the first LoggedCycles cycles of \p c, run in slices of \p slices cycles, cyclically.
std::string log_of(const network_case& c, std::vector<cycle_t> slices) {
  event_log log((c.payload_bits + 63) / 64);
  built_case built(c, log);
  for (std::size_t i = 0; built.model().now() < LoggedCycles + 1; ++i) built.model().run(slices[i % slices.size()]);
  return log.text(LoggedCycles);
}

std::string solo(const network_case& c) {
  return run_in_subprocess_or_throw([&c] { return log_of(c, {LoggedCycles + 1}); });
}

/// Rejects an empty log, which would make comparisons meaningless.
void expect_work(const std::string& log) { EXPECT_GT(std::count(log.begin(), log.end(), '\n'), 300); }

TEST(system_determinism, the_same_seed_gives_the_same_log) {
  for (const network_case& c : cases()) {
    const std::string log = solo(c);
    expect_work(log);
    EXPECT_EQ(first_difference(log, solo(c)), "") << describe(c);
  }
}

TEST(system_determinism, another_seed_gives_another_log) {
  for (network_case c : cases()) {
    const std::string log = solo(c);
    ++c.seed;
    EXPECT_NE(first_difference(log, solo(c)), "") << describe(c);
  }
}

TEST(system_determinism, clock_gating_changes_nothing) {
  std::vector<network_case> all = cases();
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  for (unsigned i = 0; i < 30; ++i) all.push_back(random_case(test_seed() + 77000 + i, 20));
  for (network_case& c : all) {
    c.clock_gating = true;
    const std::string gated = solo(c);
    c.clock_gating = false;
    ASSERT_EQ(first_difference(gated, solo(c)), "") << "WEFT_SEED=" << test_seed() << ": " << describe(c);
  }
}

TEST(system_determinism, run_in_slices_equals_uninterrupted_run) {
  for (const network_case& c : cases()) {
    const std::string log = solo(c);
    for (const std::vector<cycle_t>& slices : {std::vector<cycle_t>{1}, {17}, {3, 1, 250, 0, 42}}) {
      const std::string sliced = run_in_subprocess_or_throw([&] { return log_of(c, slices); });
      EXPECT_EQ(first_difference(log, sliced), "") << describe(c) << ", slices of " << slices.front() << ", …";
    }
  }
}

TEST(system_determinism, networks_in_one_process_are_independent) {
  // SystemC requires that all models are built before the first one starts. They share simulation time: running one
  // runs all that were started. Each counts its own cycles from its own release of reset.
  const std::vector<network_case> all = cases();
  for (std::size_t first = 0; first < all.size(); ++first) {
    const std::string together = run_in_subprocess_or_throw([&all, first] {
      std::vector<event_log> logs;
      for (const network_case& c : all) logs.emplace_back((c.payload_bits + 63) / 64);
      std::vector<std::unique_ptr<built_case>> models;
      for (std::size_t i = 0; i < all.size(); ++i) models.push_back(std::make_unique<built_case>(all[i], logs[i]));
      std::string text;
      const auto run = [&](std::size_t i, cycle_t cycles) {
        weft::pin::audited_model& model = models[i % models.size()]->model();
        const cycle_t before = model.now();
        model.run(cycles);
        if (model.now() != before + cycles) text += "run() did not simulate the requested cycles\n";
        for (const auto& m : models) text += m->model().audit();
      };
      for (std::size_t i = 0; i < all.size(); ++i) run(first + i, 100 + 10 * i);
      for (std::size_t i = 0; i < all.size(); ++i) run(first + i, LoggedCycles / 2);
      for (const auto& m : models)
        if (m->model().now() <= LoggedCycles) text += "too few cycles\n";
      for (const event_log& log : logs) text += log.text(LoggedCycles);
      return text;
    });
    std::string apart;
    for (const network_case& c : all) apart += solo(c);
    expect_work(apart);
    EXPECT_EQ(first_difference(apart, together), "") << "network " << first << " starts";
  }
}

}  // namespace
