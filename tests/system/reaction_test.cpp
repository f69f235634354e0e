// SPDX-License-Identifier: Apache-2.0
/// A source that reacts to arrivals: it calls network_model::reschedule_source() and set_ready() from observer
/// callbacks, at both levels.
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/pin/model.h"

using namespace weft;

namespace {

constexpr unsigned ReactionCases = 30;
constexpr cycle_t ReactionPatience = 100000;

/// Trees of packets. A packet delivered at node n in cycle c has one child that n creates in c + 1, and one that
/// another node creates in c + 2. A packet whose head leaves sometimes has a child at that node in the next cycle. Ids
/// encode the position in the tree, so they do not depend on the order of calls. Some deliveries stall another node.
class reacting_source final : public packet_source, public network_observer {
 public:
  reacting_source(std::uint32_t nodes, std::uint32_t longest, unsigned classes, std::uint32_t roots, std::uint64_t seed,
                  network_observer& next)
      : m_longest(longest), m_classes(classes), m_due(nodes), m_observer(next) {
    rng d(seed);
    for (std::uint32_t i = 0; i < roots; ++i) add((i + 1) * Tree, d.between(0, nodes - 1), d.between(0, 50));
  }
  /// The model whose sources to reschedule. Must be called before the first cycle.
  /// \param can_stall whether nodes may stop accepting flits
  void drives(network_model& network, bool can_stall) {
    m_network = &network;
    m_can_stall = can_stall;
  }

  cycle_t next_creation(node_id node) const override {
    return m_due[node].empty() ? Never : m_due[node].begin()->first;
  }
  packet pop(node_id node) override {
    const auto [cycle, id] = *m_due[node].begin();
    m_due[node].erase(m_due[node].begin());
    rng d(id);
    packet p;
    p.id = id;
    p.source = node;
    p.destination = d.between(0, static_cast<std::uint32_t>(m_due.size()) - 1);
    p.flits = d.between(1, m_longest);
    p.created = cycle;
    p.message_class = static_cast<std::uint8_t>(id % m_classes);
    p.urgent = id % 3 == 0;
    return p;
  }
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    std::fill_n(words, (payload_bits + 63) / 64, payload_bits == 32 ? p.id % 1000 : p.id + sequence);
  }

  void created(const packet& p) override { m_observer.created(p); }
  void sent(packet_id id, node_id node, cycle_t cycle) override {
    m_observer.sent(id, node, cycle);
    if (id % 5 == 0) react(child(id, 0), node, cycle + 1);
  }
  void injected(const flit_event& e, const header& head) override {
    m_observer.injected(e, head);
    if (e.sequence == 0 && e.id % 7 == 0) react(child(e.id, 1), other(e.node, e.id), e.cycle + 2);
  }
  void ejected(const flit_event& e, const std::uint64_t* payload) override { m_observer.ejected(e, payload); }
  void received(const flit_event& e, const std::uint64_t* payload) override { m_observer.received(e, payload); }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    m_observer.delivered(p, cycle, routers);
    if (m_can_stall && p.id % 4 == 0) m_network->set_ready(other(p.destination, p.id), false);
    react(child(p.id, 2), p.destination, cycle + 1);
    react(child(p.id, 3), other(p.destination, p.id), cycle + 2);
  }

 private:
  static constexpr packet_id Tree = 1 << 10;  // ids per tree: five levels of up to four children each

  static packet_id child(packet_id id, unsigned number) {
    const packet_id within = id % Tree;
    return within >= Tree / 4 - 1 ? 0 : id - within + 4 * within + number + 1;
  }
  node_id other(node_id n, packet_id id) const {
    const auto nodes = static_cast<std::uint32_t>(m_due.size());
    return (n + 1 + static_cast<std::uint32_t>(id % (nodes - 1))) % nodes;
  }
  void add(packet_id id, node_id node, cycle_t cycle) { m_due[node].emplace(cycle, id); }
  void react(packet_id id, node_id node, cycle_t cycle) {
    if (id == 0) return;
    add(id, node, cycle);
    m_network->reschedule_source(node);
  }

  const std::uint32_t m_longest;
  const unsigned m_classes;
  std::vector<std::set<std::pair<cycle_t, packet_id>>> m_due;  // of each node
  network_observer& m_observer;
  network_model* m_network = nullptr;
  bool m_can_stall = false;
};

std::string check_case(const network_case& c) {
  const unsigned words = (c.payload_bits + 63) / 64;
  event_log pin_log(words, event_log::detail::Everything), engine_log(words, event_log::detail::Everything);
  const bool whole = c.router.flow == flow_control::VirtualCutThrough;
  const std::uint32_t longest = whole ? c.router.depth : 6;
  const std::uint32_t roots = 1 + static_cast<std::uint32_t>(c.seed % 5);
  reacting_source pin_source(c.nodes(), longest, c.router.classes, roots, c.seed, pin_log);
  reacting_source engine_source(c.nodes(), longest, c.router.classes, roots, c.seed, engine_log);
  const pin::model_options options{c.payload_bits, c.clock_gating, {}, {}};
  const auto pin = pin::make_model(c.graph, c.router, c.nic, options, pin_source, pin_source);
  const auto engine = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, engine_source, engine_source);
  const bool can_stall = c.nic.ejection_depth != 0;
  pin_source.drives(*pin, can_stall);
  engine_source.drives(*engine, can_stall);
  rng d(c.seed);
  do {
    const cycle_t step = d.between(1, 200);
    pin->run(step);
    engine->run(step);
    for (node_id n = 0; can_stall && n < c.nodes(); ++n) {
      pin->set_ready(n, true);
      engine->set_ready(n, true);
    }
    if (pin->now() > ReactionPatience) return "the network does not drain";
  } while (engine->next_activity() != Never);
  const std::string difference = first_difference(pin_log.text(), engine_log.text());
  if (!difference.empty()) return "events of pin level and engine: " + difference;
  return fmt::format("ok {}", engine_log.events());
}

class system_reaction : public testing::TestWithParam<unsigned> {};

TEST_P(system_reaction, of_a_source_to_deliveries_is_equal_at_both_levels) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t events = 0;
  for (unsigned i = 0; i < ReactionCases; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * ReactionCases + i;
    network_case c = random_case(seed);
    if (c.router.flow == flow_control::VirtualCutThrough && c.nic.ejection_depth != 0)
      c.nic.ejection_depth = std::max(c.nic.ejection_depth, c.router.depth);
    const std::string found = run_in_subprocess([&c] { return check_case(c); });
    ASSERT_EQ(found.substr(0, 3), "ok ") << found << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": "
                                         << describe(c);
    events += std::stoull(found.substr(3));
  }
  EXPECT_GT(events, 1000u * ReactionCases);
}

INSTANTIATE_TEST_SUITE_P(random, system_reaction, testing::Range(0u, 2u));
INSTANTIATE_TEST_SUITE_P(soak, system_reaction, testing::Range(100u, 120u));

}  // namespace
