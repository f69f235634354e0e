// SPDX-License-Identifier: Apache-2.0
/// XOR stages in whole networks: both levels have the same events, and the received data equals the sent data.
/// WEFT_SEED repeats a run.
#include "support/coded_traffic.h"
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/pin/model.h"
#include "weft/topology/analysis/check.h"

using namespace weft;

namespace {

constexpr unsigned CodingCases = 40;
constexpr cycle_t CodingPatience = 200000;  // cycles within which every network must drain

/// A network with coded traffic.
struct coding_case {
  network_case network;
  coded_traffic_parameters traffic;
};

std::string describe(const coding_case& c) {
  const xor_parameters& x = c.network.nic.coding;
  return fmt::format(
      "{}; XOR stages: {} entries of {} flits, overhead {}; {} groups, {} flits at most, spread {}, seed {}",
      describe(c.network), x.entries, x.depth, x.overhead, c.traffic.groups, c.traffic.longest, c.traffic.spread,
      c.traffic.seed);
}

bool has_single_port(const network_case& c) {
  return std::all_of(c.graph.nodes.begin(), c.graph.nodes.end(),
                     [](const node_attachment& n) { return n.ports.size() == 1; });
}

/// A random case, as random_case() makes it.
coding_case random_coding_case(std::uint64_t seed) {
  rng d(seed);
  coding_case c;
  do c.network = random_case(d.bits(), 24);
  while (!has_single_port(c.network) || c.network.nodes() < 2);
  nic_parameters& nic = c.network.nic;
  nic.queues = source_queues::Shared;
  const bool whole = c.network.router.flow == flow_control::VirtualCutThrough;
  c.traffic.longest = whole ? d.between(1, c.network.router.depth) : d.between(1, 12);
  if (whole || nic.ejection_depth == 0) nic.ejection_depth = d.between(whole ? c.traffic.longest : 1, 12);
  nic.compression.latency.reset();
  nic.compression.ratio.reset();
  nic.coding.enabled = true;
  nic.coding.entries = d.chance(0.3) ? d.between(2, 4) : d.between(8, 64);
  nic.coding.depth = d.chance(0.7) ? c.traffic.longest : d.between(1, c.traffic.longest);
  nic.coding.overhead = d.chance(0.4) ? 0 : d.between(1, 35);
  c.traffic.nodes = c.network.nodes();
  c.traffic.words_per_flit = c.network.payload_bits / 32;
  c.traffic.depth = nic.coding.depth;
  c.traffic.groups = d.between(10, 60);
  c.traffic.spread = d.one_of({0u, 3u, 20u, 60u});
  c.traffic.classes = c.network.router.classes;
  c.traffic.seed = d.bits();
  return c;
}

/// Runs \p c at both levels until it is drained. \return `ok <delivered> <decoded> <overflows>`, or the first error.
std::string check_case(const coding_case& c) {
  const network_case& n = c.network;
  const unsigned words = (n.payload_bits + 63) / 64;
  event_log pin_log(words, event_log::detail::Everything), engine_log(words, event_log::detail::Everything);
  coded_traffic pin_source(c.traffic), engine_source(c.traffic), checker_source(c.traffic);
  coding_checker checker(checker_source, n.payload_bits);
  const pin::model_options options{n.payload_bits, n.clock_gating, {}, {}};
  const auto pin = pin::make_model(n.graph, n.router, n.nic, options, pin_source, pin_log);
  const auto engine = engine::make_model(n.graph, n.router, n.nic, n.payload_bits, engine_source, engine_log);
  const auto bare = engine::make_model(n.graph, n.router, n.nic, n.payload_bits, checker_source, checker);

  rng d(n.seed);
  std::size_t events = 0;
  for (unsigned still = 0; still < 3;) {
    const cycle_t step = d.between(1, 300);
    pin->run(step);
    engine->run(step);
    bare->run(step);
    still = engine->next_activity() == Never ? still + 1 : 0;
    if (pin->now() > CodingPatience) return "the network does not drain";
    events = engine_log.events();
  }
  const std::string difference = first_difference(pin_log.text(), engine_log.text());
  if (!difference.empty()) return "events of pin level and engine: " + difference;
  if (!checker.broken().empty()) return "invariant: " + checker.broken();
  const std::string audit = pin->audit_at_rest();
  if (!audit.empty()) return "audit: " + audit;
  return fmt::format("ok {} {} {} {}", events, checker.delivered(), checker.decoded(), checker.overflows());
}

class system_coding : public testing::TestWithParam<unsigned> {};

TEST_P(system_coding, levels_agree_and_restore_all_data) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t delivered = 0, decoded = 0, overflows = 0;
  for (unsigned i = 0; i < CodingCases; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * CodingCases + i;
    const coding_case c = random_coding_case(seed);
    const std::string found = run_in_subprocess([&c] { return check_case(c); });
    ASSERT_EQ(found.substr(0, 3), "ok ") << found << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": "
                                         << describe(c);
    std::istringstream numbers(found.substr(3));
    std::uint64_t events = 0, all = 0, apart = 0, marked = 0;
    numbers >> events >> all >> apart >> marked;
    delivered += all;
    decoded += apart;
    overflows += marked;
  }
  EXPECT_GT(delivered, 50u * CodingCases);
  EXPECT_GT(decoded, delivered / 5);
  EXPECT_GT(overflows, 0u);
}

