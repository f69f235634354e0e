// SPDX-License-Identifier: Apache-2.0
/// The fast path computes the result of an isolated packet without simulating it. Events, counters and all later events
/// equal those of the engine that simulates everything. WEFT_SEED repeats a run.
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <deque>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/engine/lazy_model.h"
#include "weft/engine/model.h"
#include "weft/topology/analysis/zero_load.h"
#include "weft/topology/generators/grid.h"

using namespace weft;

namespace {

constexpr unsigned LazyCases = 40;

/// Records the events that a component observes of its network.
class node_log final : public network_observer {
 public:
  explicit node_log(unsigned words) : m_words(words), m_log(words, event_log::detail::Everything) {}

  network_events event_interest() const override {
    return {network_event::Sent, network_event::Received, network_event::Delivered};
  }
  void sent(packet_id id, node_id node, cycle_t cycle) override { m_log.sent(id, node, cycle); }
  void received(const flit_event& e, const std::uint64_t* words) override {
    m_received[e.id] +=
        fmt::format("cycle {}, node {}, VC {}, flit {}: {:x}\n", e.cycle, e.node, e.vc, e.sequence, words[m_words - 1]);
  }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    m_log.delivered(p, cycle, routers);
    ++packets;
  }

  /// The first difference in \p lazy, which receives no flit events of fast-path packets.
  std::string difference(const node_log& lazy) const {
    std::string events = first_difference(m_log.text(), lazy.m_log.text());
    for (const auto& [id, flits] : lazy.m_received)
      if (events.empty()) events = first_difference(m_received.at(id), flits);
    return events;
  }
  /// Number of packets whose flits it received.
  std::size_t received_count() const { return m_received.size(); }

  std::uint64_t packets = 0;

 private:
  const unsigned m_words;
  event_log m_log;
  std::map<packet_id, std::string> m_received;
};

/// Packets that the test announces one by one.
class pushed_source final : public packet_source {
 public:
  explicit pushed_source(std::uint32_t nodes) : m_due(nodes) {}

  void push(const packet& p) { m_due[p.source].push_back(p); }
  cycle_t next_creation(node_id node) const override {
    return m_due[node].empty() ? Never : m_due[node].front().created;
  }
  packet pop(node_id node) override {
    const packet p = m_due[node].front();
    m_due[node].pop_front();
    return p;
  }
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    std::fill_n(words, (payload_bits + 63) / 64, payload_bits == 32 ? p.id % 1000 : p.id << 16 | sequence);
  }

 private:
  std::vector<std::deque<packet>> m_due;
};

struct pushed_network {
  pushed_network(const network_case& c, bool lazy)
      : source(c.nodes()),
        log((c.payload_bits + 63) / 64),
        model((lazy ? engine::make_lazy_model : engine::make_model)(c.graph, c.router, c.nic, c.payload_bits, source,
                                                                    log)) {}

  pushed_source source;
  node_log log;
  std::unique_ptr<engine::driven_model> model;
};

std::string pushed_state(const network_case& c, const engine::driven_model& model) {
  std::string text = fmt::format("cycle {}, {} hops:", model.now(), model.flit_hops());
  for (node_id n = 0; n < c.nodes(); ++n) text += fmt::format(" {}/{}", model.queued(n), model.received_in_window(n));
  text += "\n";
  for (const channel_count& count : model.channel_counts())
    text += fmt::format("{}.{}: {}\n", count.router, count.port, count.flits);
  return text;
}

/// Packets with gaps that are shorter or longer than a packet's latency, with occasional bursts; nodes at times
/// accept no flits.
class lazy_comparison {
 public:
  explicit lazy_comparison(const network_case& c)
      : m_case(c), m_rng(c.seed), m_whole(c.router.flow == flow_control::VirtualCutThrough) {}

  std::string compare() {
    for (unsigned i = 0; i < 400; ++i) {
      const cycle_t gap = m_rng.chance(0.4) ? m_rng.between(1, 12) : m_rng.between(1, 250);
      advance(gap);
      if (m_rng.chance(0.05)) toggle();
      const unsigned burst = m_rng.chance(0.1) ? m_rng.between(2, 6) : 1;
      for (unsigned k = 0; k < burst; ++k) announce();
      // In the same cycle a packet that is no longer isolated may have joined.
      if (m_rng.chance(0.1)) compare_states();
      if (m_rng.chance(0.05)) toggle();
      if (!m_difference.empty()) return m_difference;
    }
    while (!m_stalling.empty()) toggle();
    while (m_all.model->next_activity() != Never && m_all.model->now() < 1'000'000) advance(m_rng.between(1, 200));
    compare_states();
    const std::string events = m_all.log.difference(m_lazy.log);
    if (!events.empty()) return "events of everything simulated and of the lazy engine: " + events;
    if (!m_difference.empty()) return m_difference;
    return fmt::format("ok {} {}", m_all.log.packets, m_all.log.received_count() - m_lazy.log.received_count());
  }

