// SPDX-License-Identifier: Apache-2.0
/// Modules of the NIC: ejector, congestion counter, window timer.
#include "levels/bench.h"
#include <deque>
#include <vector>

#include "weft/pin/nic/congestion_counter.h"
#include "weft/pin/nic/ejector.h"
#include "weft/pin/nic/window_timer.h"

namespace weft::pin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// ---------------------------------------------------------------------------------------------------------------
// Ejector

class ejector_bench : public bench {
 public:
  ejector_bench(unsigned vcs, unsigned depth, bool returns_credits = false, bool accepts_by_class = false)
      : dut("dut", vcs, depth, returns_credits, accepts_by_class) {
    if (accepts_by_class) dut.accept_i[0](accept);
    clock(dut);
    dut.flit_i(in);
    dut.credit_o(returned);
    dut.flit_o(out);
    dut.ready_i(ready);
    dut.busy_o(busy);
    start();
    ready.write(true);
  }
  sc_core::sc_signal<flit_t> in{"in"};
  sc_core::sc_signal<credit> returned{"returned"};
  sc_core::sc_signal<flit_t> out{"out"};
  sc_core::sc_signal<bool> ready{"ready"};
  sc_core::sc_signal<bool> busy{"busy"};
  sc_core::sc_signal<vc_set> accept{"accept"};
  ejector<64> dut;

  void send(const flit_t& f) {
    in.write(f);
    step();
    in.write(flit_t());
  }
};

TEST(levels_pin_ejector, pass_through_returns_a_credit_one_cycle_after_the_flit) {
  ejector_bench b(2, 0, true);
  b.send(single(1, 1, 0));
  EXPECT_TRUE(b.out.read().valid);
  EXPECT_EQ(b.returned.read(), credit());
  EXPECT_EQ(b.dut.buffered(1), 1U) << "its credit is not returned yet";
  b.send(single(2, 0, 0));
  EXPECT_EQ(b.returned.read(), (credit{1U << 1}));
  b.step();
  EXPECT_EQ(b.returned.read(), (credit{1U << 0}));
  b.step();
  EXPECT_EQ(b.returned.read(), credit());
  EXPECT_EQ(b.dut.buffered(1), 0U);
}

TEST(levels_pin_ejector, pass_through_mode_forwards_every_flit_one_cycle_later) {
  ejector_bench b(4, 0);
  // Two interleaved packets: pass-through keeps their order and VCs.
  const std::vector<flit_t> flits{make_flit(1, 0, 2, 3), make_flit(2, 0, 3, 0), make_flit(2, 1, 3, 0),
                                  make_flit(1, 1, 2, 3), make_flit(2, 2, 3, 0), single(3, 1)};
  for (const flit_t& f : flits) {
    b.send(f);
    EXPECT_EQ(b.out.read(), f);
    EXPECT_EQ(b.returned.read(), credit()) << "the router needs no credits";
    EXPECT_FALSE(b.busy.read());
  }
  b.step();
  EXPECT_FALSE(b.out.read().valid);
}

TEST(levels_pin_ejector, buffered_mode_forwards_flit_and_credit_one_cycle_later) {
  ejector_bench b(4, 2);
  b.in.write(single(1, 2));
  b.settle();
  EXPECT_FALSE(b.out.read().valid);
  b.step();
  b.in.write(flit_t());
  EXPECT_EQ(b.out.read(), single(1, 2));
  EXPECT_EQ(b.returned.read(), (credit{1U << 2}));
  EXPECT_FALSE(b.busy.read());
  b.step();
  EXPECT_FALSE(b.out.read().valid);
  EXPECT_EQ(b.returned.read(), credit());
}

TEST(levels_pin_ejector, buffered_mode_holds_a_flit_until_the_receiver_accepts_it) {
  ejector_bench b(2, 2);
  b.ready.write(false);
  b.send(single(1, 0));
  b.send(single(2, 0));
  EXPECT_TRUE(b.busy.read());
  for (unsigned i = 0; i < 4; ++i, b.step()) {
    EXPECT_EQ(b.out.read().tag.packet(), 1U);
    EXPECT_EQ(b.returned.read(), credit()) << "its slot was freed when it left the FIFO";
  }
  b.ready.write(true);
  b.step();
  EXPECT_EQ(b.out.read().tag.packet(), 2U);
  EXPECT_EQ(b.returned.read(), (credit{1U << 0}));
  EXPECT_FALSE(b.busy.read());
}

