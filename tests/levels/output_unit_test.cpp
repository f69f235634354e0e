// SPDX-License-Identifier: Apache-2.0
/// Output unit: the credits of the output ports.
#include "weft/pin/router/output_unit.h"

#include "levels/bench.h"
#include <vector>

namespace weft::pin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class output_unit_bench : public bench {
 public:
  output_unit_bench(const router_parameters& parameters, const std::vector<unsigned>& depths,
                    const std::vector<unsigned>& phits = {})
      : credits("credit", depths.size()),
        held("held", shares_all(parameters.buffer) ? 1 : 0),
        busy("busy", narrow_ports(phits) != 0 ? 1 : 0),
        dut("dut", parameters, depths, false, phits) {
    clock(dut);
    dut.grant_i(grant);
    dut.credit_i.bind(credits);
    dut.held_i.bind(held);
    dut.busy_o.bind(busy);
    dut.status_o(status);
    dut.count_o(count);
    start();
  }
  sc_core::sc_signal<switch_grants> grant{"grant"};
  sc_core::sc_vector<sc_core::sc_signal<credit>> credits;
  sc_core::sc_vector<sc_core::sc_signal<held_output_vcs>> held;
  sc_core::sc_vector<sc_core::sc_signal<bool>> busy;
  sc_core::sc_signal<credit_status> status{"status"};
  sc_core::sc_signal<credit_counts> count{"count"};
  output_unit dut;

  void tick() {
    step();
    grant.write(switch_grants());
    for (auto& c : credits) c.write(credit());
  }
  void send(unsigned port, unsigned vc) {
    grant.write(grant_of(0, 0, port, vc));
    tick();
  }
  void return_credit(unsigned port, unsigned vc) {
    credits[port].write({1U << vc});
    tick();
  }
};

TEST(levels_pin_output_unit, starts_with_a_credit_for_every_slot) {
  output_unit_bench b(vcs_of(3, flow_control::VirtualCutThrough), {4, 2});
  EXPECT_EQ(b.status.read().available[0], 0b111);
  EXPECT_EQ(b.status.read().available[1], 0b111);
  EXPECT_EQ(b.status.read().available[2], 0) << "there is no port 2";
  for (unsigned vc = 0; vc < 3; ++vc) {
    EXPECT_EQ(b.dut.credits(0, vc), 4U);
    EXPECT_EQ(b.count.read().count[1][vc], 2U);
  }
}

TEST(levels_pin_output_unit, grant_consumes_its_credit_at_the_end_of_the_cycle) {
  output_unit_bench b(vcs_of(2, flow_control::VirtualCutThrough), {2, 2});
  b.grant.write(grant_of(0, 0, 1, 1));
  b.settle();
  EXPECT_EQ(b.count.read().count[1][1], 2U);
  b.tick();
  EXPECT_EQ(b.count.read().count[1][1], 1U);
  EXPECT_EQ(b.count.read().count[1][0], 2U);
  EXPECT_EQ(b.status.read().available[1], 0b11);
  b.send(1, 1);
  EXPECT_EQ(b.status.read().available[1], 0b01);
  EXPECT_EQ(b.status.read().available[0], 0b11);
}

TEST(levels_pin_output_unit, credit_is_usable_one_cycle_after_arrival) {
  output_unit_bench b(vcs_of(1), {1});
  b.send(0, 0);
  ASSERT_EQ(b.status.read().available[0], 0);
  b.credits[0].write({1U << 0});
  b.settle();
  EXPECT_EQ(b.status.read().available[0], 0);
  b.tick();
  EXPECT_EQ(b.status.read().available[0], 1);
}

TEST(levels_pin_output_unit, counts_credits_for_several_vcs_in_one_cycle) {
  output_unit_bench b(vcs_of(4, flow_control::VirtualCutThrough), {2});
  for (unsigned vc = 0; vc < 3; ++vc) b.send(0, vc);
  b.credits[0].write({0b101});
  b.tick();
  EXPECT_EQ(b.dut.credits(0, 0), 2U);
  EXPECT_EQ(b.dut.credits(0, 1), 1U);
  EXPECT_EQ(b.dut.credits(0, 2), 2U);
}

TEST(levels_pin_output_unit, grant_and_credit_in_one_cycle_leave_the_count_unchanged) {
  output_unit_bench b(vcs_of(1, flow_control::VirtualCutThrough), {2});
  b.send(0, 0);
  b.credits[0].write({1U << 0});
  b.send(0, 0);
  EXPECT_EQ(b.count.read().count[0][0], 1U);
  EXPECT_EQ(b.status.read().available[0], 1);
}

