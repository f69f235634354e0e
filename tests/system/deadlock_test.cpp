// SPDX-License-Identifier: Apache-2.0
/// Deadlock occurs where routing permits it, is reported with its cause, and does not occur where VCs break
/// the ring.
#include "support/event_log.h"
#include "support/subprocess.h"
#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"
#include "weft/engine/model.h"
#include "weft/pin/model.h"
#include "weft/simulation/measurement.h"
#include "weft/simulation/run.h"
#include "weft/topology/analysis/check.h"
#include "weft/workload/packet_list.h"

namespace weft {
namespace {

constexpr unsigned Next = 0, Previous = 1, Local = 2;
constexpr router_id Routers = 4;

/// A unidirectional ring of four routers. \p vcs(here, destination) is the set of VCs that a packet may use.
topology one_way_square(const std::function<vc_set(router_id, node_id)>& vcs) {
  topology t;
  t.kind = "ring";
  for (router_id r = 0; r < Routers; ++r) {
    t.routers.push_back({3, {"next", "previous", "local"}, {}});
    t.channels.push_back({{r, Next}, {(r + 1) % Routers, Previous}, 1});
    t.nodes.push_back({{{r, Local}}, 1, {}});
    std::vector<route> by_destination;
    for (node_id d = 0; d < Routers; ++d)
      by_destination.push_back({static_cast<std::uint8_t>(d == r ? Local : Next), vcs(r, d)});
    t.routing.emplace_back(table_rule(by_destination));
  }
  check_structure(t);
  return t;
}

/// Every node sends packets to the node before it, three routers further. The packets are longer than all
/// buffers on their paths.
std::vector<packet> long_packets() {
  std::vector<packet> packets;
  for (node_id n = 0; n < Routers; ++n)
    for (unsigned i = 0; i < 5; ++i) packets.push_back({packets.size(), n, (n + 3) % Routers, 40, 0});
  return packets;
}

struct square_run {
  square_run(const topology& graph, const router_parameters& router)
      : source(long_packets(), Routers, {}, 1), model(pin::make_model(graph, router, {}, {}, source, log)) {}
  std::uint64_t flits_sent() const {
    std::uint64_t flits = 0;
    for (const channel_count& c : model->channel_counts()) flits += c.flits;
    return flits;
  }

