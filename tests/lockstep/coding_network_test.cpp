// SPDX-License-Identifier: Apache-2.0
/// Compares networks with XOR stages whose NICs, routers or both are verilated with networks of the pin level. Packets
/// are combined, decoded, held, relayed, and marked when a decoder has no free entry. Every event of every flit, the
/// queues and the counters must be equal.
#include "lockstep/network_event_trace.h"
#include "support/coded_traffic.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/cosim/rtl_nics.h"
#include "weft/cosim/rtl_routers.h"
#include "weft/engine/model.h"
#include "weft/pin/nic/nic_interface.h"
#include "weft/pin/router/router_interface.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft::lockstep {
namespace {

constexpr unsigned RandomCodedCases = 4;

struct coded_case {
  network_case network;
  coded_traffic_parameters traffic;
};

std::string describe(const coded_case& c) {
  const xor_parameters& x = c.network.nic.coding;
  return fmt::format("WEFT_SEED={}: {}; {} entries, overhead {}, {} groups of {} flits at most, spread {}, seed {}",
                     test_seed(), describe(c.network), x.entries, x.overhead, c.traffic.groups, c.traffic.longest,
                     c.traffic.spread, c.traffic.seed);
}

/// The XOR stages that the RTL has, with few or with many entries.
xor_parameters xor_stages(bool many) {
  xor_parameters p;
  p.enabled = true;
  p.entries = many ? 64 : 16;
  p.overhead = many;
  return p;
}

void add_two_classes(network_case& c, grid_parameters p) {
  p.options.vcs = 2;
  c.graph = make_grid(p);
  c.router.classes = 2;
}

void add_compression(network_case& c, selection_mode mode) { c.nic.compression.selection = {mode, 4, 10, 1}; }

const network_kind CodedKinds[] = {
    {"mesh_3x2_without_clock_gating",
     [](network_case& c) {
       c.graph = make_grid(grid({3, 2}));
       c.clock_gating = false;
     }},
    {"mesh_4x4_with_cut_through_and_many_entries",
     [](network_case& c) {
       c.graph = make_grid(grid({4, 4}));
       c.router.flow = flow_control::VirtualCutThrough;
       c.nic.coding = xor_stages(true);
     }},
    {"mesh_4x4_with_compression_and_two_classes",
     [](network_case& c) {
       add_two_classes(c, grid({4, 4}));
       add_compression(c, selection_mode::Always);
     }},
    {"torus_4x4_with_compression_and_many_entries",
     [](network_case& c) {
       c.graph = make_grid(grid({4, 4}, true));
       c.nic.coding = xor_stages(true);
       add_compression(c, selection_mode::Always);
     }},
    {"torus_3x3_in_layers_with_selective_compression",
     [](network_case& c) {
       c.graph = make_grid(grid({3, 3}, true));
       route_shortest_layered(c.graph, c.router.vcs);
       add_compression(c, selection_mode::Selective);
     }},
};

coded_case with_traffic(network_case network, rng& random) {
  coded_case c{std::move(network), {}};
  c.network.seed = random.bits();
  c.traffic.nodes = c.network.nodes();
  c.traffic.longest = 8;
  c.traffic.depth = 8;
  c.traffic.groups = 80;
  c.traffic.spread = 10;
  c.traffic.classes = c.network.router.classes;
  c.traffic.seed = random.bits();
  return c;
}

network_case coded_network() {
  network_case c;
  c.stop = 600;
  c.nic.window = 100;
  c.nic.ejection_depth = 8;
  c.nic.coding = xor_stages(false);
  return c;
}

/// A random case that the build has models for. \param too_long includes packets that fit into no decoder
coded_case random_coded_case(std::uint64_t seed, bool too_long) {
  rng d(seed);
  network_case n = coded_network();
  n.nic.coding = xor_stages(d.chance(0.5));
  n.nic.ejection_depth = d.between(1, 16);
  n.router.pipeline = d.between(3, 4);
  const std::vector<std::uint32_t> shape = {d.between(2, 4), d.between(2, 4)};
  const bool rings = d.chance(0.5);
  n.network = fmt::format("{} [{}, {}]", rings ? "torus" : "mesh", shape[0], shape[1]);
  if (!rings && d.chance(0.5))
    add_two_classes(n, grid(shape));
  else
    n.graph = make_grid(grid(shape, rings));
  if (rings && d.chance(0.5)) route_shortest_layered(n.graph, n.router.vcs);
  add_compression(n, d.one_of({selection_mode::None, selection_mode::Always, selection_mode::Selective}));
  n.clock_gating = n.nodes() > 4 || d.chance(0.5);  // idle entries cost time
  coded_case c = with_traffic(std::move(n), d);
  c.traffic.longest = too_long ? 24 : d.between(1, 24);
  c.traffic.depth = std::min(c.traffic.longest, 16U);
  c.traffic.spread = d.one_of({0U, 3U, 20U});
  return c;
}

class lockstep_coding_network : public testing::Test {
 protected:
  enum parts : unsigned { Nics = 1, Routers = 2 };

