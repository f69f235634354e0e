/// The modules that decide: route computation, VC allocator, switch allocator, output unit.
#include "levels/bench.h"
#include "unit/core/reference.h"
#include <set>
#include <vector>

#include "weft/pin/router/output_unit.h"
#include "weft/pin/router/route_computation.h"
#include "weft/pin/router/switch_allocator.h"
#include "weft/pin/router/vc_allocator.h"

namespace weft::pin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// ---------------------------------------------------------------------------------------------------------------
// Route computation

/// Node n is reached by port n mod 5, by VCs n + 1.
route_rule table_of(unsigned nodes) {
  std::vector<route> by_destination;
  for (unsigned n = 0; n < nodes; ++n) by_destination.push_back({static_cast<std::uint8_t>(n % 5), n + 1});
  return table_rule(by_destination);
}

class route_bench : public bench {
 public:
  explicit route_bench(unsigned ports, const route_rule& rule)
      : head("head", ports), routes("route", ports), dut("dut", ports, rule) {
    clock(dut);
    dut.head_i.bind(head);
    dut.route_o.bind(routes);
    start();
  }
  sc_core::sc_vector<sc_core::sc_signal<head_announcement>> head;
  sc_core::sc_vector<sc_core::sc_signal<route_announcement>> routes;
  route_computation dut;
};

TEST(levels_pin_route_computation, answers_one_cycle_later_for_one_cycle) {
  route_bench b(3, table_of(16));
  head_announcement h;
  h.lanes[1] = {true, 3, 7, 20};
  b.head[2].write(h);
  b.settle();
  EXPECT_EQ(b.routes[2].read(), route_announcement());
  b.step();
  b.head[2].write(head_announcement());
  route_announcement r;
  r.lanes[1] = {true, 3, {2, 8}, 20};
  EXPECT_EQ(b.routes[2].read(), r);
  EXPECT_EQ(b.routes[0].read(), route_announcement());
  b.step();
  EXPECT_EQ(b.routes[2].read(), route_announcement());
}

TEST(levels_pin_route_computation, knows_by_which_port_a_head_came) {
  grid_rule rule;  // two local ports: a flit leaves by the one of the number by which it came
  rule.dimensions = 1;
  rule.size = {4};
  rule.stride = {1};
  rule.here = {1};
  rule.local_ports = 2;
  rule.vcs = 0b11;
  route_bench b(4, rule);
  for (unsigned port = 0; port < 4; ++port) {
    head_announcement h;
    h.lanes[0] = {true, 0, 1, 1};
    h.lanes[1] = {true, 1, port, 1};
    b.head[port].write(h);
  }
  b.step();
  const std::array<std::uint8_t, 4> towards{1, 3, 0, 0};  // node 0: -x, node 1: local port 1, nodes 2 and 3: +x
  for (unsigned port = 0; port < 4; ++port) {
    EXPECT_EQ(b.routes[port].read().lanes[0].wanted, (route{static_cast<std::uint8_t>(2 + port % 2), 0b11})) << port;
    EXPECT_EQ(b.routes[port].read().lanes[1].wanted, (route{towards[port], 0b11})) << port;
  }
}

TEST(levels_pin_route_computation, answers_every_head_of_random_traffic) {
  constexpr unsigned Ports = 5, Nodes = 40;
  random_numbers random;
  route_bench b(Ports, table_of(Nodes));
  unsigned answered = 0;
  std::vector<route_announcement> due(Ports);
  for (unsigned cycle = 0; cycle < 3000; ++cycle) {
    for (unsigned port = 0; port < Ports; ++port) {
      head_announcement h;
      due[port] = route_announcement();
      for (unsigned lane = 0; lane < head_announcement::Lanes; ++lane) {
        if (!random.chance(0.3)) continue;
        const node_id to = random.below(Nodes);
        h.lanes[lane] = {true, static_cast<std::uint8_t>(random.below(MaxVcs)), to, random.below(100)};
        due[port].lanes[lane] = {
            true, h.lanes[lane].vc, {static_cast<std::uint8_t>(to % 5), to + 1}, h.lanes[lane].flits};
        ++answered;
      }
      b.head[port].write(h);
    }
    b.step();
    for (unsigned port = 0; port < Ports; ++port) ASSERT_EQ(b.routes[port].read(), due[port]) << "cycle " << cycle;
  }
  EXPECT_GT(answered, 6000U);
}

