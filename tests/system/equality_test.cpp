// SPDX-License-Identifier: Apache-2.0
/// The engine does what the pin level does: every event of every flit, in networks drawn at random. WEFT_SEED repeats a
/// run.
#include "support/child.h"
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/routing/routing_tables.h"

using namespace weft;

namespace {

constexpr unsigned EqualityCases = 60;

/// Runs \p c at both levels, and says where they differ first; where they do not, "ok" and how many events there were.
/// \p refusing: nodes take no flits for a while, now and then.
std::string difference(const network_case& c, bool refusing = false) {
  const unsigned words = (c.payload_bits + 63) / 64;
  event_log pin_log(words, event_log::detail::Everything), engine_log(words, event_log::detail::Everything);
  built_case pin(c, pin_log);
  stopping_source source(make_traffic(c), c.stop);
  const auto engine = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, engine_log);

  dice d(c.seed);
  for (cycle_t done = 0; done < c.stop + 500;) {
    const cycle_t step = d.between(1, refusing ? 40 : 200);
    if (refusing) {
      const node_id node = d.between(0, c.nodes() - 1);
      const bool ready = d.chance(0.5);
      pin.model().set_ready(node, ready);
      engine->set_ready(node, ready);
    }
    pin.model().run(step);
    engine->run(step);
    done += step;
    const std::string states = first_difference(state_of(c, pin.model()), state_of(c, *engine));
    const std::string events = first_difference(pin_log.take(done), engine_log.take(done));
    if (!events.empty()) return "events of pin level and engine: " + events;
    if (!states.empty()) return fmt::format("cycle {}, queues and counters of pin level and engine: {}", done, states);
  }
  return fmt::format("ok {}", engine_log.events());
}

class system_equality : public testing::TestWithParam<unsigned> {};

TEST_P(system_equality, of_pin_level_and_engine_in_random_networks) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t events = 0;
  for (unsigned i = 0; i < EqualityCases; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * EqualityCases + i;
    const network_case c = random_case(seed);
    const std::string verdict = verdict_in_child([&c] { return difference(c); });
    ASSERT_EQ(verdict.substr(0, 3), "ok ")
        << verdict << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    events += std::stoull(verdict.substr(3));
  }
  EXPECT_GE(events, 2000u * EqualityCases / 2);
}

TEST_P(system_equality, of_pin_level_and_engine_where_nodes_refuse_flits) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t events = 0;
  for (unsigned i = 0; i < EqualityCases / 4; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * EqualityCases + i;
    network_case c = random_case(seed);
    c.nic.ejection_depth = std::max(c.nic.ejection_depth, c.router.depth);
    const std::string verdict = verdict_in_child([&c] { return difference(c, true); });
    ASSERT_EQ(verdict.substr(0, 3), "ok ")
        << verdict << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    events += std::stoull(verdict.substr(3));
  }
  EXPECT_GE(events, 2000u * EqualityCases / 8);
}

/// What happens, and the queues and counters of every hundredth cycle.
std::pair<std::string, std::string> engine_story(const network_case& c) {
  event_log log((c.payload_bits + 63) / 64, event_log::detail::Everything);
  stopping_source source(make_traffic(c), c.stop);
  const auto model = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, log);
  std::string states;
  for (; model->now() < c.stop + 500; model->run(100)) states += state_of(c, *model);
  return {log.text(), states};
}

/// Packets created at once, which a network gets one by one, or asks for behind the first of them.
TEST(system_equality_together, of_packets_given_one_by_one_and_together) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t events = 0;
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 40; ++seed) {
    network_case c = random_case(seed);
    c.urgent = seed % 2 == 0;
    c.together = false;
    const auto one_by_one = engine_story(c);
    c.together = true;
    const auto together = engine_story(c);
    ASSERT_EQ(first_difference(one_by_one.first, together.first), "") << "case " << seed << ": " << describe(c);
    ASSERT_EQ(first_difference(one_by_one.second, together.second), "") << "case " << seed << ": " << describe(c);
    const std::string verdict = verdict_in_child([&c] { return difference(c); });
    ASSERT_EQ(verdict.substr(0, 3), "ok ")
        << verdict << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    events += std::stoull(verdict.substr(3));
  }
  EXPECT_GE(events, 40'000u);
}

