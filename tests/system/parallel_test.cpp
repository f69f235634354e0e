// SPDX-License-Identifier: Apache-2.0
/// The engine has the same events in the same order, and the same counters, with any number of threads.
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include <algorithm>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/routing/routing_tables.h"
#include "weft/workload/workload.h"

using namespace weft;

namespace {

constexpr std::uint32_t RegionNodes = 64;  ///< the engine distributes units of as many routers

/// Records all events in the order of the calls, as text. It needs neither waits nor activity, because then the engine
/// would use one thread.
class call_log : public network_observer {
 public:
  explicit call_log(unsigned payload_bits) : m_words((payload_bits + 63) / 64) {}

  void created(const packet& p) override { m_text += fmt::format("create {} at {}\n", p.id, p.created); }
  void sent(packet_id id, node_id node, cycle_t cycle) override {
    m_text += fmt::format("send {} {} {}\n", id, node, cycle);
  }
  void injected(const flit_event& e, const header& h) override {
    m_text += fmt::format("inject {} {}\n", line_of(e), h.flits);
  }
  void ejected(const flit_event& e, const std::uint64_t* payload) override { add("eject", e, payload); }
  void received(const flit_event& e, const std::uint64_t* payload) override { add("receive", e, payload); }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    m_text += fmt::format("deliver {} {} {} {}\n", p.id, p.flits, cycle, routers);
  }

  const std::string& text() const { return m_text; }

 private:
  static std::string line_of(const flit_event& e) {
    return fmt::format("{} {} {} {} {}", e.cycle, e.node, e.vc, e.id, e.sequence);
  }
  void add(const char* what, const flit_event& e, const std::uint64_t* payload) {
    m_text += fmt::format("{} {} {:x}\n", what, line_of(e), fmt::join(payload, payload + m_words, " "));
  }

  unsigned m_words;
  std::string m_text;
};

/// The events of \p c, and every 50 cycles its queues and counters. In each step, the number of threads is the next one
/// of \p threads.
std::string trace_of(const network_case& c, const std::vector<unsigned>& threads) {
  call_log log(c.payload_bits);
  stopping_source source(make_traffic(c), c.stop);
  const auto model = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, log);
  std::string states;
  for (std::size_t step = 0; model->now() < c.stop + 500; ++step) {
    // Almost every window uses threads, although few flits are in these networks.
    if (step < threads.size()) model->set_threads(threads[step], 1);
    model->run(50);
    states += state_of(c, *model);
  }
  return log.text() + states;
}

/// Compares the traces of \p c with one thread and with several. Returns the number of characters of a trace.
std::size_t expect_equal_traces(const network_case& c, const std::string& which) {
  const std::string alone = trace_of(c, {1});
  for (const std::vector<unsigned>& threads : std::vector<std::vector<unsigned>>{{2}, {3}, {7}, {3, 1, 7, 2}})
    EXPECT_EQ(first_difference(alone, trace_of(c, threads)), "")
        << threads.size() << " numbers of threads, first " << threads[0] << ", " << which << ": " << describe(c);
  return alone.size();
}

TEST(system_parallel, random_networks_have_the_same_trace_with_any_number_of_threads) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::size_t characters = 0;
  unsigned cases = 0;
  for (std::uint64_t seed = test_seed(); cases < 24; ++seed) {
    const network_case c = random_case(seed, 6 * RegionNodes);
    if (c.graph.routers.size() <= RegionNodes) continue;
    ++cases;
    characters += expect_equal_traces(c, fmt::format("case {}", seed));
    if (HasFailure()) return;
  }
  EXPECT_GE(characters, 100'000u);
}

network_case busy_case(const std::vector<std::uint32_t>& shape, double load, rng& d) {
  network_case c;
  const bool rings = d.chance(0.3);
  c.network = fmt::format("{} of {} dimensions, first side {}", rings ? "torus" : "mesh", shape.size(), shape[0]);
  c.router.vcs = rings ? 4 : d.between(3, 4);
  grid_parameters grid{shape, {1, d.between(1, 3), 1, c.router.vcs}};
  grid.rings = rings;
  c.graph = make_grid(grid);
  c.router.depth = d.between(1, 9);
  c.router.pipeline = d.one_of({3u, 4u, 5u, 9u});
  if (d.chance(0.3)) c.nic.ejection_depth = d.between(1, 6);
  c.workload.injection.load = load;
  c.workload.length.flits = d.one_of({1u, 2u, 5u});
  c.seed = d.bits();
  c.stop = 400;
  return c;
}

/// Under load, regions process all their switches together. At the lower loads, some regions do.
TEST(system_parallel, busy_networks_have_the_same_trace_with_any_number_of_threads) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  rng d(test_seed());
  for (const std::vector<std::uint32_t>& shape : std::vector<std::vector<std::uint32_t>>{{16, 8}, {12, 11}, {5, 5, 5}})
    for (const double load : {0.05, 0.2, 0.35, 0.9}) expect_equal_traces(busy_case(shape, load, d), "busy");
}

/// With source routing, routers change the records of packets while nodes add further packets.
TEST(system_parallel, source_routes_have_the_same_trace_with_any_number_of_threads) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  rng d(test_seed());
  for (unsigned i = 0; i < 4; ++i) {
    network_case c = busy_case({22, 3}, d.one_of({0.05, 0.2}), d);  // long sides would need too many turns
    c.graph = make_grid({{22, 3}, {1, 1, 1, c.router.vcs}});
    c.network = "mesh [22, 3], routed by source";
    route_by_source(c.graph, c.router.vcs);
    expect_equal_traces(c, "source routes");
  }
}

TEST(system_parallel, repeated_runs_on_a_busy_machine_have_the_same_trace) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  rng d(test_seed());
  network_case c = busy_case({16, 16}, 0.2, d);
  c.stop = 100;
  const std::string alone = trace_of(c, {1});
  // Several times as many threads as most machines of developers have processors
  for (unsigned repeat = 0; repeat < 20; ++repeat) ASSERT_EQ(first_difference(alone, trace_of(c, {16})), "") << repeat;
}

/// Waits and activity need one thread. The number of threads is then accepted, and has no effect.
TEST(system_parallel, waits_and_activity_do_not_depend_on_the_number_of_threads) {
  rng d(test_seed());
  network_case c = busy_case({16, 8}, 0.3, d);
  const auto events = [&c](unsigned threads) {
    event_log log(1, event_log::detail::Everything);
    stopping_source source(make_traffic(c), c.stop);
    const auto model = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, log);
    model->set_threads(threads, 1);
    model->run(c.stop + 500);
    return log.text();
  };
  EXPECT_EQ(first_difference(events(1), events(3)), "");
}

/// Fails in a cycle in which other threads simulate the routers.
class failing_observer : public network_observer {
 public:
  bool needs_payload() const override { return false; }
  network_events event_interest() const override { return {network_event::Delivered}; }
  void delivered(const packet&, cycle_t cycle, std::uint32_t) override {
    if (cycle > 200) throw std::runtime_error("this observer fails");
  }
};

TEST(system_parallel, an_exception_of_an_observer_reaches_the_caller) {
  rng d(test_seed());
  const network_case c = busy_case({16, 16}, 0.3, d);
  failing_observer observer;
  const auto source = make_traffic(c);
  const auto model = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, *source, observer);
  model->set_threads(3, 1);
  EXPECT_THROW(model->run(2'000), std::runtime_error);
}

}  // namespace