TEST(levels_pin_route_computation, reset_takes_answers_back_without_a_clock_edge) {
  route_bench b(2, table_of(4));
  head_announcement h;
  h.lanes[0] = {true, 0, 1, 1};
  b.head[0].write(h);
  b.step();
  b.head[0].write(head_announcement());
  ASSERT_TRUE(asserted(b.routes[0].read()));
  b.assert_reset();
  EXPECT_EQ(b.routes[0].read(), route_announcement());
  b.release_reset();
  EXPECT_EQ(b.routes[0].read(), route_announcement());
  b.head[0].write(h);
  b.step();
  EXPECT_TRUE(asserted(b.routes[0].read()));
}

// ---------------------------------------------------------------------------------------------------------------
// VC allocator

router_parameters vcs_of(unsigned vcs, flow_control flow = flow_control::Wormhole) {
  router_parameters p;
  p.vcs = vcs;
  p.flow = flow;
  return p;
}

class vc_allocator_bench : public bench {
 public:
  vc_allocator_bench(unsigned ports, const router_parameters& parameters, bool same_cycle)
      : routes("route", ports), assigned("assigned", ports), dut("dut", ports, parameters, same_cycle) {
    clock(dut);
    dut.route_i.bind(routes);
    dut.count_i(count);
    dut.grant_i(grant);
    dut.assigned_o.bind(assigned);
    dut.busy_o(busy);
    start();
  }
  sc_core::sc_vector<sc_core::sc_signal<route_announcement>> routes;
  sc_core::sc_signal<credit_counts> count{"count"};
  sc_core::sc_signal<switch_grants> grant{"grant"};
  sc_core::sc_vector<sc_core::sc_signal<vc_assignment>> assigned;
  sc_core::sc_signal<bool> busy{"busy"};
  vc_allocator dut;

  void ask(unsigned port, unsigned vc, unsigned out_port, vc_set vcs, std::uint32_t flits = 1, unsigned lane = 0) {
    m_asked[port].lanes[lane] = {
        true, static_cast<std::uint8_t>(vc), {static_cast<std::uint8_t>(out_port), vcs}, flits};
    routes[port].write(m_asked[port]);
  }
  /// Ends the cycle, and the announcements and grants with it.
  void tick() {
    step();
    m_asked.fill(route_announcement());
    for (auto& r : routes) r.write(route_announcement());
    grant.write(switch_grants());
  }
  /// "port.vc" of what input VC (port, vc) holds; "-" for nothing.
  std::string held(unsigned port, unsigned vc) const {
    const vc_assignment& a = assigned[port].read();
    return (a.active >> vc & 1) ? std::to_string(a.port[vc]) + "." + std::to_string(a.vc[vc]) : "-";
  }

 private:
  std::array<route_announcement, MaxPorts> m_asked;  // in this cycle
};

TEST(levels_pin_vc_allocator, the_winner_shows_one_cycle_after_its_route) {
  vc_allocator_bench b(3, vcs_of(2), false);
  b.ask(1, 1, 2, 0b10);
  b.settle();
  EXPECT_EQ(b.held(1, 1), "-");
  b.tick();
  EXPECT_EQ(b.held(1, 1), "2.1");
  EXPECT_EQ(b.held(1, 0), "-");
  EXPECT_FALSE(b.busy.read());
  b.step(5);
  EXPECT_EQ(b.held(1, 1), "2.1") << "held until the tail";
}

TEST(levels_pin_vc_allocator, the_winner_shows_in_the_cycle_of_its_route_where_s_is_3) {
  vc_allocator_bench b(3, vcs_of(2), true);
  b.ask(1, 1, 2, 0b10);
  EXPECT_EQ(b.held(1, 1), "-");
  b.settle();
  EXPECT_EQ(b.held(1, 1), "2.1");
  b.tick();
  EXPECT_EQ(b.held(1, 1), "2.1");
  b.settle();
  EXPECT_EQ(b.held(1, 1), "2.1");
  b.step(5);
  EXPECT_EQ(b.held(1, 1), "2.1");
}