/// Networks of more routers than the engine takes through a cycle together.
TEST(system_equality_large, of_pin_level_and_engine_in_networks_of_several_regions) {
  constexpr std::uint32_t RegionNodes = 64;
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  unsigned large = 0;
  for (std::uint64_t seed = test_seed(); large < 6; ++seed) {
    const network_case c = random_case(seed, 6 * RegionNodes);
    if (c.nodes() <= RegionNodes) continue;
    ++large;
    const std::string verdict = verdict_in_child([&c] { return difference(c); });
    ASSERT_EQ(verdict.substr(0, 3), "ok ")
        << verdict << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
  }
}

/// Loads from well below to far above where the engine allocates the switches of all routers of a region together: it
/// takes up that way and leaves it while packets are on their way.
TEST(system_equality_busy, of_pin_level_and_engine_in_networks_with_much_to_do) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  dice d(test_seed());
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
      const std::string verdict = verdict_in_child([&c] { return difference(c); });
      ASSERT_EQ(verdict.substr(0, 3), "ok ") << verdict << "\nWEFT_SEED=" << test_seed() << ": " << describe(c);
    }
  }
}

/// A programme for each node of a mesh of \p sides with NICs of \p nic_ports: its packets leave by any port, go along x
/// or along y first, and arrive by any port.
void draw_programmes(network_case& c, const std::array<std::uint32_t, 2>& sides, unsigned nic_ports, dice& d) {
  enum : unsigned { East, West, North, South, Local };
  const std::unique_ptr<packet_source> packets = make_traffic(c);
  for (node_id n = 0; n < c.nodes(); ++n) {
    while (packets->next_creation(n) < c.stop) {
      const node_id to = packets->take(n).destination;
      const auto along = [&](std::uint32_t from, std::uint32_t there, unsigned up, unsigned down) {
        return std::vector<unsigned>(from < there ? there - from : from - there, from < there ? up : down);
      };
      std::vector<unsigned> ports = along(n % sides[0], to % sides[0], East, West);
      const std::vector<unsigned> y = along(n / sides[0], to / sides[0], North, South);
      ports.insert(d.chance(0.5) ? ports.begin() : ports.end(), y.begin(), y.end());
      ports.push_back(Local + d.between(0, nic_ports - 1));
      c.graph.nodes[n].ways.programme.push_back({d.between(0, nic_ports - 1), source_path::pack(ports)});
    }
  }
}

TEST(system_equality_programmed, of_pin_level_and_engine_where_nodes_have_programmes) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  dice d(test_seed());
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
    draw_programmes(c, sides, nic_ports, d);
    const std::string verdict = verdict_in_child([&c] { return difference(c); });
    ASSERT_EQ(verdict.substr(0, 3), "ok ") << verdict << "\nWEFT_SEED=" << test_seed() << ": " << describe(c);
  }
}

/// Notes what is delivered, and wants to know of nothing else, or of everything.
class deliveries : public network_observer {
 public:
  using entry = std::tuple<cycle_t, packet_id, std::uint32_t>;

  explicit deliveries(network_events wanted) : m_wanted(wanted) {}
  bool wants_payload() const override { return false; }
  network_events wanted() const override { return m_wanted; }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    m_entries.emplace_back(cycle, p.id, routers);
  }
  /// In order of cycles; those of a cycle come in none.
  std::vector<entry> sorted() const {
    std::vector<entry> entries = m_entries;
    std::sort(entries.begin(), entries.end());
    return entries;
  }

 private:
  network_events m_wanted;
  std::vector<entry> m_entries;
};

TEST(system_deliveries, are_the_same_for_who_wants_to_know_nothing_else) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::size_t packets = 0;
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 40; ++seed) {
    network_case c = random_case(seed);
    c.nic = {};  // with stages all flits are looked at in any case
    const auto delivered = [&c](network_events wanted) {
      deliveries observer(wanted);
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

// The everyday run: 540 networks; and 3,000 under the label `soak`.
INSTANTIATE_TEST_SUITE_P(random, system_equality, testing::Range(0u, 9u));
INSTANTIATE_TEST_SUITE_P(soak, system_equality, testing::Range(100u, 150u));

}  // namespace
