// SPDX-License-Identifier: Apache-2.0
/// Protocols of requests, forwards and replies at nodes with finite queues: the levels agree, queues keep their limits,
/// and protocols deadlock only if messages of different steps share VCs, a source queue or a port that a packet can
/// stop halfway. WEFT_SEED repeats a run.
#include "support/event_log.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "weft/core/observers.h"
#include "weft/engine/lazy_model.h"
#include "weft/engine/model.h"
#include "weft/pin/model.h"
#include "weft/simulation/deadlock.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/request_reply.h"

using namespace weft;

namespace {

constexpr unsigned Protocols = 50;

struct protocol_case {
  std::uint64_t seed = 1;
  std::vector<std::uint32_t> shape{2, 2};
  unsigned ports = 1;  ///< of a NIC
  bool rings = false;
  router_parameters router;
  nic_parameters nic;
  std::vector<std::uint8_t> classes;  ///< by step
  workload_parameters workload;
  bool separate = false;  ///< whether no packet of a step can stop one of another step

  topology graph() const {
    grid_parameters grid{shape};
    grid.rings = rings;
    grid.options.vcs = router.vcs / router.classes;
    grid.options.nic_ports = ports;
    return make_grid(grid);
  }
  std::string text() const {
    return fmt::format("seed {}: {} {}, {} ports, classes {}, {} VCs, depth {}, ejection depth {}, queue {}, window {}",
                       seed, rings ? "torus" : "mesh", fmt::join(shape, "x"), ports, fmt::join(classes, " "),
                       router.vcs, router.depth, nic.ejection_depth, *workload.injection.queue,
                       workload.injection.window);
  }
};

/// A protocol of two to four steps. Its steps share a class, or each has its own.
protocol_case random_protocol(std::uint64_t seed) {
  rng d(seed);
  protocol_case c;
  c.seed = seed;
  c.shape = {d.between(2, 4), d.between(1, 3)};
  c.rings = d.chance(0.3);
  c.ports = d.chance(0.3) ? 2 : 1;
  const unsigned steps = d.between(2, 4);
  c.separate = d.chance(0.5);
  c.router.classes = c.separate ? steps : d.between(1, steps - 1);
  c.router.vcs = c.router.classes * (c.rings ? 2 : d.between(1, 2));
  c.router.depth = d.between(1, 6);
  c.nic.ejection_depth = d.between(1, 6);
  c.nic.accepts_by_class = true;
  if (c.separate || (c.router.classes > 1 && d.chance(0.5))) c.nic.queues = source_queues::PerClass;
  for (unsigned step = 0; step < steps; ++step)
    c.classes.push_back(static_cast<std::uint8_t>(c.separate ? step : d.between(0, c.router.classes - 1)));
  workload_parameters& w = c.workload;
  w.injection.kind = injection_kind::RequestReply;
  w.injection.window = d.between(1, 20);
  w.injection.queue = d.between(1, 4);
  w.injection.reply = d.between(1, 9);
  w.injection.forward = d.between(1, 5);
  w.injection.service = d.chance(0.5) ? 0 : d.between(1, 30);
  w.length.flits = d.between(1, 5);
  if (c.separate && d.chance(0.5)) {
    w.injection.forward = w.length.flits = 1;
  } else if (c.separate) {
    c.router.reallocation = vc_reallocation::AfterTailCredit;
    c.router.depth = 5;
  }
  w.message_class = c.classes.front();
  w.reply_class = c.classes.back();
  w.injection.forwards.assign(c.classes.begin() + 1, c.classes.end() - 1);
  return c;
}

/// Counts the places of queues that are in use.
class place_counter final : public network_observer {
 public:
  place_counter(const protocol_case& c, std::size_t nodes) : m_classes(c.classes), m_nodes(nodes) {}

  void sent(packet_id id, node_id node, cycle_t) override {
    if (step_of(id) > 0) --m_used[{node, m_classes[step_of(id) - 1]}];
  }
  void delivered(const packet& p, cycle_t, std::uint32_t) override {
    if (step_of(p.id) + 1 < m_classes.size())
      most = std::max(most, ++m_used[{p.destination, m_classes[step_of(p.id)]}]);
  }

