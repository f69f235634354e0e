// SPDX-License-Identifier: Apache-2.0
/// The injector: VCs, credits and path ids of the packets that a NIC sends.
#include "weft/pin/nic/injector.h"

#include "levels/bench.h"
#include <deque>
#include <memory>
#include <stdexcept>
#include <vector>

namespace weft::pin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class injector_bench : public bench {
 public:
  explicit injector_bench(const router_parameters& router, const path_selector& path_ids = {}, unsigned port = 0,
                          unsigned ports = 1)
      : dut(make_injector<64>("dut", router, path_ids, port, ports)) {
    clock(*dut);
    dut->flit_i(in);
    dut->ready_o(ready);
    dut->flit_o(out);
    dut->credit_i(returned);
    start();
  }
  sc_core::sc_signal<flit_t> in{"in"};
  sc_core::sc_signal<bool> ready{"ready"};
  sc_core::sc_signal<flit_t> out{"out"};
  sc_core::sc_signal<credit> returned{"returned"};
  std::unique_ptr<injector<64>> dut;

  void tick() {
    step();
    in.write(flit_t());
    returned.write(credit());
  }
  void offer(const flit_t& f) {
    in.write(f);
    tick();
  }
  void return_credit(unsigned v) { returned.write({1U << v}); }
};

TEST(levels_pin_injector, sends_a_flit_one_cycle_after_accepting_it) {
  injector_bench b(buffers_of(4, 8));
  ASSERT_TRUE(b.ready.read());
  b.in.write(single(3, 0, 9));
  b.settle();
  EXPECT_FALSE(b.out.read().valid);
  b.tick();
  EXPECT_EQ(b.out.read(), single(3, 0, 9));
  b.tick();
  EXPECT_EQ(b.out.read(), flit_t());
}

TEST(levels_pin_injector, takes_credits_for_several_vcs_in_one_cycle) {
  injector_bench b(buffers_of(3, 1));
  for (unsigned i = 0; i < 3; ++i) b.offer(single(i, 0));
  EXPECT_FALSE(b.ready.read());
  b.returned.write({0b110});
  b.tick();
  for (unsigned vc = 1; vc < 3; ++vc) {
    ASSERT_TRUE(b.ready.read());
    b.offer(single(5, 0));
    EXPECT_EQ(b.out.read().vc, vc);
  }
  EXPECT_FALSE(b.ready.read());
}

TEST(levels_pin_injector, fills_the_pool_of_a_shared_buffer_and_leaves_reserved_flits) {
  router_parameters router = buffers_of(2, 2);
  router.buffer = {buffer_policy::Shared, 1, 0};
  injector_bench b(router);
  for (unsigned i = 0; i < 3; ++i) {
    ASSERT_TRUE(b.ready.read()) << i;
    b.offer(make_flit(1, i, 9, 0));
    EXPECT_EQ(b.out.read().vc, 0);
  }
  EXPECT_FALSE(b.ready.read()) << "the last flit is reserved for VC 1";
  b.return_credit(0);
  b.tick();
  EXPECT_TRUE(b.ready.read());
}

TEST(levels_pin_injector, keeps_a_slot_of_a_shared_buffer_for_the_rest_of_its_packet) {
  router_parameters router = buffers_of(2, 1);
  router.buffer = {buffer_policy::Shared, 0, 0};
  injector_bench b(router);
  b.offer(single(0, 0));  // VC 0
  b.offer(make_flit(1, 0, 2, 0));
  EXPECT_EQ(b.out.read().vc, 1);
  EXPECT_FALSE(b.ready.read());
  b.return_credit(1);
  b.tick();
  b.offer(make_flit(1, 1, 2, 0));
  EXPECT_EQ(b.out.read().vc, 1);
  b.return_credit(1);
  b.tick();
  ASSERT_TRUE(b.ready.read());
  b.offer(single(2, 0));
  EXPECT_EQ(b.out.read().vc, 0) << "the buffer has room for a flit of either VC";
}

TEST(levels_pin_injector, head_waits_for_the_credits_of_the_previous_packet_if_vcs_are_reallocated_after_them) {
  router_parameters router = buffers_of(2, 8);
  router.reallocation = vc_reallocation::AfterTailCredit;
  injector_bench b(router);
  for (std::uint32_t i = 0; i < 2; ++i) b.offer(make_flit(0, i, 2, 0));
  ASSERT_TRUE(b.ready.read()) << "all credits of VC 1 are there";
  b.offer(single(1, 0, 9));
  EXPECT_EQ(b.out.read().vc, 1);
  EXPECT_FALSE(b.ready.read());
  b.return_credit(0);
  b.tick();
  EXPECT_FALSE(b.ready.read()) << "VC 0 lacks one of two credits";
  b.return_credit(0);
  b.tick();
  ASSERT_TRUE(b.ready.read());
  for (std::uint32_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(b.ready.read()) << "flits behind the head need one credit each";
    b.offer(make_flit(2, i, 3, 0));
    EXPECT_EQ(b.out.read().vc, 0);
  }
  EXPECT_FALSE(b.ready.read());
}