TEST(levels_pin_ejector, buffered_mode_does_not_interleave_packets) {
  ejector_bench b(2, 4);
  std::vector<packet_id> order;
  const auto watch = [&] {
    if (b.out.read().valid) order.push_back(b.out.read().tag.packet());
  };
  for (std::uint32_t i = 0; i < 3; ++i) {
    b.send(make_flit(1, i, 3, 1));
    watch();
    b.send(make_flit(2, i, 3, 0));
    watch();
  }
  for (unsigned i = 0; i < 6; ++i) {
    b.step();
    watch();
  }
  EXPECT_EQ(order, (std::vector<packet_id>{1, 1, 1, 2, 2, 2}));
}

TEST(levels_pin_ejector, buffered_mode_serves_vcs_in_turn_one_packet_each) {
  ejector_bench b(3, 8);
  b.ready.write(false);
  packet_id id = 0;
  for (unsigned round = 0; round < 3; ++round) {
    for (const unsigned vc : {2, 1, 0}) {
      b.send(make_flit(id, 0, 2, vc));
      b.send(make_flit(id++, 1, 2, vc));
    }
  }
  b.ready.write(true);
  std::vector<unsigned> vcs;
  for (unsigned i = 0; i < 18; ++i, b.step())
    if (b.out.read().head) vcs.push_back(b.out.read().vc);
  EXPECT_EQ(vcs, (std::vector<unsigned>{2, 0, 1, 2, 0, 1, 2, 0, 1}));
}

TEST(levels_pin_ejector, vcs_that_are_not_accepted_let_the_others_pass_and_a_packet_is_accepted_as_a_whole) {
  ejector_bench b(2, 4, false, true);
  b.accept.write(0b10);
  b.send(single(1, 0, 0));
  b.send(make_flit(2, 0, 2, 1));
  EXPECT_EQ(b.out.read().tag.packet(), 2U);
  ASSERT_EQ(b.dut.rejected().size(), 1U);
  EXPECT_EQ(b.dut.rejected().front().tag.packet(), 1U);
  b.accept.write(0);
  b.send(make_flit(2, 1, 2, 1));
  EXPECT_TRUE(b.out.read().tail) << "the rest of a packet whose head has left";
  b.step();
  EXPECT_FALSE(b.out.read().valid);
  EXPECT_TRUE(b.busy.read());
  b.accept.write(0b01);
  b.step();
  EXPECT_EQ(b.out.read().tag.packet(), 1U);
  EXPECT_TRUE(b.dut.rejected().empty());
}

TEST(levels_pin_ejector, reset_empties_the_buffers_without_a_clock_edge) {
  ejector_bench b(2, 4);
  b.ready.write(false);
  b.send(make_flit(1, 0, 3, 1));
  b.send(make_flit(1, 1, 3, 1));
  b.send(make_flit(2, 0, 3, 0));
  ASSERT_TRUE(b.out.read().valid);
  ASSERT_TRUE(b.busy.read());
  b.assert_reset();
  EXPECT_FALSE(b.out.read().valid);
  EXPECT_EQ(b.returned.read(), credit());
  EXPECT_FALSE(b.busy.read());
  b.release_reset();
  b.step(3);
  EXPECT_FALSE(b.out.read().valid);
  b.send(single(3, 0));
  EXPECT_EQ(b.out.read(), single(3, 0));
}