TEST(levels_pin_output_unit, never_runs_out_of_credits_for_an_unlimited_receiver) {
  output_unit_bench b(vcs_of(2, flow_control::VirtualCutThrough), {output_depths::Unlimited, 1});
  const unsigned plenty = b.dut.credits(0, 1);
  for (unsigned i = 0; i < 50; ++i) b.send(0, 1);
  EXPECT_EQ(b.dut.credits(0, 1), plenty);
  EXPECT_EQ(b.status.read().available[0], 0b11);
  EXPECT_GE(b.count.read().count[0][1], 10000U) << "room for any packet";
}

TEST(levels_pin_output_unit, vc_of_a_shared_buffer_leaves_the_others_their_reserved_flits) {
  router_parameters p = buffers_of(2, 2);
  p.buffer = {buffer_policy::Shared, 1, 0};
  output_unit_bench b(p, {output_depths::Shared, 1});
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(b.status.read().available[0], 0b11);
    b.send(0, 1);
  }
  EXPECT_EQ(b.status.read().available[0], 0b01) << "VC 1 has taken the pool";
  EXPECT_EQ(b.status.read().available[1], 0b11) << "port 1 leads to a node";
  b.send(0, 0);
  EXPECT_EQ(b.status.read().available[0], 0b00);
  b.return_credit(0, 1);
  EXPECT_EQ(b.status.read().available[0], 0b11) << "the pool has a flit again";
}

TEST(levels_pin_output_unit, empty_vc_of_a_shared_buffer_keeps_its_slot_for_the_packet_that_holds_it) {
  router_parameters p = buffers_of(2, 1);
  p.buffer = {buffer_policy::Shared, 0, 0};
  output_unit_bench b(p, {output_depths::Shared});
  held_output_vcs held;
  held.of[0] = 0b11;
  b.held[0].write(held);
  b.send(0, 0);
  b.send(0, 1);
  EXPECT_EQ(b.status.read().available[0], 0b00);
  b.return_credit(0, 0);
  EXPECT_EQ(b.status.read().available[0], 0b01) << "VC 1 may not use it";
  b.send(0, 0);
  b.return_credit(0, 0);
  held.of[0] = 0b10;  // the packet in VC 0 has ended
  b.held[0].write(held);
  b.send(0, 0);
  EXPECT_EQ(b.status.read().available[0], 0b00);
  b.return_credit(0, 0);
  EXPECT_EQ(b.status.read().available[0], 0b11) << "no packet holds VC 0";
}

TEST(levels_pin_output_unit, tail_that_leaves_with_a_credit_ends_the_hold_of_its_vc) {
  router_parameters p = buffers_of(2, 2);
  p.buffer = {buffer_policy::Shared, 0, 2};
  output_unit_bench b(p, {output_depths::Shared});
  held_output_vcs held;
  held.of[0] = 0b01;
  b.held[0].write(held);
  b.send(0, 0);
  b.send(0, 1);
  b.send(0, 1);
  b.credits[0].write({0b01});
  switch_grants tail = grant_of(0, 0, 0, 0);
  tail.tails = 1;
  b.grant.write(tail);
  b.tick();
  EXPECT_EQ(b.dut.credits(0, 0), 1U);
  held.of[0] = 0;
  b.held[0].write(held);
  b.return_credit(0, 0);
  b.return_credit(0, 1);
  EXPECT_EQ(b.status.read().available[0], 0b11);
}

TEST(levels_pin_output_unit, reset_restores_all_credits_without_a_clock_edge) {
  output_unit_bench b(vcs_of(2, flow_control::VirtualCutThrough), {1, 3});
  b.send(0, 0);
  b.send(1, 1);
  ASSERT_EQ(b.status.read().available[0], 0b10);
  b.assert_reset();
  EXPECT_EQ(b.status.read().available[0], 0b11);
  EXPECT_EQ(b.count.read().count[1][1], 3U);
  b.release_reset();
  EXPECT_EQ(b.dut.credits(0, 0), 1U);
}

