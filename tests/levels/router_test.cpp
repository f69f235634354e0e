// SPDX-License-Identifier: Apache-2.0
/// A single router, which the bench drives.
#include "weft/pin/router/router.h"

#include "levels/router_device.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft::pin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// One router of each pipeline length, all driven by the same script of wire values per cycle.
class pipelines_bench : public bench {
 public:
  pipelines_bench(unsigned vcs, unsigned depth, const std::vector<unsigned>& depths,
                  flow_control flow = flow_control::Wormhole) {
    for (const unsigned s : Pipelines)
      devices[s] =
          std::make_unique<router_device>(*this, "s" + std::to_string(s), parameters_of(s, vcs, depth, flow), depths);
    start();
  }
  void flit_at(cycle_t cycle, unsigned port, const flit_t& f) { m_flits[{cycle, port}] = f; }
  void packet_at(cycle_t cycle, unsigned port, packet_id id, std::uint32_t flits, unsigned vc, node_id to) {
    for (std::uint32_t i = 0; i < flits; ++i) flit_at(cycle + i, port, make_flit(id, i, flits, vc, to));
  }
  void credit_at(cycle_t cycle, unsigned port, unsigned vc) { m_credits[{cycle, port}] = {1U << vc}; }
  void run(cycle_t cycles) {
    const cycle_t end = now() + cycles;
    for (; now() < end; step()) {
      for (auto& d : devices) {
        for (unsigned port = 0; port < d.second->sent.size(); ++port) {
          d.second->flit_in[port].write(m_flits.count({now(), port}) ? m_flits[{now(), port}] : flit_t());
          d.second->credit_in[port].write(m_credits.count({now(), port}) ? m_credits[{now(), port}] : credit());
        }
        d.second->watch(now());
      }
    }
  }
  std::map<unsigned, std::unique_ptr<router_device>> devices;  // by S

 private:
  std::map<std::pair<cycle_t, unsigned>, flit_t> m_flits;
  std::map<std::pair<cycle_t, unsigned>, credit> m_credits;
};

/// Cycles from the arrival of a head to its grant: S = 3 allocates VC and switch in one cycle.
cycle_t to_grant(unsigned s) { return s == 3 ? 1 : 2; }
/// Cycles from a grant to the output register.
cycle_t to_output(unsigned s) { return s <= 4 ? 2 : s - 2; }

TEST(levels_pin_router, head_reaches_the_output_register_after_all_pipeline_stages) {
  pipelines_bench b(4, 8, {8, 8, 0});
  const cycle_t arrival = 6;
  b.flit_at(arrival - 1, 0, single(7, 2, 1));
  b.run(30);
  for (const unsigned s : Pipelines) {
    const router_device& d = *b.devices[s];
    EXPECT_THAT(d.sent_cycles(1), ElementsAre(arrival + s)) << "S = " << s;
    EXPECT_THAT(d.sent_cycles(0), IsEmpty());
    EXPECT_THAT(d.credits[0], ElementsAre(arrival + to_grant(s) + 1)) << "S = " << s;
    flit_t expected = single(7, 0, 1);  // VC 0: the first choice after reset
    ASSERT_FALSE(d.sent[1].empty());
    EXPECT_EQ(d.sent[1][0].what, expected);
    EXPECT_EQ(d.dut.sent(1), 1U);
  }
}

TEST(levels_pin_router, sends_one_flit_of_a_packet_per_cycle) {
  pipelines_bench b(2, 8, {8, 8});
  b.packet_at(0, 0, 1, 6, 1, 1);
  b.run(30);
  for (const unsigned s : Pipelines) {
    std::vector<cycle_t> flits, credits;
    for (cycle_t i = 0; i < 6; ++i) {
      flits.push_back(1 + s + i);
      credits.push_back(1 + to_grant(s) + 1 + i);
    }
    EXPECT_EQ(b.devices[s]->sent_cycles(1), flits) << "S = " << s;
    EXPECT_EQ(b.devices[s]->credits[0], credits) << "S = " << s;
  }
}