TEST(levels_pin_vc_allocator, a_loser_waits_and_asks_for_the_clock) {
  vc_allocator_bench b(3, vcs_of(1), false);
  b.ask(0, 0, 2, 0b1);
  b.ask(1, 0, 2, 0b1);
  b.tick();
  EXPECT_EQ(b.held(0, 0), "2.0");
  EXPECT_EQ(b.held(1, 0), "-");
  EXPECT_TRUE(b.busy.read());
  EXPECT_EQ(b.dut.waiting(1), 1U);
  EXPECT_EQ(b.dut.wanted(1, 0), (route{2, 1}));
  b.step(3);
  EXPECT_EQ(b.held(1, 0), "-");
  EXPECT_TRUE(b.busy.read());
  // A tail granted in t frees the VC for the allocation of t+1, whose winner shows in t+2.
  b.grant.write(grant_of(0, 0, 2, 0, true));
  b.tick();
  EXPECT_EQ(b.held(0, 0), "-");
  EXPECT_EQ(b.held(1, 0), "-");
  b.step();
  EXPECT_EQ(b.held(1, 0), "2.0");
  EXPECT_FALSE(b.busy.read());
}

TEST(levels_pin_vc_allocator, a_tail_frees_its_vc_for_the_next_cycle_where_s_is_3) {
  vc_allocator_bench b(3, vcs_of(1), true);
  b.ask(0, 0, 2, 0b1);
  b.ask(1, 0, 2, 0b1);
  b.settle();
  EXPECT_EQ(b.held(0, 0), "2.0");
  EXPECT_EQ(b.held(1, 0), "-");
  b.tick();
  EXPECT_TRUE(b.busy.read());
  b.grant.write(grant_of(0, 0, 2, 0, true));
  b.settle();
  EXPECT_EQ(b.held(0, 0), "2.0") << "to the end of the cycle";
  EXPECT_EQ(b.held(1, 0), "-");
  b.tick();
  EXPECT_EQ(b.held(0, 0), "-");
  EXPECT_EQ(b.held(1, 0), "2.0");
}

TEST(levels_pin_vc_allocator, a_body_flit_frees_nothing) {
  vc_allocator_bench b(2, vcs_of(1), false);
  b.ask(0, 0, 1, 0b1);
  b.tick();
  b.ask(1, 0, 1, 0b1);
  for (unsigned i = 0; i < 4; ++i) {
    b.grant.write(grant_of(0, 0, 1, 0, false));
    b.tick();
    EXPECT_EQ(b.held(0, 0), "1.0");
    EXPECT_EQ(b.held(1, 0), "-");
  }
}

TEST(levels_pin_vc_allocator, takes_both_heads_of_a_port) {
  vc_allocator_bench b(2, vcs_of(3), false);
  b.ask(0, 2, 1, 0b111, 1, 0);
  b.ask(0, 0, 0, 0b100, 1, 1);
  b.tick();
  EXPECT_EQ(b.held(0, 2), "1.0");
  EXPECT_EQ(b.held(0, 0), "0.2");
}

TEST(levels_pin_vc_allocator, keeps_to_the_admissible_vcs) {
  vc_allocator_bench b(2, vcs_of(4), false);
  b.ask(0, 0, 1, 0b0100);
  b.ask(1, 0, 1, 0b0100);
  b.tick();
  EXPECT_EQ(b.held(0, 0), "1.2");
  b.step(10);
  EXPECT_EQ(b.held(1, 0), "-") << "three other VCs are free, but not for this head";
}