  /// Runs \p c at the pin level, and in the engine to count what the stages do.
  void begin(coded_case c) {
    m_case = std::move(c);
    m_expected = event_trace(0);
    ASSERT_GT(std::count(m_expected.begin(), m_expected.end(), '\n'), 1000) << m_expected;
    const coded_traffic checker_source(m_case.traffic);
    coded_traffic source(m_case.traffic);
    coding_checker checker(checker_source, m_case.network.payload_bits);
    const network_case& n = m_case.network;
    engine::make_model(n.graph, n.router, n.nic, n.payload_bits, source, checker)->run(20'000);
    EXPECT_EQ(checker.broken(), "") << describe(m_case);
    m_decoded += checker.decoded();
    m_overflows += checker.overflows();
  }

  /// The event trace of the network with RTL for the parts \p chosen.
  std::string event_trace(unsigned chosen, const std::vector<node_id>& nodes = {}) const {
    return run_in_subprocess([&] { return record_rtl_event_trace(m_case.network.nic, chosen, nodes); });
  }
  std::string record_rtl_event_trace(const nic_parameters& nic, unsigned chosen,
                                     const std::vector<node_id>& nodes = {}) const {
    const network_case& n = m_case.network;
    coded_traffic source(m_case.traffic);
    return record_event_trace(
        n, source, chosen & Routers ? tb::make_rtl_routers(n.graph, n.payload_bits, n.router, nic, {}) : nullptr,
        chosen & Nics ? tb::make_rtl_nics(n.graph, n.payload_bits, n.router, nic, nodes) : nullptr);
  }

  void compare(unsigned chosen, const std::vector<node_id>& nodes = {}) const {
    ASSERT_EQ(first_difference(m_expected, event_trace(chosen, nodes)), "")
        << "NICs and routers: " << chosen << ": " << describe(m_case);
  }

  coded_case m_case;
  std::string m_expected;
  std::uint64_t m_decoded = 0, m_overflows = 0;
};

class lockstep_coding_networks : public lockstep_coding_network, public testing::WithParamInterface<network_kind> {};

TEST_P(lockstep_coding_networks, has_the_same_events_in_rtl_and_systemc) {
  std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
  rng random(test_seed());
  network_case n = coded_network();
  GetParam().make(n);
  begin(with_traffic(std::move(n), random));
  EXPECT_GT(m_decoded, 20U);
  compare(Nics);
  compare(Nics, {0, 4, 5});
  compare(Routers);
  compare(Nics | Routers);
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_coding_networks, testing::ValuesIn(CodedKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

class lockstep_random_coding_network : public lockstep_coding_network, public testing::WithParamInterface<unsigned> {};

TEST_P(lockstep_random_coding_network, has_the_same_events_in_rtl_and_systemc) {
  std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
  for (unsigned i = 0; i < RandomCodedCases; ++i) {
    begin(random_coded_case(test_seed() + GetParam() * RandomCodedCases + i, i == 0));
    compare(Nics);
    compare(Nics | Routers);
  }
  EXPECT_GT(m_decoded, 20U);
  EXPECT_GT(m_overflows, 0U);
}
INSTANTIATE_TEST_SUITE_P(random, lockstep_random_coding_network, testing::Range(0U, 2U));
INSTANTIATE_TEST_SUITE_P(soak, lockstep_random_coding_network, testing::Range(100U, 140U));

/// RTL with other parameters than the network is an error that the comparison must detect.
TEST_F(lockstep_coding_network, detects_late_encoder_and_decoder_with_extra_entries) {
  std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
  rng random(test_seed());
  for (const bool late : {true, false}) {
    network_case n = coded_network();
    n.nic.coding = xor_stages(true);
    nic_parameters compiled = n.nic;
    if (late)
      n.nic.coding.overhead = 0;
    else
      n.nic.coding.entries = 4;
    begin(with_traffic(std::move(n), random));
    const std::string rtl = run_in_subprocess([&] { return record_rtl_event_trace(compiled, Nics); });
    EXPECT_THAT(rtl, testing::StartsWith(m_expected.substr(0, m_expected.find('\n'))))
        << "the RTL run has another result: " << rtl;
    EXPECT_NE(first_difference(m_expected, rtl), "") << describe(m_case);
  }
}

}  // namespace
}  // namespace weft::lockstep