TEST(levels_pin_router, a_body_flit_is_granted_in_the_cycle_of_its_arrival) {
  pipelines_bench b(2, 8, {8, 8});
  b.flit_at(0, 0, make_flit(1, 0, 3, 1, 1));
  b.flit_at(9, 0, make_flit(1, 1, 3, 1, 1));  // arrives in 10
  b.flit_at(14, 0, make_flit(1, 2, 3, 1, 1));
  b.run(30);
  for (const unsigned s : Pipelines)
    EXPECT_THAT(b.devices[s]->sent_cycles(1), ElementsAre(1 + s, 10 + to_output(s), 15 + to_output(s))) << "S = " << s;
}

TEST(levels_pin_router, queued_head_is_routed_one_cycle_after_grant_of_tail) {
  pipelines_bench b(2, 8, {8, 8});
  b.packet_at(0, 0, 1, 2, 1, 1);  // tail arrives in 2
  b.packet_at(2, 0, 2, 1, 1, 1);  // same VC, arrives in 3
  b.run(40);
  for (const unsigned s : Pipelines) {
    const cycle_t tail_granted = 1 + to_grant(s) + 1;
    const cycle_t head_granted = tail_granted + 1 + to_grant(s);  // as if it had arrived one cycle after the grant
    EXPECT_THAT(b.devices[s]->credits[0], ElementsAre(tail_granted, tail_granted + 1, head_granted + 1)) << "S = " << s;
    EXPECT_THAT(b.devices[s]->sent_cycles(1), ElementsAre(1 + s, 2 + s, head_granted + to_output(s))) << "S = " << s;
  }
}

TEST(levels_pin_router, freed_output_vc_joins_the_next_allocation) {
  pipelines_bench b(1, 8, {8, 8, 8});
  b.packet_at(0, 0, 1, 3, 0, 2);
  b.packet_at(0, 1, 2, 3, 0, 2);  // waits for the only VC of port 2
  b.run(40);
  for (const unsigned s : Pipelines) {
    const cycle_t tail_granted = 1 + to_grant(s) + 2;
    const cycle_t second = tail_granted + (s == 3 ? 1 : 2);  // VA in t+1; SA in the same cycle (S = 3) or in t+2
    std::vector<cycle_t> expected;
    for (cycle_t i = 0; i < 3; ++i) expected.push_back(1 + s + i);
    for (cycle_t i = 0; i < 3; ++i) expected.push_back(second + to_output(s) + i);
    EXPECT_EQ(b.devices[s]->sent_cycles(2), expected) << "S = " << s;
    EXPECT_EQ(b.devices[s]->sent[2].front().what.tag.packet(), 1U);
    EXPECT_EQ(b.devices[s]->sent[2].back().what.tag.packet(), 2U);
  }
}

TEST(levels_pin_router, packets_on_two_vcs_of_an_output_alternate) {
  pipelines_bench b(2, 8, {8, 8, 8});
  b.packet_at(0, 0, 1, 3, 0, 2);
  b.packet_at(0, 1, 2, 3, 0, 2);
  b.run(60);
  // Both prefer VC 0 of port 2 in the first allocation, and one wins; the other gets VC 1 a cycle later.
  for (const unsigned s : Pipelines) {
    std::vector<packet_id> ids;
    for (const auto& e : b.devices[s]->sent[2]) ids.push_back(e.what.tag.packet());
    EXPECT_EQ(ids, (std::vector<packet_id>{1, 2, 1, 2, 1, 2})) << "S = " << s;
    EXPECT_EQ(b.devices[s]->sent[2].back().cycle, 1U + s + 5) << "no cycle is lost, S = " << s;
  }
}

TEST(levels_pin_router, credit_is_usable_one_cycle_after_arrival) {
  pipelines_bench b(1, 8, {1, 1});
  b.packet_at(0, 0, 1, 3, 0, 1);
  b.credit_at(20, 1, 0);
  b.credit_at(27, 1, 0);
  b.run(50);
  for (const unsigned s : Pipelines)
    EXPECT_THAT(b.devices[s]->sent_cycles(1), ElementsAre(1 + s, 21 + to_output(s), 28 + to_output(s))) << "S = " << s;
}

TEST(levels_pin_router, sends_to_an_unlimited_receiver_without_credits) {
  pipelines_bench b(1, 8, {8, output_depths::Unlimited});
  for (cycle_t i = 0; i < 10; ++i) b.packet_at(10 * i, 0, i, 4, 0, 1);
  b.run(120);
  for (const unsigned s : Pipelines) EXPECT_EQ(b.devices[s]->sent[1].size(), 40U) << "S = " << s;
}