// What holds with registered winners and with winners of the same cycle (S = 3) alike is written once, and is
// two tests.
#define WEFT_TEST_BOTH(behaviour)                                              \
  void behaviour(bool same_cycle);                                             \
  TEST(levels_pin_vc_allocator, behaviour) { behaviour(false); }               \
  TEST(levels_pin_vc_allocator, behaviour##_where_s_is_3) { behaviour(true); } \
  void behaviour(bool same_cycle)

WEFT_TEST_BOTH(virtual_cut_through_waits_for_room_for_the_whole_packet) {
  vc_allocator_bench b(2, vcs_of(2, flow_control::VirtualCutThrough), same_cycle);
  const auto settled = [&](unsigned in_vc) {
    if (same_cycle) b.settle();
    return b.held(0, in_vc);
  };
  credit_counts room;
  room.count[1] = {4, 3};
  b.count.write(room);
  b.ask(0, 0, 1, 0b11, 5);
  b.tick();
  b.step(3);
  EXPECT_EQ(settled(0), "-");
  EXPECT_TRUE(b.busy.read());
  room.count[1][1] = 5;
  b.count.write(room);
  if (!same_cycle) b.tick();
  EXPECT_EQ(settled(0), "1.1") << "the VC with room, not the first free one";
  if (same_cycle) b.tick();
  // The other one has room for a shorter packet.
  b.ask(0, 1, 1, 0b11, 4);
  if (!same_cycle) b.tick();
  EXPECT_EQ(settled(1), "1.0");
  if (same_cycle) b.tick();
  EXPECT_FALSE(b.busy.read());
}

WEFT_TEST_BOTH(wormhole_needs_no_room) {
  vc_allocator_bench b(2, vcs_of(1), same_cycle);
  b.ask(0, 0, 1, 0b1, 500);
  b.tick();
  b.settle();
  EXPECT_EQ(b.held(0, 0), "1.0");
}

WEFT_TEST_BOTH(reset_frees_everything_without_a_clock_edge) {
  vc_allocator_bench b(3, vcs_of(1), same_cycle);
  b.ask(0, 0, 2, 0b1);
  b.ask(1, 0, 2, 0b1);
  b.tick();
  b.step(same_cycle ? 2 : 1);
  ASSERT_EQ(b.held(0, 0), "2.0");
  ASSERT_TRUE(b.busy.read());
  b.assert_reset();
  EXPECT_EQ(b.held(0, 0), "-");
  EXPECT_FALSE(b.busy.read());
  EXPECT_EQ(b.dut.waiting(1), 0U);
  b.release_reset();
  b.step(3);
  EXPECT_EQ(b.held(0, 0), "-");
  EXPECT_EQ(b.held(1, 0), "-") << "nobody remembers who waited";
  b.ask(1, 0, 2, 0b1);
  b.tick();
  b.settle();
  EXPECT_EQ(b.held(1, 0), "2.0");
}

WEFT_TEST_BOTH(reset_clears_the_output_whatever_the_cycle) {
  vc_allocator_bench b(1, vcs_of(1), same_cycle);
  for (unsigned cycles = 1; cycles < 5; ++cycles) {
    b.ask(0, 0, 0, 0b1);
    b.tick();
    b.step(cycles);
    ASSERT_EQ(b.held(0, 0), "0.0");
    b.assert_reset();
    EXPECT_EQ(b.held(0, 0), "-") << cycles << " cycles after the allocation";
    b.release_reset();
  }
}

/// Equality with the reference allocator, assignments and all, cycle by cycle.
WEFT_TEST_BOTH(equals_the_reference_under_random_traffic) {
  constexpr unsigned Ports = 4, Vcs = 3, Lanes = Ports * Vcs;
  random_numbers random;
  const bool cut_through = random.chance(0.5);
  vc_allocator_bench b(Ports, vcs_of(Vcs, cut_through ? flow_control::VirtualCutThrough : flow_control::Wormhole),
                       same_cycle);
  reference::vc_allocator reference(Ports, Vcs);
  struct packet_of {
    bool waiting = false, holds = false;
    unsigned out_port = 0, out_vc = 0;
    vc_set vcs = 0;
    std::uint32_t flits = 0;
  };
  std::vector<packet_of> input(Lanes);
  std::vector<bool> taken(Lanes, false);
  unsigned granted = 0, waited = 0;

  const auto expect_assignments = [&](unsigned cycle) {
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      const packet_of& p = input[lane];
      const std::string expected = p.holds ? std::to_string(p.out_port) + "." + std::to_string(p.out_vc) : "-";
      ASSERT_EQ(b.held(lane / Vcs, lane % Vcs), expected) << "input lane " << lane << ", cycle " << cycle;
    }
  };

  for (unsigned cycle = 0; cycle < 6000; ++cycle) {
    // Inputs of this cycle.
    credit_counts room;
    for (unsigned port = 0; port < Ports; ++port)
      for (unsigned vc = 0; vc < Vcs; ++vc) room.count[port][vc] = static_cast<std::uint16_t>(random.below(9));
    b.count.write(room);
    for (unsigned port = 0; port < Ports; ++port) {
      unsigned announced = 0;
      for (unsigned vc = 0; vc < Vcs && announced < head_announcement::Lanes; ++vc) {
        packet_of& p = input[port * Vcs + vc];
        if (p.waiting || p.holds || !random.chance(0.5)) continue;
        p = {true, false, random.below(Ports), 0, 1 + random.below(first_vcs(Vcs)), 1 + random.below(8)};
        b.ask(port, vc, p.out_port, p.vcs, p.flits, announced++);
      }
    }
    // What is allocated in it.
    std::vector<reference::vc_request> requests(Lanes);
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      const packet_of& p = input[lane];
      if (!p.waiting) continue;
      vc_set free = 0;
      for (unsigned vc = 0; vc < Vcs; ++vc) {
        const bool fits = !cut_through || room.count[p.out_port][vc] >= p.flits;
        if ((p.vcs >> vc & 1) && !taken[p.out_port * Vcs + vc] && fits) free |= vc_set{1} << vc;
      }
      requests[lane] = {true, p.out_port, free};
    }
    const auto winners = reference.grants(requests);
    reference.move_pointers(winners);
    const auto allocate = [&] {
      for (unsigned out = 0; out < Lanes; ++out) {
        if (!winners[out]) continue;
        packet_of& p = input[*winners[out]];
        p.waiting = false;
        p.holds = true;
        p.out_vc = out % Vcs;
        taken[out] = true;
        ++granted;
      }
    };
    if (same_cycle) {
      allocate();
      b.settle();
      ASSERT_NO_FATAL_FAILURE(expect_assignments(cycle));
    }
    // Some of those that hold a VC send their tail: one a port.
    switch_grants g;
    for (unsigned port = 0; port < Ports; ++port) {
      const unsigned vc = random.below(Vcs);
      packet_of& p = input[port * Vcs + vc];
      if (!p.holds || (g.outputs >> p.out_port & 1) || !random.chance(0.7)) continue;
      const bool tail = random.chance(0.7);
      add_grant(g, port, vc, p.out_port, p.out_vc, tail);
      if (!tail) continue;
      p.holds = false;
      taken[p.out_port * Vcs + p.out_vc] = false;
    }
    b.grant.write(g);
    if (!same_cycle) allocate();
    b.tick();
    bool waiting = false;
    for (const packet_of& p : input) waiting |= p.waiting;
    waited += waiting;
    ASSERT_EQ(b.busy.read(), waiting) << "cycle " << cycle;
    if (!same_cycle) {
      ASSERT_NO_FATAL_FAILURE(expect_assignments(cycle));
    }
  }
  EXPECT_GT(granted, 2500U);
  EXPECT_GT(waited, 1000U);
}

