// SPDX-License-Identifier: Apache-2.0
/// Where packets wait (core/router_waits.h): both levels report the same for every packet, the parts add up to its
/// latency, and small cases follow the order of events of docs/03_reference/router.md. WEFT_SEED repeats a run.
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/pin/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/packet_list.h"

namespace weft {
namespace {

/// The history of one packet.
struct fate {
  packet what;
  cycle_t injected = 0, delivered = 0;
  std::uint32_t travels = 0, routers = 0;
  router_waits waits;
  cycle_t left = 0;
};

class waits_log final : public network_observer {
 public:
  bool needs_payload() const override { return false; }
  bool needs_waits() const override { return true; }
  void injected(const flit_event& e, const header& head) override {
    if (e.sequence != 0) return;
    m_under_way[e.id].injected = e.cycle;
    m_under_way[e.id].travels = head.flits;
  }
  void waited(packet_id id, const router_waits& waits, cycle_t left) override {
    m_under_way[id].waits = waits;
    m_under_way[id].left = left;
  }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    fate& f = fates[p.id] = m_under_way[p.id];
    f.what = p;
    f.delivered = cycle;
    f.routers = routers;
  }

  std::map<packet_id, fate> fates;

 private:
  std::map<packet_id, fate> m_under_way;
};

std::string text_of(const router_waits& w) {
  return fmt::format("VC {}, switch {}, credit {}, NIC {}", w.vc_allocation, w.switch_allocation, w.credit, w.nic);
}

/// Describes the first packet that differs, or is empty.
std::string difference(const std::map<packet_id, fate>& pin, const std::map<packet_id, fate>& engine) {
  if (pin.size() != engine.size()) return fmt::format("{} and {} packets delivered", pin.size(), engine.size());
  for (const auto& [id, f] : pin) {
    const fate& other = engine.at(id);
    if (!(f.waits == other.waits) || f.left != other.left)
      return fmt::format("packet {}, created in {}: pin level {} until {}, engine {} until {}", id, f.what.created,
                         text_of(f.waits), f.left, text_of(other.waits), other.left);
  }
  return {};
}

/// The first violation of a packet's latency account, or an empty string. Without waits the head takes the latency of
/// an empty network, and the flits follow back to back.
std::string find_violation(const fate& f, const network_case& c) {
  const auto arrived = f.injected + 1 + c.graph.nodes[f.what.source].cycles;
  const auto across = static_cast<std::int64_t>(f.left - arrived - f.waits.sum() - (f.travels - 1));
  // A flit has crossed a narrow channel when its last part has.
  const auto crossing = [](const weft::channel& each) { return each.cycles + each.phits - 1; };
  const unsigned channel = c.graph.channels.empty() ? 0 : crossing(c.graph.channels.front());
  const std::int64_t expected = std::int64_t{f.routers} * c.router.pipeline + std::int64_t{f.routers - 1} * channel;
  const bool alike = std::all_of(c.graph.channels.begin(), c.graph.channels.end(),
                                 [&](const weft::channel& each) { return crossing(each) == channel; });
  if (alike ? across != expected : across < std::int64_t{f.routers} * c.router.pipeline)
    return fmt::format("packet {}: {} cycles in pipelines and channels of {} routers, expected {}; {}", f.what.id,
                       across, f.routers, expected, text_of(f.waits));
  const cycle_t out = f.delivered - f.left, channel_out = c.graph.nodes[f.what.destination].cycles;
  if (c.nic.ejection_depth == 0 ? out != channel_out : out < channel_out)
    return fmt::format("packet {}: {} cycles from the last router, expected {} of the channel", f.what.id, out,
                       channel_out);
  if (f.waits.nic != 0 && !c.nic.compression.enabled())
    return fmt::format("packet {}: waited in a NIC without stages", f.what.id);
  return {};
}

struct both_levels {
  waits_log pin, engine;
};

/// The first violation at both levels, or "ok" and the cycles of waits by cause.
std::string check_case(const network_case& c) {
  both_levels logs;
  built_case pin(c, logs.pin);
  stopping_source source(make_traffic(c), c.stop);
  const auto engine = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, logs.engine);
  rng d(c.seed);
  for (cycle_t done = 0; done < c.stop + 1000;) {
    const cycle_t step = d.between(1, 200);
    pin.model().run(step);
    engine->run(step);
    done += step;
  }
  std::string wrong = difference(logs.pin.fates, logs.engine.fates);
  std::vector<std::uint64_t> kinds(4);
  for (const auto& [id, f] : logs.engine.fates) {
    if (wrong.empty()) wrong = find_violation(f, c);
    kinds[0] += f.waits.vc_allocation;
    kinds[1] += f.waits.switch_allocation;
    kinds[2] += f.waits.credit;
    kinds[3] += f.waits.nic;
  }
  return wrong.empty() ? fmt::format("ok {} {} {} {}", kinds[0], kinds[1], kinds[2], kinds[3]) : wrong;
}

