// SPDX-License-Identifier: Apache-2.0
/// The engine has the same events of every flit as the pin level, in random networks. WEFT_SEED repeats a
/// run.
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/random_plan.h"
#include "support/subprocess.h"
#include "system/level_difference.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/k_ary_n_fly.h"
#include "weft/topology/kinds.h"
#include "weft/topology/routing/routing_tables.h"
#include "weft/workload/pattern.h"

using namespace weft;

namespace {

constexpr unsigned EqualityCases = 60;

class system_equality : public testing::TestWithParam<unsigned> {};

TEST_P(system_equality, levels_agree_in_random_networks) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t events = 0;
  for (unsigned i = 0; i < EqualityCases; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * EqualityCases + i;
    const network_case c = random_case(seed);
    const std::string result = run_in_subprocess([&c] { return level_difference(c); });
    ASSERT_EQ(result.substr(0, 3), "ok ")
        << result << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    events += std::stoull(result.substr(3));
  }
  EXPECT_GE(events, 2000u * EqualityCases / 2);
}

TEST_P(system_equality, levels_agree_when_nodes_stall) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t events = 0;
  for (unsigned i = 0; i < EqualityCases / 4; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * EqualityCases + i;
    network_case c = random_case(seed);
    c.nic.ejection_depth = std::max(c.nic.ejection_depth, c.router.depth);
    const std::string result = run_in_subprocess([&c] { return level_difference(c, true); });
    ASSERT_EQ(result.substr(0, 3), "ok ")
        << result << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    events += std::stoull(result.substr(3));
  }
  EXPECT_GE(events, 2000u * EqualityCases / 8);
}

/// All events, and the queues and counters of every hundredth cycle.
std::pair<std::string, std::string> record_engine_trace(const network_case& c) {
  event_log log((c.payload_bits + 63) / 64, event_log::detail::Everything);
  stopping_source source(make_traffic(c), c.stop);
  const auto model = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, log);
  std::string states;
  for (; model->now() < c.stop + 500; model->run(100)) states += state_of(c, *model);
  return {log.text(), states};
}

/// Packets created at once, which the network pops one by one, or requests as followers of the first.
TEST(system_equality_together, single_and_batched_creation_agree) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t events = 0;
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 40; ++seed) {
    network_case c = random_case(seed);
    c.urgent = seed % 2 == 0;
    c.together = false;
    const auto one_by_one = record_engine_trace(c);
    c.together = true;
    const auto together = record_engine_trace(c);
    ASSERT_EQ(first_difference(one_by_one.first, together.first), "") << "case " << seed << ": " << describe(c);
    ASSERT_EQ(first_difference(one_by_one.second, together.second), "") << "case " << seed << ": " << describe(c);
    const std::string result = run_in_subprocess([&c] { return level_difference(c); });
    ASSERT_EQ(result.substr(0, 3), "ok ")
        << result << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    events += std::stoull(result.substr(3));
  }
  EXPECT_GE(events, 40'000u);
}

/// These networks have more routers than the engine simulates together in one cycle.
TEST(system_equality_large, levels_agree_in_networks_of_several_regions) {
  constexpr std::uint32_t RegionNodes = 64;
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  unsigned large = 0;
  for (std::uint64_t seed = test_seed(); large < 6; ++seed) {
    const network_case c = random_case(seed, 6 * RegionNodes);
    if (c.nodes() <= RegionNodes) continue;
    ++large;
    const std::string result = run_in_subprocess([&c] { return level_difference(c); });
    ASSERT_EQ(result.substr(0, 3), "ok ")
        << result << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
  }
}

/// Loads far below and far above the threshold at which the engine allocates the switches of all routers of a region
/// together. The engine enters and leaves this mode while packets are in flight.
TEST(system_equality_busy, levels_agree_in_busy_networks) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  rng d(test_seed());
  const std::vector<std::vector<std::uint32_t>> shapes = {{8, 8}, {4, 4}, {3, 3, 3}, {16, 8}, {5}};
  for (const auto& shape : shapes) {
    for (const double load : {0.15, 0.25, 0.35, 0.9}) {
      network_case c;
      const bool rings = d.chance(0.3);
      c.network = fmt::format("{} of {} dimensions, first side {}", rings ? "torus" : "mesh", shape.size(), shape[0]);
      c.router.vcs = rings ? 4 : d.between(3, 4);
      grid_parameters grid{shape, {1, 1, 1, c.router.vcs}};
      grid.rings = rings;
      c.graph = make_grid(grid);
      c.router.depth = d.between(1, 9);
      c.router.pipeline = d.one_of({3u, 4u, 5u});
      c.workload.injection.load = load;
      c.workload.length.flits = d.one_of({1u, 2u, 5u});
      c.seed = d.bits();
      c.stop = 1500;
      const std::string result = run_in_subprocess([&c] { return level_difference(c); });
      ASSERT_EQ(result.substr(0, 3), "ok ") << result << "\nWEFT_SEED=" << test_seed() << ": " << describe(c);
    }
  }
}

