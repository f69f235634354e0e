// SPDX-License-Identifier: Apache-2.0
/// Step schedules, simulated on networks at both levels.
#include "support/collective_play.h"
#include "support/event_log.h"
#include "support/subprocess.h"
#include "unit/schedule/networks.h"
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/collectives/communication/scheduled_collective.h"
#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/send_sequence.h"
#include "weft/topology/analysis/zero_load.h"

namespace weft::schedule {
namespace {

using testing::HasSubstr;

/// A schedule, the network that simulates it, and the expected result.
struct replay {
  replay(topology graph, port_rule ports, collective requested)
      : network(graph, ports), what{network, std::move(requested), path_rule::Any} {
    where.graph = std::move(graph);
  }

  transfer make(node_id from, node_id to, std::vector<message> payload) const {
    return {from, to, std::move(payload), find_paths(network, from, to, 0, 1).front()};
  }

  step_network network;
  problem what;
  step_schedule played;
  std::uint32_t flits = 3;
  collective_case where;
};

/// Empty if the network follows the schedule cycle by cycle; otherwise the first violation.
std::string find_violation(replay r, played_at level, std::string* events = nullptr) {
  if (const auto violations = check(r.what, r.played); !violations.empty()) return violations.front().text;
  const std::vector<ordered_transfer> transfers = in_order(*r.where.graph, r.network, r.played);
  set_send_sequences(*r.where.graph, transfers, r.where.router.vcs);
  r.where.options.barriers = true;
  const weft::collective c = make_scheduled_collective(r.what.requested, transfers,
                                                       static_cast<std::uint32_t>(r.network.nodes()), r.flits, true);
  const collective_outcome seen = play(c, r.where, level);
  if (!seen.finished || !seen.lacks.empty()) return "not finished " + seen.error;
  for (std::size_t s = 0; s < r.played.steps.size(); ++s) {
    cycle_t formula = 0;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      if (transfers[i].step == s)
        formula = std::max(
            formula, latency_alone(*r.where.graph, r.where.router, transfers[i], c.flits(static_cast<message_id>(i))));
    }
    const cycle_t took = seen.steps[s].end - seen.steps[s].begin;
    if (took != formula) return fmt::format("step {} takes {} cycles, expected {}", s + 1, took, formula);
  }
  if (events != nullptr) *events = seen.events;
  return {};
}

void expect_kept(const replay& r) {
  std::string at_engine, at_pins;
  EXPECT_EQ(find_violation(r, played_at::Engine, &at_engine), "");
  const std::string result = run_in_subprocess([&] {
    const std::string broken = find_violation(r, played_at::Pin, &at_pins);
    return broken.empty() ? first_difference(at_engine, at_pins) : broken;
  });
  EXPECT_EQ(result, "");
}

/// All-to-all broadcast on a ring: each node forwards what it received from its predecessor.
replay rotation(std::uint32_t nodes) {
  replay r(ring(nodes), {}, all_to_all(operation::Broadcast, nodes));
  for (node_id k = 0; k + 1 < nodes; ++k) {
    r.played.steps.emplace_back();
    for (node_id n = 0; n < nodes; ++n)
      r.played.steps.back().push_back(r.make(n, (n + 1) % nodes, {{(n + nodes - k) % nodes}}));
  }
  return r;
}

TEST(system_schedule_replay, simulated_rotation_keeps_the_steps_of_its_schedule) { expect_kept(rotation(6)); }

TEST(system_schedule_replay, simulated_exchange_of_combined_messages_keeps_its_steps) {
  replay r(hypercube(3), {}, all_to_all(operation::Broadcast, 8));
  for (node_id d = 1; d < 8; d *= 2) {
    r.played.steps.emplace_back();
    for (node_id n = 0; n < 8; ++n) {
      std::vector<message> held;
      for (node_id m = 0; m < 8; ++m)
        if ((m ^ n) < d) held.push_back({m});
      r.played.steps.back().push_back(r.make(n, n ^ d, held));
    }
  }
  r.what.combining = true;
  r.where.router.depth = 16;
  expect_kept(r);
}

/// Every core sends through both of its routers at once to cores of other sub-trees, then only through the second one.
TEST(system_schedule_replay, nodes_with_several_routers_keep_the_steps_of_the_schedule) {
  replay r(gft16(), {}, {operation::Scatter, {0, 1}, {4, 8, 12}});
  const std::vector<channel_path> to_4 = find_paths(r.network, 0, 4, 0, 99);
  const std::vector<channel_path> to_8 = find_paths(r.network, 0, 8, 0, 99);
  r.played.steps = {{{0, 4, {{0, 4}}, to_4.back()}, {0, 8, {{0, 8}}, to_8.front()}},
                    {{0, 12, {{0, 12}}, find_paths(r.network, 0, 12, 0, 99).back()}, r.make(1, 4, {{1, 4}})},
                    {r.make(1, 8, {{1, 8}})},
                    {r.make(1, 12, {{1, 12}})}};
  expect_kept(r);
}

TEST(system_schedule_replay, delivers_every_word_without_barriers) {
  replay r = rotation(5);
  const std::vector<ordered_transfer> transfers = in_order(*r.where.graph, r.network, r.played);
  set_send_sequences(*r.where.graph, transfers, r.where.router.vcs);
  const collective_outcome seen = play(make_scheduled_collective(r.what.requested, transfers, 5, 3, false), r.where);
  EXPECT_TRUE(seen.finished);
  EXPECT_THAT(seen.lacks, testing::IsEmpty());
}

TEST(system_schedule_replay, error_for_too_few_ports_gives_the_number_needed) {
  replay r(mesh({3, 3}), AllPorts, one_to_all(operation::Scatter, 4, 9));
  r.played.steps = {{r.make(4, 1, {{4, 1}}), r.make(4, 3, {{4, 3}})}};
  try {
    in_order(*r.where.graph, r.network, r.played);
    ADD_FAILURE();
  } catch (const std::invalid_argument& e) {
    EXPECT_THAT(e.what(), HasSubstr("node 4 must send 2 packets at once at r4, but has 1 port there; set nic.ports to "
                                    "2"));
  }
}

}  // namespace
}  // namespace weft::schedule