constexpr unsigned Cases = 60;

class system_waits : public testing::TestWithParam<unsigned> {};

TEST_P(system_waits, of_each_packet_add_up_and_are_equal_at_both_levels) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::vector<std::uint64_t> kinds(4);
  for (unsigned i = 0; i < Cases; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * Cases + i;
    const network_case c = random_case(seed);
    const std::string result = run_in_subprocess([&c] { return check_case(c); });
    ASSERT_EQ(result.substr(0, 3), "ok ")
        << result << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    std::istringstream in(result.substr(3));
    for (std::uint64_t& kind : kinds) {
      std::uint64_t cycles;
      in >> cycles;
      kind += cycles;
    }
  }
  for (unsigned kind = 0; kind < 3; ++kind) EXPECT_GT(kinds[kind], 1000u) << "kind " << kind;
}

/// In these busy networks of several regions, the engine allocates the switches of all routers of a region together.
TEST(system_waits_busy, of_each_packet_add_up_and_are_equal_at_both_levels) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  rng d(test_seed());
  for (const unsigned pipeline : {3u, 4u, 7u}) {
    network_case c;
    c.network = "mesh [9, 8]";
    c.router.pipeline = pipeline;
    c.router.depth = d.between(2, 9);
    c.graph = make_grid({{9, 8}, {d.between(1, 2), 1, 1, 4}});
    c.workload.injection.load = 0.35;
    c.workload.length.flits = d.one_of({1u, 3u, 7u});
    c.seed = d.bits();
    c.stop = 600;
    const std::string result = run_in_subprocess([&c] { return check_case(c); });
    ASSERT_EQ(result.substr(0, 3), "ok ") << result << "\nWEFT_SEED=" << test_seed() << ": " << describe(c);
  }
}

INSTANTIATE_TEST_SUITE_P(random, system_waits, testing::Range(0u, 1u));
INSTANTIATE_TEST_SUITE_P(soak, system_waits, testing::Range(100u, 120u));

TEST(system_waits_checks, detect_a_lost_or_misattributed_cycle) {
  network_case c;
  c.graph = make_grid({{2}, {1, 1, 1, 4}});
  fate f;
  f.what = {7, 0, 1, 3, 10};
  f.injected = 10;
  f.travels = 3;
  f.routers = 2;
  f.waits.credit = 5;
  f.left = 12 + 9 + 2 + 5;
  f.delivered = f.left + 1;
  ASSERT_EQ(find_violation(f, c), "");
  fate lost = f, late = f, moved = f;
  lost.waits.credit = 4;
  EXPECT_EQ(find_violation(lost, c),
            "packet 7: 10 cycles in pipelines and channels of 2 routers, expected 9; VC 0, switch "
            "0, credit 4, NIC 0");
  late.delivered += 1;
  EXPECT_EQ(find_violation(late, c), "packet 7: 2 cycles from the last router, expected 1 of the channel");
  moved.waits = {0, 1, 4, 0};
  EXPECT_EQ(find_violation(moved, c), "");
  EXPECT_EQ(difference({{7, f}}, {{7, moved}}),
            "packet 7, created in 10: pin level VC 0, switch 0, credit 5, NIC 0 until 28, engine VC 0, switch 1, "
            "credit 4, NIC 0 until 28");
}

// ---------------------------------------------------------------------------------------------------------------------
// Hand-computed cases on a row of routers. A packet that leaves its source in cycle 0 arrives in the router there in 2.
// If the next router is its last one, that router grants it the switch in 9 at the earliest.

struct small_case {
  std::uint32_t routers = 3;
  router_parameters router;
  std::vector<packet> packets;
};

/// The waits of all packets, one per line; both levels must agree on them.
std::string waits_in(const small_case& s) {
  return run_in_subprocess_or_throw([&s] {
    const topology graph = make_grid({{s.routers}, {1, 1, 1, s.router.vcs}});
    both_levels logs;
    packet_list_source of_pin(s.packets, s.routers, {}, 1), of_engine(s.packets, s.routers, {}, 1);
    pin::make_model(graph, s.router, {}, {}, of_pin, logs.pin)->run(200);
    engine::make_model(graph, s.router, {}, 64, of_engine, logs.engine)->run(200);
    std::string text = difference(logs.pin.fates, logs.engine.fates);
    for (const auto& [id, f] : logs.engine.fates) text += text_of(f.waits) + "\n";
    return text;
  });
}