/// The router respects its credits, and the receiver stalls.
TEST(levels_pin_ejector, buffered_mode_delivers_whole_packets_to_a_stalling_receiver) {
  constexpr unsigned Vcs = 3, Depth = 2;
  random_numbers random;
  ejector_bench b(Vcs, Depth);
  struct sender {
    packet_id id = 0;
    std::uint32_t next = 0, flits = 0;
    unsigned credits = Depth;
    std::deque<flit_t> sent;  // and not delivered
  };
  std::vector<sender> senders(Vcs);
  packet_id packets = 0;
  unsigned delivered = 0, interleaved = 0, current = 0, last_sent = 0;
  bool within = false;
  for (unsigned cycle = 0; cycle < 10000; ++cycle) {
    const unsigned vc = random.below(Vcs);
    sender& s = senders[vc];
    flit_t f;
    if (s.credits > 0 && random.chance(0.9)) {
      if (s.next == s.flits) {
        s.id = packets++;
        s.next = 0;
        s.flits = 1 + random.below(6);
      }
      f = make_flit(s.id, s.next++, s.flits, vc);
      s.sent.push_back(f);
      --s.credits;
      interleaved += last_sent != vc && senders[last_sent].next != senders[last_sent].flits;
      last_sent = vc;
    }
    b.in.write(f);
    const bool ready = random.chance(0.7);
    b.ready.write(ready);
    const flit_t leaving = b.out.read();
    if (ready && leaving.valid) {
      if (within) {
        ASSERT_EQ(leaving.vc, current) << "packets are whole, cycle " << cycle;
      }
      current = leaving.vc;
      within = !leaving.tail;
      sender& from = senders[leaving.vc];
      ASSERT_FALSE(from.sent.empty());
      ASSERT_EQ(leaving, from.sent.front()) << "cycle " << cycle;
      from.sent.pop_front();
      ++delivered;
    }
    b.step();
    if (!ready && leaving.valid) {
      ASSERT_EQ(b.out.read(), leaving) << "held, cycle " << cycle;
    }
    if (const vc_set back = b.returned.read().vcs; back != 0) {
      ASSERT_LE(++senders[lowest(back)].credits, Depth) << "cycle " << cycle;
    }
  }
  EXPECT_GT(delivered, 3000U);
  EXPECT_GT(packets, 800U);
  EXPECT_GT(interleaved, 200U);
}

TEST(levels_pin_ejector, pass_through_mode_rejects_a_stalling_receiver) {
  ejector_bench b(2, 0);
  b.send(single(1, 0));
  b.ready.write(false);
  EXPECT_THAT(
      broken_rule([&] { b.step(); }),
      AllOf(StartsWith("dut: "), HasSubstr("receiver stalls, but the ejector has no buffer"), HasSubstr("packet 1")));
}

TEST(levels_pin_ejector, rejects_nonexistent_vc) {
  ejector_bench b(2, 0);
  EXPECT_THAT(broken_rule([&] { b.send(single(1, 2)); }),
              AllOf(StartsWith("dut: "), HasSubstr("flit received on VC 2, but there are 2 VCs")));
}

TEST(levels_pin_ejector, rejects_a_body_flit_outside_a_packet) {
  ejector_bench b(2, 0);
  EXPECT_THAT(broken_rule([&] { b.send(make_flit(1, 1, 3, 0)); }),
              AllOf(StartsWith("dut: "), HasSubstr("head flit inside a packet, or body flit outside one: body")));
}

TEST(levels_pin_ejector, rejects_a_head_within_a_packet) {
  ejector_bench b(2, 4);
  b.send(make_flit(1, 0, 3, 0));
  EXPECT_THAT(broken_rule([&] { b.send(single(2, 0)); }),
              AllOf(StartsWith("dut: "), HasSubstr("head flit inside a packet, or body flit outside one: single")));
}

TEST(levels_pin_ejector, rejects_a_flit_sent_without_credit) {
  ejector_bench b(2, 1);
  b.ready.write(false);
  b.send(single(1, 0));  // to the output register
  b.send(single(2, 0));
  EXPECT_THAT(broken_rule([&] { b.send(single(3, 0)); }),
              AllOf(StartsWith("dut: "), HasSubstr("buffer overflow; the flit was sent without a credit"),
                    HasSubstr("packet 3")));
}

// ---------------------------------------------------------------------------------------------------------------
// Congestion counter and window timer

class congestion_counter_bench : public bench {
 public:
  explicit congestion_counter_bench(unsigned ports) : in("in", ports), dut("dut", ports) {
    clock(dut);
    dut.tick_i(tick);
    dut.flit_i.bind(in);
    dut.received_o(received);
    start();
  }
  sc_core::sc_signal<bool> tick{"tick"};
  sc_core::sc_vector<sc_core::sc_signal<flit_t>> in;
  sc_core::sc_signal<std::uint32_t> received{"received"};
  congestion_counter<64> dut;
};

