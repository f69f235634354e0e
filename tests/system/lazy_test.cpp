// SPDX-License-Identifier: Apache-2.0
/// A packet that is alone is foreseen, not simulated, and nobody can tell: events, counters and all that comes after it
/// are those of the engine that simulates everything. WEFT_SEED repeats a run.
#include "support/child.h"
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
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

/// What a component hears of its network, written down.
class node_log final : public network_observer {
 public:
  explicit node_log(unsigned words) : m_words(words), m_log(words, event_log::detail::Everything) {}

  network_events wanted() const override {
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

  /// What differs in \p lazy, which hears of no flits of those packets that are foreseen.
  std::string difference(const node_log& lazy) const {
    std::string events = first_difference(m_log.text(), lazy.m_log.text());
    for (const auto& [id, flits] : lazy.m_received)
      if (events.empty()) events = first_difference(m_received.at(id), flits);
    return events;
  }
  /// Packets whose flits it has heard of.
  std::size_t heard_of() const { return m_received.size(); }

  std::uint64_t packets = 0;

 private:
  const unsigned m_words;
  event_log m_log;
  std::map<packet_id, std::string> m_received;
};

/// Packets that are announced one by one.
class pushed_source final : public packet_source {
 public:
  explicit pushed_source(std::uint32_t nodes) : m_due(nodes) {}