TEST(levels_pin_injector, assigns_vcs_round_robin) {
  injector_bench b(buffers_of(3, 8));
  for (packet_id id = 0; id < 7; ++id) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(b.ready.read());
      EXPECT_EQ(b.dut->next_vc(), id % 3) << "announced";
      b.offer(make_flit(id, i, 2, 0));
      EXPECT_EQ(b.out.read(), make_flit(id, i, 2, id % 3)) << "used";
    }
  }
}

TEST(levels_pin_injector, a_vc_may_hold_several_packets) {
  injector_bench b(buffers_of(1, 4));
  for (packet_id id = 0; id < 4; ++id) {
    ASSERT_TRUE(b.ready.read());
    b.offer(single(id, 0));
  }
  EXPECT_FALSE(b.ready.read());
}

TEST(levels_pin_injector, a_head_skips_vcs_without_credit) {
  injector_bench b(buffers_of(3, 1));
  b.offer(single(0, 0));
  b.offer(single(1, 0));
  b.return_credit(0);
  b.offer(single(2, 0));
  EXPECT_EQ(b.dut->next_vc(), 0);
  b.offer(single(3, 0));
  EXPECT_EQ(b.out.read().vc, 0);
  EXPECT_FALSE(b.ready.read());
  b.return_credit(2);
  b.tick();
  EXPECT_TRUE(b.ready.read());
  EXPECT_EQ(b.dut->next_vc(), 2) << "VC 1 is next in round-robin order, but has no credit";
}

TEST(levels_pin_injector, a_body_flit_waits_for_the_credit_of_its_own_vc) {
  injector_bench b(buffers_of(2, 1));
  b.offer(make_flit(0, 0, 2, 0));
  EXPECT_FALSE(b.ready.read()) << "VC 1 has a credit, but the packet is on VC 0";
  b.in.write(make_flit(0, 1, 2, 0));
  b.step(3);
  EXPECT_FALSE(b.out.read().valid) << "not accepted while ready is 0";
  b.return_credit(0);
  b.step();
  b.returned.write(credit());
  EXPECT_TRUE(b.ready.read()) << "one cycle after the credit";
  EXPECT_FALSE(b.out.read().valid);
  b.tick();
  EXPECT_EQ(b.out.read(), make_flit(0, 1, 2, 0));
  EXPECT_EQ(b.dut->next_vc(), 1);
  EXPECT_TRUE(b.ready.read());
}

TEST(levels_pin_injector, reset_clears_packet_and_credits_without_clock_edge) {
  injector_bench b(buffers_of(2, 1));
  b.offer(single(0, 0));
  b.offer(make_flit(1, 0, 3, 0));
  ASSERT_FALSE(b.ready.read());
  ASSERT_TRUE(b.out.read().valid);
  b.assert_reset();
  EXPECT_TRUE(b.ready.read());
  EXPECT_EQ(b.dut->next_vc(), 0);
  EXPECT_FALSE(b.out.read().valid);
  b.release_reset();
  b.offer(single(2, 0));
  EXPECT_EQ(b.out.read(), single(2, 0));
}

/// A sender with random gaps, and a router's input port that returns credits at random times.
TEST(levels_pin_injector, keeps_packets_order_and_credits_under_random_traffic) {
  constexpr unsigned Vcs = 3, Depth = 2;
  random_numbers random;
  injector_bench b(buffers_of(Vcs, Depth));
  std::deque<flit_t> offered, travelling;
  std::vector<unsigned> held(Vcs, 0);  // flits in the receiver's buffers
  packet_id packets = 0;
  unsigned accepted = 0, stalled = 0, body_vc = 0, last_vc = Vcs - 1;
  bool valid = false;
  for (unsigned cycle = 0; cycle < 8000; ++cycle) {
    if (offered.empty()) {
      const std::uint32_t flits = 1 + random.below(5);
      for (std::uint32_t i = 0; i < flits; ++i) offered.push_back(make_flit(packets, i, flits, 0));
      ++packets;
    }
    valid = valid || random.chance(0.8);  // once offered, a flit stays until it is accepted
    b.in.write(valid ? offered.front() : flit_t());
    const unsigned back = random.below(Vcs);
    const bool returns = held[back] > 0 && random.chance(0.8);
    b.returned.write(returns ? credit{1U << back} : credit());
    const bool accepts = valid && b.ready.read();
    stalled += valid && !accepts;
    const unsigned vc = b.dut->next_vc();
    b.step();
    if (returns) --held[back];
    if (!accepts) {
      ASSERT_FALSE(b.out.read().valid) << "cycle " << cycle;
      continue;
    }
    flit_t expected = offered.front();
    offered.pop_front();
    valid = false;
    ++accepted;
    expected.vc = static_cast<std::uint8_t>(vc);
    ASSERT_EQ(b.out.read(), expected) << "cycle " << cycle;
    if (expected.head) {
      // Round-robin order: the VCs between the last one and this one had no credit, not counting one that
      // arrived in this cycle.
      for (unsigned v = (last_vc + 1) % Vcs; v != vc; v = (v + 1) % Vcs) {
        ASSERT_GE(held[v] + (returns && v == back), Depth) << "VC " << v << " passed over, cycle " << cycle;
      }
      body_vc = vc;
    }
    ASSERT_EQ(vc, body_vc) << "a packet stays on its VC, cycle " << cycle;
    last_vc = vc;
    ASSERT_LE(++held[vc], Depth) << "cycle " << cycle;
  }
  EXPECT_GT(accepted, 3000U);
  EXPECT_GT(stalled, 500U);
}

