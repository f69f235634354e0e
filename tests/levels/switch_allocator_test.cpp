// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: the cycle of each grant, and equality with the reference allocator.
#include "weft/pin/router/switch_allocator.h"

#include "levels/bench.h"
#include "unit/router/reference.h"
#include <array>
#include <vector>

namespace weft::pin {
namespace {

class switch_allocator_bench : public bench {
 public:
  switch_allocator_bench(unsigned ports, unsigned vcs, unsigned speedup = 1)
      : assigned("assigned", ports), dut("dut", ports, with_speedup(vcs_of(vcs), speedup)) {
    clock(dut);
    dut.status_i(status);
    dut.assigned_i.bind(assigned);
    dut.credit_i(credits);
    dut.grant_o(grant);
    start();
  }
  sc_core::sc_signal<buffer_status> status{"status"};
  sc_core::sc_vector<sc_core::sc_signal<vc_assignment>> assigned;
  sc_core::sc_signal<credit_status> credits{"credits"};
  sc_core::sc_signal<switch_grants> grant{"grant"};
  switch_allocator dut;

  void hold_flit(unsigned port, unsigned vc, bool tail = false) {
    m_status.occupied[port] = static_cast<std::uint16_t>(m_status.occupied[port] | 1U << vc);
    if (tail) m_status.tail[port] = static_cast<std::uint16_t>(m_status.tail[port] | 1U << vc);
    status.write(m_status);
  }
  void assign(unsigned port, unsigned vc, unsigned out_port, unsigned out_vc) {
    m_assigned[port].active |= vc_set{1} << vc;
    m_assigned[port].port[vc] = static_cast<std::uint8_t>(out_port);
    m_assigned[port].vc[vc] = static_cast<std::uint8_t>(out_vc);
    assigned[port].write(m_assigned[port]);
  }
  void give_credit(unsigned port, unsigned vc) {
    m_credits.available[port] = static_cast<std::uint16_t>(m_credits.available[port] | 1U << vc);
    credits.write(m_credits);
  }

 private:
  static router_parameters with_speedup(router_parameters parameters, unsigned speedup) {
    parameters.input_speedup = speedup;
    return parameters;
  }

