// SPDX-License-Identifier: Apache-2.0
/// Requests and replies: throughput equals the formula, classes are used, both levels agree.
#include "support/event_log.h"
#include "support/subprocess.h"
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "weft/engine/model.h"
#include "weft/pin/model.h"
#include "weft/topology/analysis/zero_load.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/pattern.h"
#include "weft/workload/request_reply.h"

using namespace weft;

namespace {

struct closed_run {
  std::uint64_t answered = 0;
  std::string events;
  std::set<std::uint8_t> classes;
};

/// Forwards arrivals to the source and records all events.
class logging_observer final : public network_observer {
 public:
  explicit logging_observer(request_reply_source& source) : m_source(source) {}
  void created(const packet& p) override { m_log.created(p); }
  void sent(packet_id id, node_id node, cycle_t cycle) override { m_log.sent(id, node, cycle); }
  void injected(const flit_event& e, const header& head) override { m_log.injected(e, head); }
  void ejected(const flit_event& e, const std::uint64_t* payload) override { m_log.ejected(e, payload); }
  void received(const flit_event& e, const std::uint64_t* payload) override { m_log.received(e, payload); }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    m_log.delivered(p, cycle, routers);
    m_classes.insert(p.message_class);
    m_source.delivered(p, cycle, routers);
  }
  std::string text() const { return m_log.text(); }
  const std::set<std::uint8_t>& classes() const { return m_classes; }

 private:
  request_reply_source& m_source;
  event_log m_log{1, event_log::detail::Nodes};
  std::set<std::uint8_t> m_classes;
};

closed_run play_loop(const std::vector<std::uint32_t>& shape, const workload_parameters& w, unsigned classes,
                     cycle_t cycles, bool at_pins = false) {
  grid_parameters grid{shape};
  router_parameters router{4, 8, 4};
  router.classes = classes;
  grid.options.vcs = 4 / classes;
  const topology graph = make_grid(grid);
  request_reply_source source(w, {static_cast<std::uint32_t>(graph.nodes.size()), shape, 7, classes});
  logging_observer observer(source);
  std::unique_ptr<network_model> model;
  if (at_pins)
    model = pin::make_model(graph, router, nic_parameters(), pin::model_options(), source, observer);
  else
    model = engine::make_model(graph, router, nic_parameters(), 64, source, observer);
  source.attach(*model);
  model->run(cycles);
  return {source.answered(), observer.text(), observer.classes()};
}

workload_parameters loop(unsigned window) {
  workload_parameters w;
  w.injection.kind = injection_kind::RequestReply;
  w.injection.window = window;
  w.length.flits = 2;
  w.injection.reply = 6;
  return w;
}

TEST(system_closed_loop, zero_load_throughput_is_window_per_round_trip) {
  grid_parameters grid{{2, 1}};
  const topology graph = make_grid(grid);
  for (const unsigned window : {1u, 3u}) {
    workload_parameters w = loop(window);
    w.injection.service = 100;
    w.injection.think = 11;
    // A node answers a packet in the cycle after it arrives.
    const router_parameters router;
    const cycle_t there = zero_load_latency(graph, router, 0, 1, 2) + 1;
    const cycle_t back = zero_load_latency(graph, router, 1, 0, 6) + 1;
    const cycle_t round = there + 100 + back + 11;
    constexpr std::uint64_t Rounds = 50;
    const closed_run r = play_loop({2, 1}, w, 2, Rounds * round);
    if (window == 1) {
      EXPECT_EQ(r.answered, 2 * Rounds);
    } else {
      // Replies to requests sent back to back wait for each other once, and are spaced apart from then on.
      EXPECT_LE(r.answered, 2 * window * Rounds);
      EXPECT_GE(r.answered, 2 * window * (Rounds - 1));
    }
  }
}

TEST(system_closed_loop, larger_window_raises_throughput) {
  for (const unsigned classes : {1u, 2u}) {
    const closed_run small = play_loop({3, 3}, loop(1), classes, 3000),
                     large = play_loop({3, 3}, loop(32), classes, 3000);
    EXPECT_GT(small.answered, 100u);
    EXPECT_GT(large.answered, 2 * small.answered);
    EXPECT_EQ(large.classes.size(), classes);
  }
}

TEST(system_closed_loop, both_levels_give_the_same_results) {
  workload_parameters w = loop(5);
  w.injection.service = 3;
  for (const unsigned classes : {1u, 2u}) {
    const closed_run fast = play_loop({3, 2}, w, classes, 600);
    EXPECT_GT(fast.answered, 50u);
    const std::string pins = run_in_subprocess_or_throw([&] {
      return play_loop({3, 2}, w, classes, 600, true).events;
    });
    EXPECT_EQ(fast.events, pins) << classes << " classes";
  }
}

TEST(system_closed_loop, rejects_impossible_windows) {
  EXPECT_THROW(request_reply_source(loop(0), {4, {{2, 2}, 1}, 1, 1}), std::invalid_argument);
  workload_parameters w = loop(1);
  w.injection.reply = 0;
  EXPECT_THROW(request_reply_source(w, {4, {{2, 2}, 1}, 1, 1}), std::invalid_argument);
}

}  // namespace