 private:
  void advance(cycle_t cycles) {
    for (const cycle_t end = m_all.model->now() + cycles; m_all.model->now() < end;) {
      const cycle_t step = m_rng.between(1, static_cast<std::uint32_t>(end - m_all.model->now()));
      m_all.model->run(step);
      m_lazy.model->run(step);
      if (m_rng.chance(0.02)) compare_states();
    }
  }

  void announce() {
    packet p;
    p.id = m_next_id++;
    p.source = m_rng.between(0, m_case.nodes() - 1);
    p.destination = m_rng.between(0, m_case.nodes() - 1);
    p.flits = m_rng.between(1, m_whole ? m_case.router.depth : 12);
    p.created = m_all.model->now() + 1;
    p.message_class = static_cast<std::uint8_t>(p.id % m_case.router.classes);
    p.urgent = p.id % 4 == 0;
    for (pushed_network* n : {&m_all, &m_lazy}) {
      n->source.push(p);
      n->model->reschedule_source(p.source);
    }
  }

  void toggle() {
    if (m_case.nic.ejection_depth == 0) return;
    node_id node = m_rng.between(0, m_case.nodes() - 1);
    const bool ready = !m_stalling.empty();
    if (ready) {
      node = m_stalling.back();
      m_stalling.pop_back();
    } else {
      m_stalling.push_back(node);
    }
    m_all.model->set_ready(node, ready);
    m_lazy.model->set_ready(node, ready);
  }

  void compare_states() {
    const std::string states =
        first_difference(pushed_state(m_case, *m_all.model), pushed_state(m_case, *m_lazy.model));
    if (!states.empty() && m_difference.empty())
      m_difference = fmt::format("cycle {}, counters of everything simulated and of the lazy engine: {}",
                                 m_all.model->now(), states);
  }

  const network_case m_case;
  rng m_rng;
  const bool m_whole;
  pushed_network m_all{m_case, false}, m_lazy{m_case, true};
  std::vector<node_id> m_stalling;
  packet_id m_next_id = 1;
  std::string m_difference;
};

network_case lazy_case(std::uint64_t seed) {
  network_case c = random_case(seed, seed % 4 == 0 ? 150 : 40);
  if (seed % 8 != 0) c.nic.compression = {};  // packets that pass codecs are simulated
  if (seed % 8 != 0) c.nic.coding = {};
  if (seed % 2 == 0) c.nic.ejection_depth = 8;
  if (c.router.flow == flow_control::VirtualCutThrough && c.nic.ejection_depth != 0)
    c.nic.ejection_depth = std::max(c.nic.ejection_depth, c.router.depth);
  return c;
}

}  // namespace

class system_lazy : public testing::TestWithParam<unsigned> {};

TEST_P(system_lazy, fast_path_agrees_with_full_simulation) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t packets = 0, on_fast_path = 0;
  for (unsigned i = 0; i < LazyCases; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * LazyCases + i;
    network_case c = lazy_case(seed);
    c.seed = seed;
    const std::string comparison_result = lazy_comparison(c).compare();
    ASSERT_EQ(comparison_result.substr(0, 3), "ok ")
        << comparison_result << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    std::size_t end = 0;
    packets += std::stoull(comparison_result.substr(3), &end);
    on_fast_path += std::stoull(comparison_result.substr(3 + end));
  }
  EXPECT_GT(packets, 300U * LazyCases);
  EXPECT_GT(on_fast_path, packets / 40) << "too few packets used the fast path";
}

INSTANTIATE_TEST_SUITE_P(random_networks, system_lazy, testing::Range(0u, 2u));
INSTANTIATE_TEST_SUITE_P(soak, system_lazy, testing::Range(2u, 22u));