  buffer_status m_status;
  std::array<vc_assignment, MaxPorts> m_assigned;
  credit_status m_credits;
};

TEST(levels_pin_switch_allocator, grants_in_the_cycle_of_the_request) {
  switch_allocator_bench b(3, 2);
  b.hold_flit(1, 1, true);
  b.assign(1, 1, 2, 0);
  b.give_credit(2, 0);
  EXPECT_EQ(b.grant.read(), switch_grants());
  b.settle();
  EXPECT_EQ(b.grant.read(), grant_of(1, 1, 2, 0, true));
}

TEST(levels_pin_switch_allocator, with_a_speedup_grants_one_vc_of_each_input_of_a_port) {
  switch_allocator_bench b(3, 4, 2);
  for (unsigned vc = 0; vc < 4; ++vc) {
    b.hold_flit(1, vc, true);
    b.assign(1, vc, vc == 3 ? 1 : vc, 0);  // output ports 0, 1, 2, 1
    if (vc < 3) b.give_credit(vc, 0);
  }
  b.settle();
  const switch_grants g = b.grant.read();
  EXPECT_EQ(g.inputs, 0b001100U) << "inputs 2 and 3 serve port 1";
  EXPECT_EQ(g.vc[2] % 2, 0);
  EXPECT_EQ(g.vc[3] % 2, 1);
  EXPECT_NE(g.out_port[2], g.out_port[3]);
  EXPECT_EQ(g.tails, g.inputs);
}

TEST(levels_pin_switch_allocator, grant_requires_flit_output_vc_and_credit) {
  switch_allocator_bench b(3, 2);
  b.hold_flit(0, 0);  // has no output VC
  b.give_credit(0, 0);
  b.assign(1, 0, 1, 0);  // has no flit
  b.give_credit(1, 0);
  b.hold_flit(2, 1);  // no credit for VC 1 of port 2
  b.assign(2, 1, 2, 1);
  b.give_credit(2, 0);
  b.settle();
  EXPECT_EQ(b.grant.read(), switch_grants());
  b.give_credit(2, 1);
  b.settle();
  EXPECT_EQ(b.grant.read(), grant_of(2, 1, 2, 1)) << "the credit counts in its cycle";
}

TEST(levels_pin_switch_allocator, requesters_of_one_output_take_turns) {
  switch_allocator_bench b(4, 2);
  for (const unsigned port : {0, 1, 3}) {
    b.hold_flit(port, 0);
    b.assign(port, 0, 2, port % 2);
  }
  b.give_credit(2, 0);
  b.give_credit(2, 1);
  b.settle();
  std::vector<unsigned> winners;
  for (unsigned i = 0; i < 6; ++i) {
    winners.push_back(lowest(b.grant.read().inputs));
    b.settle();
    EXPECT_EQ(lowest(b.grant.read().inputs), winners.back()) << "pointers move at the end of the cycle only";
    b.step();
  }
  EXPECT_EQ(winners, (std::vector<unsigned>{0, 1, 3, 0, 1, 3}));
}

TEST(levels_pin_switch_allocator, reset_restores_pointers_without_clock_edge) {
  switch_allocator_bench b(3, 1);
  for (unsigned port = 0; port < 3; ++port) {
    b.hold_flit(port, 0);
    b.assign(port, 0, 0, 0);
  }
  b.give_credit(0, 0);
  b.step(2);
  b.settle();
  ASSERT_EQ(b.grant.read().inputs, 0b100U);
  b.assert_reset();
  EXPECT_EQ(b.grant.read().inputs, 0b001U);
  b.release_reset();
  b.settle();
  EXPECT_EQ(b.grant.read().inputs, 0b010U) << "one edge after reset";
}

TEST(levels_pin_switch_allocator, equals_the_reference_under_random_requests) {
  constexpr unsigned Ports = 5, Vcs = 4;
  random_numbers random;
  switch_allocator_bench b(Ports, Vcs);
  reference::switch_allocator reference(Ports, Vcs);
  unsigned granted = 0, tails = 0;
  for (unsigned cycle = 0; cycle < 6000; ++cycle) {
    buffer_status status;
    credit_status credits;
    std::vector<vc_assignment> assigned(Ports);
    for (unsigned port = 0; port < Ports; ++port) {
      status.occupied[port] = static_cast<std::uint16_t>(random.below(1U << Vcs));
      status.tail[port] = static_cast<std::uint16_t>(status.occupied[port] & random.below(1U << Vcs));
      credits.available[port] = static_cast<std::uint16_t>(random.below(1U << Vcs) | random.below(1U << Vcs));
      assigned[port].active = random.below(1U << Vcs) | random.below(1U << Vcs);
      for (unsigned vc = 0; vc < Vcs; ++vc) {
        assigned[port].port[vc] = static_cast<std::uint8_t>(random.below(Ports));
        assigned[port].vc[vc] = static_cast<std::uint8_t>(random.below(Vcs));
      }
      b.assigned[port].write(assigned[port]);
    }
    b.status.write(status);
    b.credits.write(credits);
    b.settle();

    std::vector<std::vector<std::optional<unsigned>>> requested(Ports, std::vector<std::optional<unsigned>>(Vcs));
    for (unsigned port = 0; port < Ports; ++port) {
      for (unsigned vc = 0; vc < Vcs; ++vc) {
        const unsigned out_port = assigned[port].port[vc];
        const unsigned out_vc = assigned[port].vc[vc];
        if ((status.occupied[port] >> vc & 1) && (assigned[port].active >> vc & 1) &&
            (credits.available[out_port] >> out_vc & 1))
          requested[port][vc] = out_port;
      }
    }
    const auto winners = reference.grants(requested);
    reference.move_pointers(winners);
    switch_grants expected;
    for (unsigned port = 0; port < Ports; ++port) {
      if (!winners[port]) continue;
      const unsigned vc = winners[port]->vc;
      const bool tail = status.tail[port] >> vc & 1;
      add_grant(expected, port, vc, winners[port]->output, assigned[port].vc[vc], tail);
      ++granted;
      tails += tail;
    }
    ASSERT_EQ(b.grant.read(), expected) << "cycle " << cycle;
    b.step();
  }
  EXPECT_GT(granted, 10000U);
  EXPECT_GT(tails, 3000U);
}

}  // namespace
}  // namespace weft::pin