  void push(const packet& p) { m_due[p.source].push_back(p); }
  cycle_t next_creation(node_id node) const override {
    return m_due[node].empty() ? Never : m_due[node].front().created;
  }
  packet take(node_id node) override {
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

/// Packets with gaps between them that are now shorter and now longer than a packet's way, in bursts now and then;
/// nodes that take no flits for a while.
class lazy_comparison {
 public:
  explicit lazy_comparison(const network_case& c)
      : m_case(c), m_dice(c.seed), m_whole(c.router.flow == flow_control::VirtualCutThrough) {}

  std::string verdict() {
    for (unsigned i = 0; i < 400; ++i) {
      const cycle_t gap = m_dice.chance(0.4) ? m_dice.between(1, 12) : m_dice.between(1, 250);
      advance(gap);
      if (m_dice.chance(0.05)) toggle();
      const unsigned burst = m_dice.chance(0.1) ? m_dice.between(2, 6) : 1;
      for (unsigned k = 0; k < burst; ++k) announce();
      // In the same cycle: a packet that is no longer alone has come to it, too.
      if (m_dice.chance(0.1)) look();
      if (m_dice.chance(0.05)) toggle();
      if (!m_difference.empty()) return m_difference;
    }
    while (!m_refusing.empty()) toggle();
    while (m_all.model->next_activity() != Never && m_all.model->now() < 1'000'000) advance(m_dice.between(1, 200));
    look();
    const std::string events = m_all.log.difference(m_lazy.log);
    if (!events.empty()) return "events of everything simulated and of the lazy engine: " + events;
    if (!m_difference.empty()) return m_difference;
    return fmt::format("ok {} {}", m_all.log.packets, m_all.log.heard_of() - m_lazy.log.heard_of());
  }

 private:
  void advance(cycle_t cycles) {
    for (const cycle_t end = m_all.model->now() + cycles; m_all.model->now() < end;) {
      const cycle_t step = m_dice.between(1, static_cast<std::uint32_t>(end - m_all.model->now()));
      m_all.model->run(step);
      m_lazy.model->run(step);
      if (m_dice.chance(0.02)) look();
    }
  }

  void announce() {
    packet p;
    p.id = m_next_id++;
    p.source = m_dice.between(0, m_case.nodes() - 1);
    p.destination = m_dice.between(0, m_case.nodes() - 1);
    p.flits = m_dice.between(1, m_whole ? m_case.router.depth : 12);
    p.created = m_all.model->now() + 1;
    p.message_class = static_cast<std::uint8_t>(p.id % m_case.router.classes);
    p.urgent = p.id % 4 == 0;
    for (pushed_network* n : {&m_all, &m_lazy}) {
      n->source.push(p);
      n->model->ask_again(p.source);
    }
  }

  void toggle() {
    if (m_case.nic.ejection_depth == 0) return;
    node_id node = m_dice.between(0, m_case.nodes() - 1);
    const bool ready = !m_refusing.empty();
    if (ready) {
      node = m_refusing.back();
      m_refusing.pop_back();
    } else {
      m_refusing.push_back(node);
    }
    m_all.model->set_ready(node, ready);
    m_lazy.model->set_ready(node, ready);
  }

  void look() {
    const std::string states =
        first_difference(pushed_state(m_case, *m_all.model), pushed_state(m_case, *m_lazy.model));
    if (!states.empty() && m_difference.empty())
      m_difference = fmt::format("cycle {}, counters of everything simulated and of the lazy engine: {}",
                                 m_all.model->now(), states);
  }

  const network_case m_case;
  dice m_dice;
  const bool m_whole;
  pushed_network m_all{m_case, false}, m_lazy{m_case, true};
  std::vector<node_id> m_refusing;
  packet_id m_next_id = 1;
  std::string m_difference;
};

network_case lazy_case(std::uint64_t seed) {
  network_case c = random_case(seed, seed % 4 == 0 ? 150 : 40);
  if (seed % 8 != 0) c.nic.compression = {};  // what passes codecs is simulated
  if (seed % 8 != 0) c.nic.coding = {};
  if (seed % 2 == 0) c.nic.ejection_depth = 8;
  if (c.router.flow == flow_control::VirtualCutThrough && c.nic.ejection_depth != 0)
    c.nic.ejection_depth = std::max(c.nic.ejection_depth, c.router.depth);
  return c;
}

}  // namespace

class system_lazy : public testing::TestWithParam<unsigned> {};

TEST_P(system_lazy, engine_equals_the_one_that_simulates_everything) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t packets = 0, foreseen = 0;
  for (unsigned i = 0; i < LazyCases; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * LazyCases + i;
    network_case c = lazy_case(seed);
    c.seed = seed;
    const std::string verdict = lazy_comparison(c).verdict();
    ASSERT_EQ(verdict.substr(0, 3), "ok ")
        << verdict << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    std::size_t end = 0;
    packets += std::stoull(verdict.substr(3), &end);
    foreseen += std::stoull(verdict.substr(3 + end));
  }
  EXPECT_GT(packets, 300U * LazyCases);
  EXPECT_GT(foreseen, packets / 40) << "hardly a packet was alone";
}

INSTANTIATE_TEST_SUITE_P(random_networks, system_lazy, testing::Range(0u, 2u));
INSTANTIATE_TEST_SUITE_P(soak, system_lazy, testing::Range(2u, 22u));

namespace {

/// The same network, its routers numbered from the other end.
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

/// Packets one by one take the time of the formula. Then the routers have so much to do that their switches take the
/// other form, and again.
void expect_formula(topology graph, unsigned vcs) {
  network_case c;
  c.graph = std::move(graph);
  c.router.vcs = vcs;
  c.nic.ejection_depth = 8;
  pushed_network all(c, false), lazy(c, true);
  dice d(vcs);
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
      n->model->ask_again(p.source);
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
                p.created + zero_load_latency(c.graph, c.router.pipeline, p.source, p.destination, p.flits));
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

TEST(system_lazy, packets_take_the_time_of_the_formula) {
  for (const unsigned vcs : {1u, 2u, 4u}) expect_formula(make_grid({{10, 10}, {1, 1, 1, vcs}}), vcs);
}

TEST(system_lazy, packets_go_straight_on_in_one_dimension_and_in_three) {
  expect_formula(make_grid({{30}, {1, 1, 1, 3}}), 3);
  for (const std::vector<unsigned>& order : {std::vector<unsigned>{0, 1, 2}, {2, 0, 1}, {1, 0, 2}})
    expect_formula(make_grid({{5, 4, 6}, {1, 1, 1, 4}, order}), 4);
}

/// Where a router is does not follow from its number.
TEST(system_lazy, routers_may_have_other_numbers) {
  const topology graph = make_grid({{10, 10}, {1, 1, 1, 4}});
  expect_formula(numbered_backwards(graph), 4);
}

/// Who wants to know more than a component does gets every event in its cycle.
TEST(system_lazy, engine_is_the_usual_one_for_those_who_watch_everything) {
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
  model->ask_again(0);
  EXPECT_EQ(model->next_activity(), 2U);
  model->run(100);
  EXPECT_EQ(log.events(), 6U);
}

/// Waits are told of by the engine, so nothing is foreseen for those who want them.
TEST(system_lazy, engine_is_the_usual_one_for_those_who_want_waits) {
  class wait_log final : public network_observer {
   public:
    bool wants_payload() const override { return false; }
    network_events wanted() const override { return {network_event::Delivered}; }
    bool wants_waits() const override { return true; }
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
  model->ask_again(0);
  model->run(100);
  EXPECT_EQ(log.text, "packet 7 waited 0 cycles and left in 18\n");
}