/// Draws a network of \p kind that can have \p routing. One-way rings, for example, have no minimal adaptive routing.
void draw_network(network_case& c, const topology_kind& kind, const routing_kind& routing, rng& d) {
  for (unsigned tries = 0; tries < 100; ++tries) {
    network_plan plan = random_plan(d, kind, 72, {d.between(1, 3), 1, 1, c.router.vcs});
    plan.routing = &routing;
    plan.network.vcs = c.router.vcs;
    plan.routing_choices.threshold = d.between(0, 6);
    plan.routing_choices.ascent = ascent::DestinationModulo;  // detours extend only routes that are not adaptive
    try {
      c.graph = make_network(plan);
      c.network = ::describe(plan);
      return;
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
  throw std::logic_error("no random " + kind.name + " can have the routing " + routing.name);
}

/// A network of \p kind with routing over intermediate nodes, or adaptive routing, under traffic that loads few links.
network_case case_with_detours(const topology_kind& kind, const routing_kind& routing, rng& d) {
  network_case c;
  c.router.vcs = 8;
  draw_network(c, kind, routing, d);
  c.router.depth = d.between(2, 6);
  c.router.pipeline = d.one_of({3u, 4u, 6u});
  c.workload.pattern.kind = &find_pattern("shift");
  c.workload.pattern.shift = d.between(1, c.nodes() / 2 + 1);
  c.workload.injection.load = d.one_of({0.2, 0.5, 0.9});
  c.workload.length.flits = d.between(1, 6);
  c.seed = d.bits();
  c.stop = 600;
  return c;
}

/// Heads change between the direct path and the detour while they wait, as the buffers behind both fill.
TEST(system_equality_detours, levels_agree_with_detours_under_load) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  rng d(test_seed());
  for (const topology_kind* kind : generated_kinds()) {
    for (const char* const name : {"ugal", "valiant", "minimal_adaptive"}) {
      // Links of a butterfly go one way, so it has no up*/down* paths, which this routing needs as escape.
      if (kind == &k_ary_n_fly_topology() && std::string(name) == "minimal_adaptive") continue;
      const auto& all = routing_kinds();
      const auto routing = std::find_if(all.begin(), all.end(), [&](const auto* r) { return r->name == name; });
      const network_case c = case_with_detours(*kind, **routing, d);
      const std::string result = run_in_subprocess([&c] { return level_difference(c); });
      ASSERT_EQ(result.substr(0, 3), "ok ") << result << "\nWEFT_SEED=" << test_seed() << ": " << describe(c);
    }
  }
}

/// A mesh, or a torus if \p rings, under load, in which heads often have several outputs.
network_case case_with_grid(grid_algorithm algorithm, selection_rule selection, bool rings, rng& d) {
  network_case c;
  grid_parameters grid;
  const bool is_flat = grid_routing(algorithm).most_dimensions == 2 || d.chance(0.5);
  grid.shape = is_flat ? std::vector<std::uint32_t>{d.between(3, 6), d.between(3, 6)}
                       : std::vector<std::uint32_t>{d.between(2, 3), d.between(2, 3), d.between(2, 3)};
  grid.algorithm = algorithm;
  grid.selection = selection;
  grid.congestion = d.between(0, 100);
  grid.rings = rings;
  grid.options.vcs = c.router.vcs = d.between(rings ? 4 : 3, 6);
  grid.seed = d.bits();
  c.graph = make_grid(grid);
  c.network = fmt::format("{} {} [{}], selection {} at {} %", c.graph.kind, c.graph.algorithm,
                          fmt::join(grid.shape, ", "), static_cast<int>(selection), grid.congestion);
  c.router.depth = d.between(1, 8);
  c.router.pipeline = d.one_of({3u, 4u, 6u});
  c.workload.pattern.kind = &find_pattern("tornado");
  c.workload.injection.load = d.one_of({0.2, 0.5, 0.9});
  c.workload.length.flits = d.between(1, 6);
  c.seed = d.bits();
  c.stop = 500;
  return c;
}

TEST(system_equality_grids, levels_agree_with_every_routing_of_grids_and_every_selection) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  rng d(test_seed());
  for (const routing_kind& routing : grid_routings()) {
    for (const auto& [name, selection] : selection_rules()) {
      for (const bool rings : {false, true}) {
        if (rings && !routing.rings) continue;
        const network_case c = case_with_grid(*routing.grid, selection, rings, d);
        const std::string result = run_in_subprocess([&c] { return level_difference(c); });
        ASSERT_EQ(result.substr(0, 3), "ok ") << result << "\nWEFT_SEED=" << test_seed() << ": " << describe(c);
      }
    }
  }
}

