// SPDX-License-Identifier: Apache-2.0
/// VC allocator: the cycle of each grant, and equality with the reference allocator.
#include "weft/pin/router/vc_allocator.h"

#include "levels/bench.h"
#include "unit/router/reference.h"
#include <array>
#include <string>
#include <vector>

namespace weft::pin {
namespace {

class vc_allocator_bench : public bench {
 public:
  vc_allocator_bench(unsigned ports, const router_parameters& parameters, bool same_cycle)
      : routes("route", ports),
        assigned("assigned", ports),
        dut("dut", with_pipeline(parameters, same_cycle ? 3 : 4), std::vector<unsigned>(ports, parameters.depth)) {
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

  void request_vc(unsigned port, unsigned vc, unsigned out_port, vc_set vcs, std::uint32_t flits = 1,
                  unsigned slot = 0) {
    answer(m_routes[port], slot, vc, {static_cast<std::uint8_t>(out_port), vcs}, flits);
    routes[port].write(m_routes[port]);
  }
  /// Ends the cycle, and with it the announcements and grants.
  void tick() {
    step();
    m_routes.fill(route_announcement());
    for (auto& r : routes) r.write(route_announcement());
    grant.write(switch_grants());
  }
  /// "port.vc" of the output VC that input VC (port, vc) holds; "-" if none.
  std::string held(unsigned port, unsigned vc) const {
    const vc_assignment& a = assigned[port].read();
    return (a.active >> vc & 1) ? std::to_string(a.port[vc]) + "." + std::to_string(a.vc[vc]) : "-";
  }

 private:
  static router_parameters with_pipeline(router_parameters parameters, unsigned pipeline) {
    parameters.pipeline = pipeline;
    return parameters;
  }

  std::array<route_announcement, MaxPorts> m_routes;  // in this cycle
};

TEST(levels_pin_vc_allocator, assigns_a_vc_one_cycle_after_the_route) {
  vc_allocator_bench b(3, vcs_of(2), false);
  b.request_vc(1, 1, 2, 0b10);
  b.settle();
  EXPECT_EQ(b.held(1, 1), "-");
  b.tick();
  EXPECT_EQ(b.held(1, 1), "2.1");
  EXPECT_EQ(b.held(1, 0), "-");
  EXPECT_FALSE(b.busy.read());
  b.step(5);
  EXPECT_EQ(b.held(1, 1), "2.1") << "held until the tail";
}

TEST(levels_pin_vc_allocator, assigns_a_vc_at_once_with_pipeline_3) {
  vc_allocator_bench b(3, vcs_of(2), true);
  b.request_vc(1, 1, 2, 0b10);
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

TEST(levels_pin_vc_allocator, a_head_that_loses_waits_and_keeps_the_clock_enabled) {
  vc_allocator_bench b(3, vcs_of(1), false);
  b.request_vc(0, 0, 2, 0b1);
  b.request_vc(1, 0, 2, 0b1);
  b.tick();
  EXPECT_EQ(b.held(0, 0), "2.0");
  EXPECT_EQ(b.held(1, 0), "-");
  EXPECT_TRUE(b.busy.read());
  EXPECT_EQ(b.dut.waiting(1), 1U);
  EXPECT_EQ(b.dut.requested_route(1, 0), (route{2, 1}));
  b.step(3);
  EXPECT_EQ(b.held(1, 0), "-");
  EXPECT_TRUE(b.busy.read());
  // A tail granted in t frees the VC for the allocation of t+1, whose winner is visible in t+2.
  b.grant.write(grant_of(0, 0, 2, 0, true));
  b.tick();
  EXPECT_EQ(b.held(0, 0), "-");
  EXPECT_EQ(b.held(1, 0), "-");
  b.step();
  EXPECT_EQ(b.held(1, 0), "2.0");
  EXPECT_FALSE(b.busy.read());
}

TEST(levels_pin_vc_allocator, tail_frees_its_vc_for_next_cycle_with_pipeline_3) {
  vc_allocator_bench b(3, vcs_of(1), true);
  b.request_vc(0, 0, 2, 0b1);
  b.request_vc(1, 0, 2, 0b1);
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

TEST(levels_pin_vc_allocator, a_body_flit_does_not_free_its_output_vc) {
  vc_allocator_bench b(2, vcs_of(1), false);
  b.request_vc(0, 0, 1, 0b1);
  b.tick();
  b.request_vc(1, 0, 1, 0b1);
  for (unsigned i = 0; i < 4; ++i) {
    b.grant.write(grant_of(0, 0, 1, 0, false));
    b.tick();
    EXPECT_EQ(b.held(0, 0), "1.0");
    EXPECT_EQ(b.held(1, 0), "-");
  }
}

TEST(levels_pin_vc_allocator, serves_both_heads_of_a_port) {
  vc_allocator_bench b(2, vcs_of(3), false);
  b.request_vc(0, 2, 1, 0b111, 1, 0);
  b.request_vc(0, 0, 0, 0b100, 1, 1);
  b.tick();
  EXPECT_EQ(b.held(0, 2), "1.0");
  EXPECT_EQ(b.held(0, 0), "0.2");
}

TEST(levels_pin_vc_allocator, assigns_only_admissible_vcs) {
  vc_allocator_bench b(2, vcs_of(4), false);
  b.request_vc(0, 0, 1, 0b0100);
  b.request_vc(1, 0, 1, 0b0100);
  b.tick();
  EXPECT_EQ(b.held(0, 0), "1.2");
  b.step(10);
  EXPECT_EQ(b.held(1, 0), "-") << "three other VCs are free, but not for this head";
}

// Defines two tests of one behavior: with winners that are registered, and with winners of the same cycle (S = 3).
#define WEFT_TEST_BOTH(behavior)                                                \
  void behavior(bool same_cycle);                                               \
  TEST(levels_pin_vc_allocator, behavior) { behavior(false); }                  \
  TEST(levels_pin_vc_allocator, behavior##_with_pipeline_3) { behavior(true); } \
  void behavior(bool same_cycle)

WEFT_TEST_BOTH(virtual_cut_through_waits_for_room_for_the_whole_packet) {
  vc_allocator_bench b(2, vcs_of(2, flow_control::VirtualCutThrough), same_cycle);
  const auto settled = [&](unsigned in_vc) {
    if (same_cycle) b.settle();
    return b.held(0, in_vc);
  };
  credit_counts room;
  room.count[1][0] = 4;
  room.count[1][1] = 3;
  b.count.write(room);
  b.request_vc(0, 0, 1, 0b11, 5);
  b.tick();
  b.step(3);
  EXPECT_EQ(settled(0), "-");
  EXPECT_TRUE(b.busy.read());
  room.count[1][1] = 5;
  b.count.write(room);
  if (!same_cycle) b.tick();
  EXPECT_EQ(settled(0), "1.1") << "the VC with room, not the first free one";
  if (same_cycle) b.tick();
  // The other VC has room for a shorter packet.
  b.request_vc(0, 1, 1, 0b11, 4);
  if (!same_cycle) b.tick();
  EXPECT_EQ(settled(1), "1.0");
  if (same_cycle) b.tick();
  EXPECT_FALSE(b.busy.read());
}

WEFT_TEST_BOTH(wormhole_head_gets_a_vc_without_room_for_the_packet) {
  vc_allocator_bench b(2, vcs_of(1), same_cycle);
  b.request_vc(0, 0, 1, 0b1, 500);
  b.tick();
  b.settle();
  EXPECT_EQ(b.held(0, 0), "1.0");
}

WEFT_TEST_BOTH(reset_frees_all_vcs_without_clock_edge) {
  vc_allocator_bench b(3, vcs_of(1), same_cycle);
  b.request_vc(0, 0, 2, 0b1);
  b.request_vc(1, 0, 2, 0b1);
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
  EXPECT_EQ(b.held(1, 0), "-") << "no request is remembered";
  b.request_vc(1, 0, 2, 0b1);
  b.tick();
  b.settle();
  EXPECT_EQ(b.held(1, 0), "2.0");
}

WEFT_TEST_BOTH(reset_clears_the_output_in_any_cycle) {
  vc_allocator_bench b(1, vcs_of(1), same_cycle);
  for (unsigned cycles = 1; cycles < 5; ++cycles) {
    b.request_vc(0, 0, 0, 0b1);
    b.tick();
    b.step(cycles);
    ASSERT_EQ(b.held(0, 0), "0.0");
    b.assert_reset();
    EXPECT_EQ(b.held(0, 0), "-") << cycles << " cycles after the allocation";
    b.release_reset();
  }
}

/// Equality with the reference allocator, including assignments, cycle by cycle.
WEFT_TEST_BOTH(equals_the_reference_under_random_traffic) {
  constexpr unsigned Ports = 4, Vcs = 3, RouterVcs = Ports * Vcs;
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
  std::vector<packet_of> input(RouterVcs);
  std::vector<bool> occupied(RouterVcs, false);
  unsigned granted = 0, waited = 0;

  const auto expect_assignments = [&](unsigned cycle) {
    for (unsigned vc_index = 0; vc_index < RouterVcs; ++vc_index) {
      const packet_of& p = input[vc_index];
      const std::string expected = p.holds ? std::to_string(p.out_port) + "." + std::to_string(p.out_vc) : "-";
      ASSERT_EQ(b.held(vc_index / Vcs, vc_index % Vcs), expected) << "input VC " << vc_index << ", cycle " << cycle;
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
      for (unsigned vc = 0; vc < Vcs && announced < head_announcement::Slots; ++vc) {
        packet_of& p = input[port * Vcs + vc];
        if (p.waiting || p.holds || !random.chance(0.5)) continue;
        p = {true, false, random.below(Ports), 0, 1 + random.below(first_vcs(Vcs)), 1 + random.below(8)};
        b.request_vc(port, vc, p.out_port, p.vcs, p.flits, announced++);
      }
    }
    // Allocation in this cycle.
    std::vector<reference::vc_request> requests(RouterVcs);
    for (unsigned vc_index = 0; vc_index < RouterVcs; ++vc_index) {
      const packet_of& p = input[vc_index];
      if (!p.waiting) continue;
      vc_set free = 0;
      for (unsigned vc = 0; vc < Vcs; ++vc) {
        const bool fits = !cut_through || room.count[p.out_port][vc] >= p.flits;
        if ((p.vcs >> vc & 1) && !occupied[p.out_port * Vcs + vc] && fits) free |= vc_set{1} << vc;
      }
      requests[vc_index] = {true, p.out_port, free};
    }
    const auto winners = reference.grants(requests);
    reference.move_pointers(winners);
    const auto allocate = [&] {
      for (unsigned out = 0; out < RouterVcs; ++out) {
        if (!winners[out]) continue;
        packet_of& p = input[*winners[out]];
        p.waiting = false;
        p.holds = true;
        p.out_vc = out % Vcs;
        occupied[out] = true;
        ++granted;
      }
    };
    if (same_cycle) {
      allocate();
      b.settle();
      ASSERT_NO_FATAL_FAILURE(expect_assignments(cycle));
    }
    // Some input VCs that hold an output VC send their tail, at most one per port.
    switch_grants g;
    for (unsigned port = 0; port < Ports; ++port) {
      const unsigned vc = random.below(Vcs);
      packet_of& p = input[port * Vcs + vc];
      if (!p.holds || (g.outputs >> p.out_port & 1) || !random.chance(0.7)) continue;
      const bool tail = random.chance(0.7);
      add_grant(g, port, vc, p.out_port, p.out_vc, tail);
      if (!tail) continue;
      p.holds = false;
      occupied[p.out_port * Vcs + p.out_vc] = false;
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

}  // namespace
}  // namespace weft::pin