#undef WEFT_TEST_BOTH

// ---------------------------------------------------------------------------------------------------------------
// Switch allocator

class switch_allocator_bench : public bench {
 public:
  switch_allocator_bench(unsigned ports, unsigned vcs) : assigned("assigned", ports), dut("dut", ports, vcs) {
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

TEST(levels_pin_switch_allocator, takes_a_flit_an_output_vc_and_a_credit) {
  switch_allocator_bench b(3, 2);
  b.hold_flit(0, 0);  // no output VC
  b.give_credit(0, 0);
  b.assign(1, 0, 1, 0);  // no flit
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

TEST(levels_pin_switch_allocator, contenders_take_turns) {
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

TEST(levels_pin_switch_allocator, reset_moves_the_pointers_back_without_a_clock_edge) {
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

    std::vector<std::vector<std::optional<unsigned>>> wanted(Ports, std::vector<std::optional<unsigned>>(Vcs));
    for (unsigned port = 0; port < Ports; ++port) {
      for (unsigned vc = 0; vc < Vcs; ++vc) {
        const unsigned out_port = assigned[port].port[vc];
        const unsigned out_vc = assigned[port].vc[vc];
        if ((status.occupied[port] >> vc & 1) && (assigned[port].active >> vc & 1) &&
            (credits.available[out_port] >> out_vc & 1))
          wanted[port][vc] = out_port;
      }
    }
    const auto winners = reference.grants(wanted);
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

// ---------------------------------------------------------------------------------------------------------------
// Output unit

class output_unit_bench : public bench {
 public:
  output_unit_bench(const router_parameters& parameters, const std::vector<unsigned>& depths)
      : credits("credit", depths.size()), dut("dut", parameters, depths) {
    clock(dut);
    dut.grant_i(grant);
    dut.credit_i.bind(credits);
    dut.status_o(status);
    dut.count_o(count);
    start();
  }
  sc_core::sc_signal<switch_grants> grant{"grant"};
  sc_core::sc_vector<sc_core::sc_signal<credit>> credits;
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
  void give_back(unsigned port, unsigned vc) {
    credits[port].write({true, static_cast<std::uint8_t>(vc)});
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

TEST(levels_pin_output_unit, a_grant_takes_its_credit_at_the_end_of_its_cycle) {
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

TEST(levels_pin_output_unit, a_credit_counts_one_cycle_after_it_came) {
  output_unit_bench b(vcs_of(1), {1});
  b.send(0, 0);
  ASSERT_EQ(b.status.read().available[0], 0);
  b.credits[0].write({true, 0});
  b.settle();
  EXPECT_EQ(b.status.read().available[0], 0);
  b.tick();
  EXPECT_EQ(b.status.read().available[0], 1);
}

TEST(levels_pin_output_unit, grant_and_credit_of_one_cycle_cancel) {
  output_unit_bench b(vcs_of(1, flow_control::VirtualCutThrough), {2});
  b.send(0, 0);
  b.credits[0].write({true, 0});
  b.send(0, 0);
  EXPECT_EQ(b.count.read().count[0][0], 1U);
  EXPECT_EQ(b.status.read().available[0], 1);
}

TEST(levels_pin_output_unit, an_unlimited_receiver_never_runs_out) {
  output_unit_bench b(vcs_of(2, flow_control::VirtualCutThrough), {output_unit::Unlimited, 1});
  const unsigned plenty = b.dut.credits(0, 1);
  for (unsigned i = 0; i < 50; ++i) b.send(0, 1);
  EXPECT_EQ(b.dut.credits(0, 1), plenty);
  EXPECT_EQ(b.status.read().available[0], 0b11);
  EXPECT_GE(b.count.read().count[0][1], 10000U) << "room for any packet";
}

TEST(levels_pin_output_unit, reset_gives_all_credits_back_without_a_clock_edge) {
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

TEST(levels_pin_output_unit, counts_under_random_traffic) {
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
        back[port] = {true, static_cast<std::uint8_t>(other)};
        ++returned;
      }
    }
    for (unsigned port = 0; port < Ports; ++port) {
      b.credits[port].write(back[port]);
      if (g.outputs >> port & 1) --count[port][g.vc_of_output[port]];
      if (back[port].valid) ++count[port][back[port].vc];
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

TEST(levels_pin_output_unit, rejects_a_flit_without_a_credit) {
  output_unit_bench b(vcs_of(2), {4, 1});
  b.send(1, 1);
  EXPECT_THAT(broken_rule([&] { b.send(1, 1); }),
              AllOf(StartsWith("dut: "), HasSubstr("a flit was sent by port 1 VC 1 without a credit")));
}

TEST(levels_pin_output_unit, rejects_a_credit_above_depth) {
  output_unit_bench b(vcs_of(2), {4, 1});
  b.send(1, 1);
  b.give_back(1, 1);
  EXPECT_THAT(broken_rule([&] { b.give_back(1, 1); }),
              AllOf(StartsWith("dut: "), HasSubstr("a credit too many for port 1 VC 1")));
}

TEST(levels_pin_output_unit, rejects_a_credit_for_a_vc_that_is_none) {
  output_unit_bench b(vcs_of(2), {4, 1});
  EXPECT_THAT(broken_rule([&] { b.give_back(0, 2); }),
              AllOf(StartsWith("dut: "), HasSubstr("a credit too many for port 0 VC 2")));
}

TEST(levels_pin_output_unit, rejects_a_credit_from_an_unlimited_receiver) {
  output_unit_bench b(vcs_of(2), {output_unit::Unlimited});
  EXPECT_THAT(broken_rule([&] { b.give_back(0, 0); }),
              AllOf(StartsWith("dut: "), HasSubstr("a credit too many for port 0 VC 0")));
}

}  // namespace
}  // namespace weft::pin