TEST(levels_pin_router, virtual_cut_through_waits_for_room_for_the_whole_packet) {
  pipelines_bench b(1, 8, {4, 4}, flow_control::VirtualCutThrough);
  b.packet_at(0, 0, 1, 3, 0, 1);  // leaves room for one
  b.packet_at(3, 0, 2, 3, 0, 1);
  b.credit_at(40, 1, 0);
  b.credit_at(45, 1, 0);
  b.run(80);
  for (const unsigned s : Pipelines) {
    // The second credit counts in 46, where the packet wins its VC.
    const cycle_t granted = s == 3 ? 46 : 47;
    EXPECT_THAT(b.devices[s]->sent_cycles(1), ElementsAre(1 + s, 2 + s, 3 + s, granted + to_output(s),
                                                          granted + to_output(s) + 1, granted + to_output(s) + 2))
        << "S = " << s;
  }
}

TEST(levels_pin_router, wormhole_sends_while_there_is_room) {
  pipelines_bench b(1, 8, {4, 4});
  b.packet_at(0, 0, 1, 3, 0, 1);
  b.packet_at(3, 0, 2, 3, 0, 1);
  b.run(80);
  for (const unsigned s : Pipelines) EXPECT_EQ(b.devices[s]->sent[1].size(), 4U) << "S = " << s;
}

TEST(levels_pin_router, a_flit_may_leave_through_the_port_it_entered) {
  pipelines_bench b(2, 8, {8, 8});
  b.packet_at(0, 1, 1, 2, 0, 1);
  b.run(30);
  for (const unsigned s : Pipelines) EXPECT_THAT(b.devices[s]->sent_cycles(1), ElementsAre(1 + s, 2 + s));
}

TEST(levels_pin_router, a_saturated_output_is_busy_every_cycle_and_shared_equally) {
  constexpr unsigned Ports = 5, Vcs = 4, Depth = 8, Cycles = 800;
  bench b;
  std::map<unsigned, std::unique_ptr<router_device>> devices;
  for (const unsigned s : Pipelines)
    devices[s] = std::make_unique<router_device>(b, "s" + std::to_string(s), parameters_of(s, Vcs, Depth),
                                                 std::vector<unsigned>(Ports, output_depths::Unlimited));
  b.start();
  for (const unsigned s : Pipelines) {
    router_device& d = *devices[s];
    std::vector<std::vector<unsigned>> room(Ports, std::vector<unsigned>(Vcs, Depth));
    std::vector<unsigned> wins(Ports, 0);
    std::map<packet_id, unsigned> from;
    packet_id id = 0;
    unsigned busy = 0;
    for (unsigned cycle = 0; cycle < Cycles; ++cycle) {
      for (unsigned port = 0; port + 1 < Ports; ++port) {  // all but the last send to the last
        flit_t f;
        for (unsigned i = 0; i < Vcs && !f.valid; ++i) {
          const unsigned vc = (cycle + i) % Vcs;
          if (room[port][vc] == 0) continue;
          --room[port][vc];
          from[id] = port;
          f = single(id++, vc, Ports - 1);
        }
        d.flit_in[port].write(f);
      }
      b.step();
      for (unsigned port = 0; port < Ports; ++port)
        for_each_member(d.credit_out[port].read().vcs, [&](unsigned vc) { ++room[port][vc]; });
      if (cycle < 100) continue;
      const flit_t& out = d.flit_out[Ports - 1].read();
      busy += out.valid;
      if (out.valid) ++wins[from[out.tag.packet()]];
    }
    for (unsigned port = 0; port < Ports; ++port) d.flit_in[port].write(flit_t());
    EXPECT_EQ(busy, Cycles - 100) << "S = " << s;
    for (unsigned port = 0; port + 1 < Ports; ++port) EXPECT_NEAR(wins[port], (Cycles - 100) / 4, 2) << "S = " << s;
  }
}

TEST(levels_pin_router, error_names_the_submodule) {
  bench b;
  router_device d(b, "router", parameters_of(4, 2, 1), {1, 1});
  b.start();
  d.credit_in[1].write({1U << 1});
  EXPECT_EQ(broken_rule([&] { b.step(); }), "router.output_unit: excess credit for port 1 VC 1");
}

}  // namespace
}  // namespace weft::pin