TEST(levels_pin_output_unit, counts_credits_under_random_traffic) {
  constexpr unsigned Ports = 4, Vcs = 3;
  const std::vector<unsigned> depths{1, 2, 5, 8};
  random_numbers random;
  output_unit_bench b(vcs_of(Vcs, flow_control::VirtualCutThrough), depths);
  std::vector<std::vector<unsigned>> count;
  for (const unsigned depth : depths) count.emplace_back(Vcs, depth);
  unsigned sent = 0, returned = 0, empty = 0;
  for (unsigned cycle = 0; cycle < 5000; ++cycle) {
    switch_grants g;
    std::vector<credit> back(Ports);
    for (unsigned port = 0; port < Ports; ++port) {
      const unsigned vc = random.below(Vcs);
      if (count[port][vc] > 0 && random.chance(0.6)) {
        add_grant(g, port, 0, port, vc, false);
        ++sent;
      }
      const unsigned other = random.below(Vcs);
      if (count[port][other] < depths[port] && random.chance(0.55)) {
        back[port] = {1U << other};
        ++returned;
      }
    }
    for (unsigned port = 0; port < Ports; ++port) {
      b.credits[port].write(back[port]);
      if (g.outputs >> port & 1) --count[port][g.out_vc[port]];  // input port and output port are the same
      for_each_member(back[port].vcs, [&](unsigned vc) { ++count[port][vc]; });
    }
    b.grant.write(g);
    b.tick();
    for (unsigned port = 0; port < Ports; ++port) {
      for (unsigned vc = 0; vc < Vcs; ++vc) {
        ASSERT_EQ(b.count.read().count[port][vc], count[port][vc]) << "cycle " << cycle;
        ASSERT_EQ(b.status.read().available[port] >> vc & 1, count[port][vc] != 0) << "cycle " << cycle;
        empty += count[port][vc] == 0;
      }
    }
  }
  EXPECT_GT(sent, 4000U);
  EXPECT_GT(returned, 3000U);
  EXPECT_GT(empty, 500U);
}

TEST(levels_pin_output_unit, a_narrow_channel_is_busy_for_a_cycle_less_than_it_has_phits) {
  output_unit_bench b(vcs_of(2), {8, 8, 8}, {1, 3, 2});
  EXPECT_EQ(b.status.read().busy, 0U);
  b.send(1, 0);
  EXPECT_EQ(b.status.read().busy, 0b010U);
  EXPECT_TRUE(b.busy[0].read());
  EXPECT_EQ(b.status.read().available[1], 0b11) << "credits do not depend on the channel";
  b.send(2, 1);
  EXPECT_EQ(b.status.read().busy, 0b110U);
  b.send(0, 1);
  EXPECT_EQ(b.status.read().busy, 0U) << "port 0 is as wide as flits";
  EXPECT_FALSE(b.busy[0].read());
  b.send(1, 1);
  b.send(0, 0);
  EXPECT_EQ(b.status.read().busy, 0b010U);
  b.assert_reset();
  EXPECT_EQ(b.status.read().busy, 0U);
}

TEST(levels_pin_output_unit, rejects_a_flit_while_the_channel_is_busy) {
  output_unit_bench b(vcs_of(2), {8, 8}, {1, 3});
  b.send(1, 0);
  b.tick();
  EXPECT_THAT(broken_rule([&] { b.send(1, 1); }),
              AllOf(StartsWith("dut: "), HasSubstr("a flit was sent by port 1 while the channel carried an earlier")));
}

TEST(levels_pin_output_unit, rejects_a_flit_without_a_credit) {
  output_unit_bench b(vcs_of(2), {4, 1});
  b.send(1, 1);
  EXPECT_THAT(broken_rule([&] { b.send(1, 1); }),
              AllOf(StartsWith("dut: "), HasSubstr("a flit was sent by port 1 VC 1 without a credit")));
}

TEST(levels_pin_output_unit, rejects_a_credit_above_depth) {
  output_unit_bench b(vcs_of(2), {4, 1});
  b.send(1, 1);
  b.return_credit(1, 1);
  EXPECT_THAT(broken_rule([&] { b.return_credit(1, 1); }),
              AllOf(StartsWith("dut: "), HasSubstr("excess credit for port 1 VC 1")));
}

TEST(levels_pin_output_unit, rejects_a_credit_for_nonexistent_vc) {
  output_unit_bench b(vcs_of(2), {4, 1});
  EXPECT_THAT(broken_rule([&] { b.return_credit(0, 2); }),
              AllOf(StartsWith("dut: "), HasSubstr("excess credit for port 0 VC 2")));
}

TEST(levels_pin_output_unit, rejects_a_credit_from_an_unlimited_receiver) {
  output_unit_bench b(vcs_of(2), {output_depths::Unlimited});
  EXPECT_THAT(broken_rule([&] { b.return_credit(0, 0); }),
              AllOf(StartsWith("dut: "), HasSubstr("excess credit for port 0 VC 0")));
}

}  // namespace
}  // namespace weft::pin