namespace {

/// The same network with its routers numbered in reverse.
topology numbered_backwards(const topology& graph) {
  topology other = graph;
  const auto number = [&](router_id r) { return static_cast<router_id>(graph.routers.size() - 1 - r); };
  for (router_id r = 0; r < graph.routers.size(); ++r) {
    other.routers[number(r)] = graph.routers[r];
    other.routing[number(r)] = graph.routing[r];
  }
  for (channel& c : other.channels) {
    c.from.router = number(c.from.router);
    c.to.router = number(c.to.router);
  }
  for (node_attachment& n : other.nodes)
    for (port_ref& port : n.ports) port.router = number(port.router);
  return other;
}

/// Isolated packets take the time of the formula. Then the load is so high that the switches of the routers change to
/// their other representation; both phases run twice.
void expect_formula(topology graph, unsigned vcs) {
  network_case c;
  c.graph = std::move(graph);
  c.router.vcs = vcs;
  c.nic.ejection_depth = 8;
  pushed_network all(c, false), lazy(c, true);
  rng d(vcs);
  packet_id id = 1;
  const auto announce = [&](std::uint32_t flits) {
    packet p;
    p.id = id++;
    p.source = d.between(0, c.nodes() - 1);
    p.destination = d.between(0, c.nodes() - 1);
    p.flits = flits;
    p.created = all.model->now() + 1;
    for (pushed_network* n : {&all, &lazy}) {
      n->source.push(p);
      n->model->reschedule_source(p.source);
    }
    return p;
  };
  const auto run = [&](cycle_t cycles) {
    all.model->run(cycles);
    lazy.model->run(cycles);
  };
  run(1);
  for (unsigned phase = 0; phase < 2; ++phase) {
    for (unsigned i = 0; i < 60; ++i) {
      const packet p = announce(d.between(1, 60));
      run(1);
      ASSERT_EQ(lazy.model->next_activity(),
                p.created + zero_load_latency(c.graph, c.router, p.source, p.destination, p.flits));
      run(d.between(250, 300));
    }
    ASSERT_EQ(first_difference(pushed_state(c, *all.model), pushed_state(c, *lazy.model)), "");
    for (unsigned cycle = 0; cycle < 600; ++cycle) {
      for (unsigned i = 0; i < 5; ++i) announce(5);
      run(1);
    }
    run(20'000);
    ASSERT_EQ(all.log.difference(lazy.log), "");
  }
}

}  // namespace

TEST(system_lazy, packet_latency_equals_the_formula) {
  for (const unsigned vcs : {1u, 2u, 4u}) expect_formula(make_grid({{10, 10}, {1, 1, 1, vcs}}), vcs);
}

TEST(system_lazy, latency_formula_holds_in_one_and_three_dimensions) {
  expect_formula(make_grid({{30}, {1, 1, 1, 3}}), 3);
  for (const std::vector<unsigned>& order : {std::vector<unsigned>{0, 1, 2}, {2, 0, 1}, {1, 0, 2}})
    expect_formula(make_grid({{5, 4, 6}, {1, 1, 1, 4}, order}), 4);
}

/// The position of a router does not follow from its number.
TEST(system_lazy, latency_formula_holds_for_renumbered_routers) {
  const topology graph = make_grid({{10, 10}, {1, 1, 1, 4}});
  expect_formula(numbered_backwards(graph), 4);
}

/// An observer that needs more events than a component does gets every event in its cycle.
TEST(system_lazy, fast_path_is_off_for_observers_of_all_events) {
  network_case c;
  pushed_source source(c.nodes());
  event_log log(1, event_log::detail::Everything);
  const auto model = engine::make_lazy_model(c.graph, c.router, c.nic, c.payload_bits, source, log);
  model->run(1);
  packet p;
  p.id = 1;
  p.destination = 5;
  p.created = 2;
  source.push(p);
  model->reschedule_source(0);
  EXPECT_EQ(model->next_activity(), 2U);
  model->run(100);
  EXPECT_EQ(log.events(), 6U);
}

/// The engine reports wait times, so it does not use the fast path for observers that need them.
TEST(system_lazy, fast_path_is_off_for_observers_of_wait_times) {
  class wait_log final : public network_observer {
   public:
    bool needs_payload() const override { return false; }
    network_events event_interest() const override { return {network_event::Delivered}; }
    bool needs_waits() const override { return true; }
    void waited(packet_id id, const router_waits& waits, cycle_t left) override {
      text += fmt::format("packet {} waited {} cycles and left in {}\n", id, waits.sum(), left);
    }
    std::string text;
  };
  network_case c;
  pushed_source source(c.nodes());
  wait_log log;
  const auto model = engine::make_lazy_model(c.graph, c.router, c.nic, c.payload_bits, source, log);
  model->run(1);
  packet p;
  p.id = 7;
  p.destination = 5;
  p.created = 2;
  source.push(p);
  model->reschedule_source(0);
  model->run(100);
  EXPECT_EQ(log.text, "packet 7 waited 0 cycles and left in 18\n");
}