/// A send sequence for each node of a mesh of \p sides with NICs of \p nic_ports ports. Its packets leave by any port,
/// travel along x or y first, and arrive by any port.
void draw_send_sequences(network_case& c, const std::array<std::uint32_t, 2>& sides, unsigned nic_ports, rng& d) {
  enum : unsigned { East, West, North, South, Local };
  const std::unique_ptr<packet_source> packets = make_traffic(c);
  for (node_id n = 0; n < c.nodes(); ++n) {
    while (packets->next_creation(n) < c.stop) {
      const node_id to = packets->pop(n).destination;
      const auto along = [&](std::uint32_t from, std::uint32_t there, unsigned up, unsigned down) {
        return std::vector<unsigned>(from < there ? there - from : from - there, from < there ? up : down);
      };
      std::vector<unsigned> ports = along(n % sides[0], to % sides[0], East, West);
      const std::vector<unsigned> y = along(n / sides[0], to / sides[0], North, South);
      ports.insert(d.chance(0.5) ? ports.begin() : ports.end(), y.begin(), y.end());
      ports.push_back(Local + d.between(0, nic_ports - 1));
      c.graph.nodes[n].path_ids.send_sequence.push_back({d.between(0, nic_ports - 1), source_path::pack(ports)});
    }
  }
}

TEST(system_equality_send_sequences, levels_agree_when_nodes_have_send_sequences) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  rng d(test_seed());
  for (unsigned i = 0; i < 20; ++i) {
    const std::array<std::uint32_t, 2> sides{d.between(2, 5), d.between(2, 5)};
    const unsigned nic_ports = d.between(1, 3);
    network_case c;
    c.network = fmt::format("mesh [{}, {}], {} ports a NIC", sides[0], sides[1], nic_ports);
    c.router.vcs = d.between(1, 4);
    grid_parameters grid{{sides[0], sides[1]}, {1, 1, nic_ports, c.router.vcs}};
    c.graph = make_grid(grid);
    route_by_source(c.graph, c.router.vcs);
    c.router.depth = d.between(1, 9);
    c.workload.injection.load = d.one_of({0.05, 0.2, 0.7});
    c.workload.length.flits = d.one_of({1u, 2u, 5u});
    c.seed = d.bits();
    c.stop = 500;
    draw_send_sequences(c, sides, nic_ports, d);
    const std::string result = run_in_subprocess([&c] { return level_difference(c); });
    ASSERT_EQ(result.substr(0, 3), "ok ") << result << "\nWEFT_SEED=" << test_seed() << ": " << describe(c);
  }
}

/// Records deliveries, and requests no other events, or all events.
class deliveries : public network_observer {
 public:
  using entry = std::tuple<cycle_t, packet_id, std::uint32_t>;

  explicit deliveries(network_events event_interest) : m_event_interest(event_interest) {}
  bool needs_payload() const override { return false; }
  network_events event_interest() const override { return m_event_interest; }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    m_entries.emplace_back(cycle, p.id, routers);
  }
  /// Ordered by cycle; unordered within one.
  std::vector<entry> sorted() const {
    std::vector<entry> entries = m_entries;
    std::sort(entries.begin(), entries.end());
    return entries;
  }

 private:
  network_events m_event_interest;
  std::vector<entry> m_entries;
};

TEST(system_deliveries, are_the_same_for_observers_of_deliveries_only) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::size_t packets = 0;
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 40; ++seed) {
    network_case c = random_case(seed);
    c.nic = {};  // with stages all flits are processed in any case
    const auto delivered = [&c](network_events event_interest) {
      deliveries observer(event_interest);
      stopping_source source(make_traffic(c), c.stop);
      engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, observer)->run(c.stop + 500);
      return observer.sorted();
    };
    const auto all = delivered(network_events::all());
    ASSERT_EQ(delivered({network_event::Delivered}), all) << "case " << seed << ": " << describe(c);
    packets += all.size();
  }
  EXPECT_GE(packets, 400u);
}

// The normal run has 540 networks; the label `soak` runs 3,000.
INSTANTIATE_TEST_SUITE_P(random, system_equality, testing::Range(0u, 9u));
INSTANTIATE_TEST_SUITE_P(soak, system_equality, testing::Range(100u, 150u));

}  // namespace