TEST(levels_pin_congestion_counter, counts_flits_up_to_the_last_cycle_of_a_window) {
  random_numbers random;
  congestion_counter_bench b(2);
  std::uint32_t n = 0, shown = 0, windows = 0, total = 0;
  for (unsigned cycle = 0; cycle < 3000; ++cycle) {
    for (auto& port : b.in) {
      const bool valid = random.chance(0.4);
      port.write(valid ? single(cycle, 0) : flit_t());
      n += valid;
    }
    const bool tick = random.chance(0.05);
    b.tick.write(tick);
    b.step();
    if (tick) {
      shown = n;
      total += n;
      n = 0;
      ++windows;
    }
    ASSERT_EQ(b.received.read(), shown) << "cycle " << cycle;
  }
  EXPECT_GT(windows, 80U);
  EXPECT_GT(total, 1000U);
}

TEST(levels_pin_congestion_counter, supports_windows_of_one_cycle) {
  congestion_counter_bench b(1);
  b.tick.write(true);
  for (unsigned cycle = 0; cycle < 8; ++cycle) {
    b.in[0].write(cycle % 2 == 0 ? single(cycle, 0) : flit_t());
    b.step();
    EXPECT_EQ(b.received.read(), cycle % 2 == 0);
  }
}

TEST(levels_pin_congestion_counter, reset_clears_window_and_count_without_clock_edge) {
  congestion_counter_bench b(1);
  b.in[0].write(single(1, 0));
  b.tick.write(true);
  b.step();
  b.tick.write(false);
  b.step(3);
  b.in[0].write(flit_t());
  ASSERT_EQ(b.received.read(), 1U);
  b.assert_reset();
  EXPECT_EQ(b.received.read(), 0U);
  b.release_reset();
  b.tick.write(true);
  b.step();
  EXPECT_EQ(b.received.read(), 0U) << "the flits before reset";
}

class window_timer_bench : public bench {
 public:
  explicit window_timer_bench(cycle_t window) : dut("dut", window) {
    clock(dut);
    dut.tick_o(tick);
    start();
  }
  sc_core::sc_signal<bool> tick{"tick"};
  window_timer dut;
};

TEST(levels_pin_window_timer, ticks_in_the_last_cycle_of_every_window) {
  window_timer_bench b(5);
  for (unsigned cycle = 0; cycle < 23; ++cycle, b.step()) EXPECT_EQ(b.tick.read(), cycle % 5 == 4) << cycle;
}

TEST(levels_pin_window_timer, ticks_every_cycle_when_the_window_is_one_cycle) {
  window_timer_bench b(1);
  for (unsigned cycle = 0; cycle < 5; ++cycle, b.step()) EXPECT_TRUE(b.tick.read()) << cycle;
}

TEST(levels_pin_window_timer, reset_begins_a_new_window) {
  window_timer_bench b(4);
  b.step(3);
  ASSERT_TRUE(b.tick.read());
  b.assert_reset();
  EXPECT_FALSE(b.tick.read());
  b.release_reset();
  for (unsigned cycle = 0; cycle < 9; ++cycle, b.step()) EXPECT_EQ(b.tick.read(), cycle % 4 == 3) << cycle;
}

TEST(levels_pin_window_timer, agrees_with_congestion_counter_on_window_bounds) {
  // The window of the counter is cycles 0…3: a flit in 3 belongs to it, one in 4 to the next.
  bench b;
  sc_core::sc_signal<bool> tick{"tick"};
  sc_core::sc_vector<sc_core::sc_signal<flit_t>> in("in", 1);
  sc_core::sc_signal<std::uint32_t> received{"received"};
  window_timer timer("timer", 4);
  congestion_counter<64> counter("counter", 1);
  b.clock(timer);
  b.clock(counter);
  timer.tick_o(tick);
  counter.tick_i(tick);
  counter.flit_i.bind(in);
  counter.received_o(received);
  b.start();
  b.step(3);
  in[0].write(single(1, 0));
  EXPECT_EQ(received.read(), 0U);
  b.step();
  EXPECT_EQ(received.read(), 1U);
  b.step();
  in[0].write(flit_t());
  for (; b.now() < 8; b.step()) EXPECT_EQ(received.read(), 1U) << b.now();
  EXPECT_EQ(received.read(), 1U);
  b.step(4);
  EXPECT_EQ(received.read(), 0U);
}

}  // namespace
}  // namespace weft::pin