  unsigned most = 0;

 private:
  std::size_t step_of(packet_id id) const { return id / m_nodes % m_classes.size(); }

  const std::vector<std::uint8_t> m_classes;
  const std::size_t m_nodes;
  std::map<std::pair<node_id, unsigned>, unsigned> m_used;
};

/// A protocol on a network of one level.
struct protocol_run {
  enum class level { Pin, Engine, Lazy };

  protocol_run(const protocol_case& c, level at)
      : graph(c.graph()),
        source(c.workload, {static_cast<std::uint32_t>(graph.nodes.size()), c.shape, c.seed, c.router.classes}),
        places(c, graph.nodes.size()),
        all{&log, &places, &source} {
    if (at == level::Pin)
      model = pin::make_model(graph, c.router, c.nic, {}, source, all);
    else if (at == level::Engine)
      model = engine::make_model(graph, c.router, c.nic, 64, source, all);
    else
      model = engine::make_lazy_model(graph, c.router, c.nic, 64, source, source);
    source.attach(*model);
  }

  experiment::awaited_answers answers(const protocol_case& c) const {
    experiment::awaited_answers found;
    for (unsigned m = 0; m < c.router.classes; ++m)
      found.push_back(source.answers_to(m) != 0 && c.nic.queues == source_queues::Shared ? ~class_set{0}
                                                                                         : source.answers_to(m));
    return found;
  }