INSTANTIATE_TEST_SUITE_P(random, system_coding, testing::Range(0u, 4u));
INSTANTIATE_TEST_SUITE_P(soak, system_coding, testing::Range(100u, 150u));

/// An engine whose observer needs neither payload nor most events simulates the same cycles.
TEST(system_coding_engine, works_without_payload_or_event_observers) {
  class payload_free_observer final : public network_observer {
   public:
    bool needs_payload() const override { return false; }
    network_events event_interest() const override { return {network_event::Delivered}; }
    void delivered(const packet& p, cycle_t cycle, std::uint32_t) override {
      text += fmt::format("{} {} {} {}\n", cycle, p.id, p.flits, static_cast<int>(p.code.role));
    }
    std::string text;
  };
  class payload_observer final : public network_observer {
   public:
    void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
      same.delivered(p, cycle, routers);
    }
    payload_free_observer same;
  };
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  for (unsigned i = 0; i < 20; ++i) {
    const coding_case c = random_coding_case(test_seed() + i);
    coded_traffic one(c.traffic), other(c.traffic);
    payload_free_observer without;
    payload_observer with;
    engine::make_model(c.network.graph, c.network.router, c.network.nic, c.network.payload_bits, one, without)
        ->run(3000);
    engine::make_model(c.network.graph, c.network.router, c.network.nic, c.network.payload_bits, other, with)
        ->run(3000);
    EXPECT_EQ(without.text, with.same.text) << describe(c);
  }
}

TEST(system_coding_parameters, are_rejected_by_name_when_out_of_range) {
  const auto rejection = [](auto change) -> std::string {
    network_case c;
    c.nic.ejection_depth = 4;
    c.nic.coding.enabled = true;
    change(c);
    try {
      check_parameters(c.graph, c.router, c.nic);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_EQ(rejection([](network_case&) {}), "");
  const auto expect = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << " should contain " << part;
  };
  expect(rejection([](network_case& c) { c.nic.ejection_depth = 0; }), "nic.ejection_depth");
  expect(rejection([](network_case& c) { c.nic.coding.entries = 1; }), "nic.coding.entries");
  expect(rejection([](network_case& c) { c.nic.coding.entries = 4097; }), "nic.coding.entries");
  expect(rejection([](network_case& c) { c.nic.coding.depth = 0; }), "nic.coding.depth");
  expect(rejection([](network_case& c) { c.nic.coding.depth = 513; }), "nic.coding.depth");
  expect(rejection([](network_case& c) { c.nic.coding.overhead = 4097; }), "nic.coding.overhead");
  expect(rejection([](network_case& c) {
           c.nic.compression.selection.mode = selection_mode::Always;
           c.nic.compression.latency = 100;
         }),
         "nic.compression.latency");
  expect(rejection([](network_case& c) { c.graph = make_grid({{2, 2}, {1, 1, 2}}); }), "one channel");
}

}  // namespace