  event_log log;
  packet_list_source source;
  std::unique_ptr<pin::audited_model> model;
};

/// Checks the report of the blocked ring. \return the first error, or `ok`.
std::string check_ring(const std::vector<blocked_packet>& blocked) {
  // For each router: the packet that waits in its input from the ring.
  std::map<router_id, blocked_packet> on_ring;
  for (const blocked_packet& b : blocked) {
    if (b.output_port != Next || b.output_vcs != 1 || b.vc != 0)
      return "a packet waits for something other than the ring";
    if (b.port == Previous && !on_ring.emplace(b.router, b).second) return "two entries for one VC";
  }
  if (on_ring.size() != Routers) return fmt::format("{} routers wait on the ring", on_ring.size());
  for (const auto& [r, b] : on_ring) {
    // The packet comes from the node before the previous router or an earlier one, so its path continues.
    if (b.id / 5 == r) return fmt::format("packet {} waits in its own router's ring input", b.id);
    // The packet that router r injected holds the output VC and waits for a credit.
    if (b.why != blocked_packet::reason::OutputVc) return fmt::format("router {} waits for a credit on the ring", r);
  }
  std::size_t holders = 0;
  for (const blocked_packet& b : blocked)
    if (b.port == Local && b.why == blocked_packet::reason::Credit && b.id / 5 == b.router) ++holders;
  if (holders != Routers) return fmt::format("{} packets hold a channel of the ring and wait for a credit", holders);
  return "ok";
}

TEST(system_deadlock, deadlock_of_a_ring_without_escape_vc_is_reported) {
  const topology graph = one_way_square([](router_id, node_id) { return first_vcs(1); });
  ASSERT_EQ(find_dependency_cycle(graph, 1).size(), std::size_t{Routers});
  const std::string result = run_in_subprocess_or_throw([&graph]() -> std::string {
    square_run run(graph, {1, 4, 4, flow_control::Wormhole});
    for (unsigned i = 0; i < 200; ++i) {
      run.model->run(1);
      const std::string audit = run.model->audit();
      if (!audit.empty()) return audit;
    }
    const std::uint64_t sent = run.flits_sent();
    const std::size_t events = run.log.events();
    if (sent == 0) return "no flit moved before the deadlock";
    run.model->run(2000);
    if (run.flits_sent() != sent || run.log.events() != events) return "flits still move";
    const std::string audit = run.model->audit();
    return audit.empty() ? check_ring(run.model->blocked()) : audit;
  });
  EXPECT_EQ(result, "ok");
}

std::string text_of(const std::vector<blocked_packet>& blocked) {
  std::string text;
  for (const blocked_packet& b : blocked)
    text += fmt::format("packet {} at {}.{} VC {} waits for {} of {} VCs {:x}, choices {:x} VCs {:x}\n", b.id, b.router,
                        b.port, b.vc, b.why == blocked_packet::reason::Credit ? "a credit" : "an output VC",
                        b.output_port, b.output_vcs, b.choices, b.choice_vcs);
  return text;
}

/// While packets move, the levels may differ in a packet that is about to move. When none moves they report the same.
TEST(system_deadlock, levels_report_the_same_blocked_packets) {
  const topology graph = one_way_square([](router_id, node_id) { return first_vcs(1); });
  for (const flow_control flow : {flow_control::Wormhole, flow_control::VirtualCutThrough}) {
    const router_parameters router{1, flow == flow_control::Wormhole ? 4u : 40u, 4, flow};
    const std::string difference = run_in_subprocess_or_throw([&]() -> std::string {
      square_run run(graph, router);
      packet_list_source source(long_packets(), Routers, {}, 1);
      event_log log;
      const auto engine = engine::make_model(graph, router, {}, 64, source, log);
      run.model->run(2000);
      engine->run(2000);
      const std::string pin = text_of(run.model->blocked());
      return pin.empty() ? "no packet is blocked" : first_difference(pin, text_of(engine->blocked()));
    });
    EXPECT_EQ(difference, "") << (flow == flow_control::Wormhole ? "wormhole" : "cut-through");
  }
}

TEST(system_deadlock, run_ends_and_reports_the_ring_of_waiting_packets) {
  const topology graph = one_way_square([](router_id, node_id) { return first_vcs(1); });
  const std::string report = run_in_subprocess_or_throw([&graph] {
    packet_list_source source(long_packets(), Routers, {}, 1);
    experiment::measurement watch(source, {Routers, 64, 0, 0, false});
    const auto model = pin::make_model(graph, {1, 4, 4, flow_control::Wormhole}, {}, {}, source, watch);
    experiment::run_plan plan;
    plan.drain = 100'000;
    plan.deadlock_after = 500;
    plan.finite = true;
    const experiment::run_result result = experiment::simulate(plan, graph, source, *model, watch, {});
    std::string text = fmt::format("{} at {}\n", experiment::name_of(result.how), result.cycles);
    for (const std::string& line : result.explanation) text += line + "\n";
    return text;
  });
  EXPECT_THAT(report,
              testing::StartsWith("deadlock at 600\n"));  // blocked at the first check, for 500 cycles
  EXPECT_THAT(report, testing::HasSubstr("no flit moved from cycle 100 to 600, 20 packets on their way\n"));
  for (router_id r = 0; r < Routers; ++r) {
    const packet_id own = 5 * r, passing = 5 * ((r + 3) % Routers);
    EXPECT_THAT(report, testing::HasSubstr(
                            fmt::format("router {} previous, VC 0: packet {} waits for an output VC of next, VC 0\n"
                                        "router {} local, VC 0: packet {} waits for a credit of next, VC 0\n",
                                        r, passing, r, own)));
  }
  EXPECT_THAT(report, testing::HasSubstr("a ring of 8\n"));
}

TEST(system_deadlock, dateline_prevents_the_deadlock_of_the_ring) {
  // VC 0 up to router 3, VC 1 from there on: no packet uses one VC all around the ring.
  const topology graph = one_way_square([](router_id here, node_id to) { return to <= here ? vc_set{1} : vc_set{2}; });
  ASSERT_TRUE(find_dependency_cycle(graph, 2).empty());
  const std::string result = run_in_subprocess_or_throw([&graph]() -> std::string {
    square_run run(graph, {2, 4, 4, flow_control::Wormhole});
    run.model->run(4000);
    const std::string text = run.log.text();
    std::size_t delivered = 0;
    for (std::size_t at = text.find(" deliver "); at != std::string::npos; at = text.find(" deliver ", at + 1))
      ++delivered;
    const std::string audit = run.model->audit_at_rest();
    return audit.empty() ? fmt::format("ok {}", delivered) : audit;
  });
  EXPECT_EQ(result, "ok 20");
}

}  // namespace
}  // namespace weft