  const topology graph;
  event_log log{1, event_log::detail::Nodes};
  request_reply_source source;
  place_counter places;
  observers all;
  std::unique_ptr<network_model> model;
};

std::string text_of_places(const std::vector<blocked_packet>& blocked) {
  std::string text;
  for (const blocked_packet& b : blocked)
    text += fmt::format("node {}, port {}, VC {}: packet {} of class {}, reason {}, VCs {:x}\n", b.node, b.port, b.vc,
                        b.id, b.message_class, static_cast<int>(b.why), b.output_vcs);
  return text;
}

/// Compares the levels while the protocol runs, and their blocked packets if it has stopped.
std::string compare_levels(const protocol_case& c) {
  protocol_run pin(c, protocol_run::level::Pin), engine(c, protocol_run::level::Engine);
  rng d(c.seed);
  while (pin.model->now() < 1500) {
    const cycle_t step = d.between(1, 300);
    pin.model->run(step);
    engine.model->run(step);
  }
  const std::string events = first_difference(pin.log.text(), engine.log.text());
  if (!events.empty()) return events;
  const std::size_t before = pin.log.events();
  pin.model->run(200);
  engine.model->run(200);
  if (pin.log.events() != before) return "";
  return first_difference(text_of_places(pin.model->blocked_in_nics()),
                          text_of_places(engine.model->blocked_in_nics()));
}

/// Whether nothing moved in the last 2,000 of \p cycles cycles.
bool stops(protocol_run& run, cycle_t cycles) {
  run.model->run(cycles - 2000);
  const std::uint64_t answered = run.source.answered();
  const std::size_t events = run.log.events();
  run.model->run(2000);
  return run.source.answered() == answered && run.log.events() == events;
}

/// Checks a protocol in the engine. \return the first error. Sets \p deadlocks if the protocol has stopped.
std::string check_progress(const protocol_case& c, bool& deadlocks) {
  protocol_run run(c, protocol_run::level::Engine);
  deadlocks = stops(run, 8000);
  if (run.places.most > *c.workload.injection.queue + 2 * c.ports - 1)
    return fmt::format("a queue of {} places holds {} packets", *c.workload.injection.queue, run.places.most);
  if (!deadlocks) {
    protocol_run lazy(c, protocol_run::level::Lazy);
    lazy.model->run(8000);
    if (lazy.source.answered() != run.source.answered()) return "the lazy engine gives another number of replies";
    return run.source.answered() == 0 ? "no reply arrives" : "";
  }
  if (c.separate) return "stops, though each step has its own class and source queue";
  const experiment::awaited_answers answers = run.answers(c);
  const std::vector<blocked_packet> blocked = experiment::all_blocked(*run.model, answers);
  const std::vector<std::size_t> ring = experiment::find_ring(experiment::wait_for_graph(run.graph, blocked, answers));
  const bool has_node = std::any_of(
      ring.begin(), ring.end(), [&](std::size_t i) { return blocked[i].why == blocked_packet::reason::Acceptance; });
  if (!has_node) return fmt::format("a ring of {} packets without a node", ring.size());
  return experiment::find_stuck(run.graph, blocked, answers).empty() ? "no packet is stuck" : "";
}

TEST(system_protocol, levels_agree_for_random_protocols) {
  const std::uint64_t seed = test_seed();
  for (unsigned i = 0; i < Protocols; ++i) {
    const protocol_case c = random_protocol(seed + i);
    EXPECT_EQ(run_in_subprocess_or_throw([&c] { return compare_levels(c); }), "") << c.text();
  }
}

TEST(system_protocol, random_protocols_stop_only_if_steps_share_classes) {
  const std::uint64_t seed = test_seed();
  unsigned stopped = 0;
  for (unsigned i = 0; i < Protocols; ++i) {
    const protocol_case c = random_protocol(seed + i);
    bool deadlocks = false;
    EXPECT_EQ(check_progress(c, deadlocks), "") << c.text();
    stopped += deadlocks;
  }
  std::cout << stopped << " of " << Protocols << " protocols deadlock\n";
}

/// Two nodes send requests to each other. One place in a queue and one VC of one flit suffice for a deadlock.
protocol_case two_nodes(unsigned classes, source_queues queues) {
  protocol_case c;
  c.shape = {2, 1};
  c.router.classes = classes;
  c.router.vcs = classes;
  c.router.depth = 1;
  c.nic.ejection_depth = 1;
  c.nic.accepts_by_class = true;
  c.nic.queues = queues;
  c.classes = {0, static_cast<std::uint8_t>(classes - 1)};
  c.workload.injection.kind = injection_kind::RequestReply;
  c.workload.injection.window = 20;
  c.workload.injection.queue = 1;
  c.workload.reply_class = classes - 1;
  c.separate = classes == 2 && queues == source_queues::PerClass;
  c.workload.length.flits = 1;
  return c;
}

TEST(system_protocol, requests_and_replies_of_one_class_deadlock) {
  bool deadlocks = false;
  EXPECT_EQ(check_progress(two_nodes(1, source_queues::Shared), deadlocks), "");
  EXPECT_TRUE(deadlocks);
}

TEST(system_protocol, classes_with_a_shared_source_queue_deadlock) {
  bool deadlocks = false;
  EXPECT_EQ(check_progress(two_nodes(2, source_queues::Shared), deadlocks), "");
  EXPECT_TRUE(deadlocks);
}

TEST(system_protocol, classes_with_source_queues_of_their_own_never_stop) {
  bool deadlocks = false;
  EXPECT_EQ(check_progress(two_nodes(2, source_queues::PerClass), deadlocks), "");
  EXPECT_FALSE(deadlocks);
}

/// A request that has begun to leave occupies the port, so replies of another class wait for it. It cannot stop halfway
/// if it fits into a buffer that is empty.
TEST(system_protocol, long_requests_deadlock_in_spite_of_classes_unless_vcs_are_empty) {
  protocol_case c = two_nodes(2, source_queues::PerClass);
  c.workload.length.flits = 5;
  c.separate = false;
  bool deadlocks = false;
  EXPECT_EQ(check_progress(c, deadlocks), "");
  EXPECT_TRUE(deadlocks);
  c.router.reallocation = vc_reallocation::AfterTailCredit;
  c.router.depth = 5;
  c.separate = true;
  EXPECT_EQ(check_progress(c, deadlocks), "");
  EXPECT_FALSE(deadlocks);
}

}  // namespace