/// The minimal quadrant of router (\p x, \p y) in a torus of 20x20 routers.
quadrant quadrant_of_ring_grid(unsigned x, unsigned y) {
  quadrant q;
  q.dimensions = 2;
  q.size[0] = q.size[1] = 20;
  q.stride[0] = 1;
  q.stride[1] = 20;
  q.from[0] = x;
  q.from[1] = y;
  q.rings = true;
  return q;
}

/// The second of two ports, with path ids by destination, random ones, or those of a send sequence.
path_selector random_path_ids(random_numbers& random, unsigned kind, unsigned entries) {
  path_selector rule;
  rule.count = kind == 0 ? 1 : 1 + random.below(1000);
  rule.seed = random.below(1U << 30);
  if (kind == 4) rule.within = quadrant_of_ring_grid(random.below(20), random.below(20));
  for (unsigned i = 0; i < entries; ++i) {
    const std::uint64_t path_id = std::uint64_t{random.below(1U << 30)} << 30 | i;
    if (kind == 2) rule.by_destination.push_back(path_id);
    if (kind == 3) rule.send_sequence.push_back({i % 2, path_id});
  }
  return rule;
}

TEST(levels_pin_injector, path_id_memory_gives_the_path_ids_of_its_selector) {
  random_numbers random;
  for (unsigned kind = 0; kind < 5; ++kind) {
    const path_selector rule = random_path_ids(random, kind, 400);
    const path_id_memory<4096> memory(rule, 1, 2);
    path_id_sequence sequence(rule, 1, 2);
    std::uint64_t number = memory.first();
    for (unsigned i = 0; i < 200; ++i, number = memory.next_number(number)) {
      const node_id to = random.below(400);
      ASSERT_EQ(memory.of(to, number), sequence.next(to)) << "kind " << kind << ", packet " << i;
    }
    if (kind == 3) {
      EXPECT_THROW(memory.of(0, number), std::out_of_range);
      EXPECT_THROW(sequence.next(0), std::out_of_range);
    }
  }
}

TEST(levels_pin_injector, gives_each_head_the_next_path_id_of_its_port) {
  random_numbers random;
  const path_selector rule = random_path_ids(random, 3, 600);  // more than 256 for the port
  injector_bench b(buffers_of(2, 8), rule, 1, 2);
  for (unsigned i = 0; i < 300; ++i) {
    for (std::uint32_t sequence = 0; sequence < 2; ++sequence) {
      b.offer(make_flit(i, sequence, 2, 0));
      ASSERT_TRUE(b.out.read().valid);
      EXPECT_EQ(b.out.read().path_id, sequence == 0 ? rule.send_sequence[2 * i + 1].path_id : 0) << "packet " << i;
      b.return_credit(b.out.read().vc);
    }
  }
}

TEST(levels_pin_injector, rejects_a_body_flit_outside_a_packet) {
  injector_bench b(buffers_of(2, 4));
  EXPECT_THAT(broken_rule([&] { b.offer(make_flit(3, 1, 3, 0)); }),
              AllOf(StartsWith("dut: "), HasSubstr("head flit inside a packet, or body flit outside one: body")));
}

TEST(levels_pin_injector, rejects_a_head_within_a_packet) {
  injector_bench b(buffers_of(2, 4));
  b.offer(make_flit(3, 0, 3, 0));
  EXPECT_THAT(broken_rule([&] { b.offer(single(4, 0)); }),
              AllOf(StartsWith("dut: "), HasSubstr("head flit inside a packet, or body flit outside one: single")));
}

TEST(levels_pin_injector, rejects_a_credit_above_depth) {
  injector_bench b(buffers_of(2, 4));
  b.return_credit(1);
  EXPECT_THAT(broken_rule([&] { b.tick(); }), AllOf(StartsWith("dut: "), HasSubstr("excess credit for VC 1")));
}

TEST(levels_pin_injector, rejects_a_credit_for_nonexistent_vc) {
  injector_bench b(buffers_of(2, 4));
  b.return_credit(2);
  EXPECT_THAT(broken_rule([&] { b.tick(); }), AllOf(StartsWith("dut: "), HasSubstr("excess credit for VC 2")));
}

}  // namespace
}  // namespace weft::pin