router_parameters with(unsigned vcs, unsigned depth, unsigned pipeline = 4) {
  router_parameters r;
  r.vcs = vcs;
  r.depth = depth;
  r.pipeline = pipeline;
  return r;
}

TEST(system_waits_by_hand, isolated_packet_does_not_wait) {
  for (const unsigned pipeline : {3u, 4u, 5u, 9u})
    EXPECT_EQ(waits_in({3, with(1, 12, pipeline), {{0, 0, 2, 6, 0}}}), "VC 0, switch 0, credit 0, NIC 0\n");
}

TEST(system_waits_by_hand, packet_that_loses_the_only_vc_waits_for_it) {
  // Both request the one VC of the node between them in 8. The packet from node 2 (port 0) wins and sends its flits in
  // 9, 10 and 11. The VC can be allocated again in 12, and the other packet sends its head in 13 instead of 9.
  EXPECT_EQ(waits_in({3, with(1, 8), {{0, 0, 1, 3, 0}, {1, 2, 1, 3, 0}}}),
            "VC 4, switch 0, credit 0, NIC 0\nVC 0, switch 0, credit 0, NIC 0\n");
  // One cycle for both allocators: the winner sends in 8, 9, 10; the other requests VC and switch in 11.
  EXPECT_EQ(waits_in({3, with(1, 8, 3), {{0, 0, 1, 3, 0}, {1, 2, 1, 3, 0}}}),
            "VC 3, switch 0, credit 0, NIC 0\nVC 0, switch 0, credit 0, NIC 0\n");
}

TEST(system_waits_by_hand, alternating_packets_wait_for_the_switch) {
  // Both prefer VC 0 in 8. The packet from node 2 gets it, the other one gets VC 1 in 9. Flits of node 2 are granted
  // the switch in 9, 11, 13, 15, 17, those of node 0 in 10, 12, … 18.
  EXPECT_EQ(waits_in({3, with(2, 8), {{0, 0, 1, 5, 0}, {1, 2, 1, 5, 0}}}),
            "VC 1, switch 4, credit 0, NIC 0\nVC 0, switch 4, credit 0, NIC 0\n");
}

TEST(system_waits_by_hand, packet_queued_behind_another_waits_for_its_vc) {
  // The first leaves the buffer in 4; the head behind it has its route in 5 and its VC in 6, two cycles late.
  EXPECT_EQ(waits_in({2, with(1, 8), {{0, 0, 1, 1, 0}, {1, 0, 1, 1, 0}}}),
            "VC 0, switch 0, credit 0, NIC 0\nVC 2, switch 0, credit 0, NIC 0\n");
}

TEST(system_waits_by_hand, buffers_of_one_flit_cause_credit_waits) {
  // A slot becomes free at least five cycles after a flit occupies it. Flits leave the NIC in 0, 6, 13, the first
  // router in 4, 11, 16, and the second one in 9, 14, 19; without waits the last one would leave in 11.
  EXPECT_EQ(waits_in({2, with(1, 1), {{0, 0, 1, 3, 0}}}), "VC 0, switch 0, credit 8, NIC 0\n");
}

TEST(system_waits_by_hand, stalled_receiver_causes_credit_waits) {
  // Three packets of one flit, from cycle 0 on. The ejector holds the first in its register and the second in its
  // one-flit buffer, for whose credit the second waits one cycle. The third is ready for the switch in 16, five cycles
  // late because it was behind the others. The node accepts the first in 50; the second moves up in 51, and its credit
  // counts in 52.
  small_case s{2, with(1, 8), {{0, 0, 1, 1, 0}, {1, 0, 1, 1, 0}, {2, 0, 1, 1, 0}}};
  const topology graph = make_grid({{2}, {1, 1, 1, 1}});
  nic_parameters nic;
  nic.ejection_depth = 1;
  waits_log log;
  packet_list_source source(s.packets, 2, {}, 1);
  const auto engine = engine::make_model(graph, s.router, nic, 64, source, log);
  engine->set_ready(1, false);
  engine->run(50);
  engine->set_ready(1, true);
  engine->run(50);
  ASSERT_EQ(log.fates.size(), 3u);
  EXPECT_EQ(text_of(log.fates[0].waits), "VC 0, switch 0, credit 0, NIC 0");
  EXPECT_EQ(text_of(log.fates[1].waits), "VC 2, switch 0, credit 1, NIC 0");
  EXPECT_EQ(text_of(log.fates[2].waits), "VC 5, switch 0, credit 36, NIC 0");
}

}  // namespace
}  // namespace weft
