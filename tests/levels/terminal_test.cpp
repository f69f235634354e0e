// SPDX-License-Identifier: Apache-2.0
/// The terminal behind a NIC.
#include "weft/pin/terminal.h"

#include "levels/bench.h"
#include "levels/node_bench.h"
#include <utility>
#include <vector>

namespace weft::pin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class terminal_bench : public bench {
 public:
  explicit terminal_bench(unsigned ports, path_selector path_ids = {})
      : root("root", true),
        sent("sent", ports),
        sent_ready("sent_ready", ports),
        received("received", ports),
        received_ready("received_ready", ports),
        dut("dut", 5, ports, std::move(path_ids), {}, 1, source, observer, root, packets) {
    clock(root);
    dut.rst_ni(rst_n);
    dut.queue_o(queue);
    for (unsigned port = 0; port < ports; ++port)
      dut.bind(port, sent[port], sent_ready[port], received[port], received_ready[port]);
  }
  listed_packets source;
  memory observer;
  clock_gate root;
  packet_table packets;
  sc_core::sc_vector<wire<flit_t>> sent;
  sc_core::sc_vector<wire<bool>> sent_ready;
  sc_core::sc_vector<wire<flit_t>> received;
  sc_core::sc_vector<wire<bool>> received_ready;
  wire<std::uint32_t> queue{"queue"};
  terminal<64> dut;

  /// The flit that port \p port sends, with the packet's id instead of its row in the table.
  flit_t shown(unsigned port) const {
    flit_t f = sent[port].read();
    if (f.valid) f.tag = flit_tag(static_cast<std::uint32_t>(packets.of(f.tag).id), f.tag.sequence());
    return f;
  }
  void all_ready(bool ready) {
    for (auto& port : sent_ready) port.write(ready);
  }
};

/// A flit as the terminal of node 5 sends it.
flit_t from_node_5(packet_id id, std::uint32_t sequence, std::uint32_t flits, node_id to) {
  flit_t f = make_flit(id, sequence, flits, 0, to);
  if (f.head) f.source = 5;
  return f;
}

TEST(levels_pin_terminal, send_sequence_has_one_queue_per_port) {
  terminal_bench b(2, {1, 0, {}, {{1, 0}, {1, 0}, {0, 0}}});
  for (unsigned i = 0; i < 3; ++i) b.source.add(5, 9, 1, 0);
  b.start();
  b.all_ready(true);
  EXPECT_EQ(b.shown(0), from_node_5(2, 0, 1, 9));
  EXPECT_EQ(b.shown(1), from_node_5(0, 0, 1, 9));
  b.step();
  EXPECT_FALSE(b.sent[0].read().valid);
  EXPECT_EQ(b.shown(1), from_node_5(1, 0, 1, 9));
}

TEST(levels_pin_terminal, offers_a_packet_in_the_cycle_of_its_creation) {
  terminal_bench b(1);
  b.source.add(5, 9, 2, 0);
  b.source.add(5, 8, 1, 7);
  b.start();
  b.all_ready(true);
  EXPECT_EQ(b.shown(0), from_node_5(0, 0, 2, 9));
  b.step();
  EXPECT_EQ(b.shown(0), from_node_5(0, 1, 2, 9));
  for (b.step(); b.now() < 7; b.step()) EXPECT_FALSE(b.sent[0].read().valid) << b.now();
  EXPECT_EQ(b.shown(0), from_node_5(1, 0, 1, 8));
  EXPECT_EQ(b.packets.of(b.sent[0].read().tag).created, 7U);
  b.step();
  EXPECT_FALSE(b.sent[0].read().valid);
  ASSERT_EQ(b.observer.heads.size(), 2U);
  EXPECT_EQ(b.observer.heads[0].cycle, 0U);
  EXPECT_EQ(b.observer.heads[1].cycle, 7U);
  EXPECT_EQ(b.observer.heads[1].node, 5U);
  EXPECT_EQ(b.observer.packets.size(), 2U);
}

TEST(levels_pin_terminal, holds_a_flit_until_the_network_accepts_it) {
  terminal_bench b(1);
  b.source.add(5, 9, 2, 3);
  b.start();
  b.step(3);
  for (; b.now() < 9; b.step()) EXPECT_EQ(b.shown(0), from_node_5(0, 0, 2, 9)) << b.now();
  EXPECT_THAT(b.observer.heads, IsEmpty());
  b.all_ready(true);
  b.step();
  EXPECT_EQ(b.shown(0).tag.sequence(), 1U);
  ASSERT_EQ(b.observer.heads.size(), 1U);
  EXPECT_EQ(b.observer.heads[0].cycle, 9U);
}

TEST(levels_pin_terminal, queues_packets_created_faster_than_accepted) {
  terminal_bench b(1);
  for (unsigned i = 0; i < 4; ++i) b.source.add(5, i, 3, 2);  // four in one cycle
  b.source.add(5, 9, 1, 4);
  b.start();
  b.step(2);
  EXPECT_EQ(b.queue.read(), 3U) << "Q: those behind the one being sent";
  EXPECT_EQ(b.dut.queued(), 4U) << "those whose head has not been sent";
  b.step(2);
  EXPECT_EQ(b.queue.read(), 4U);
  b.all_ready(true);
  b.step();
  EXPECT_EQ(b.dut.queued(), 4U);
  b.step(2);
  EXPECT_EQ(b.queue.read(), 3U);
  b.step(20);
  EXPECT_EQ(b.queue.read(), 0U);
  EXPECT_EQ(b.dut.queued(), 0U);
  std::vector<packet_id> order;
  for (const flit_event& e : b.observer.heads) order.push_back(e.id);
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(b.observer.heads.back().cycle, 4U + 12U) << "four packets of three flits before, without gaps";
}

TEST(levels_pin_terminal, sends_urgent_packets_before_waiting_packets) {
  terminal_bench b(1);
  for (unsigned i = 0; i < 3; ++i) b.source.add(5, i, 3, 2);
  for (unsigned i = 0; i < 2; ++i) {
    b.source.add(5, 9, 1, 3);
    b.source.packets[5].back().urgent = true;
  }
  b.source.add(5, 9, 1, 3);
  b.start();
  b.all_ready(true);
  b.step(30);
  std::vector<packet_id> order;
  for (const flit_event& e : b.observer.heads) order.push_back(e.id);
  EXPECT_THAT(order, ElementsAre(0, 3, 4, 1, 2, 5));
  EXPECT_EQ(b.observer.heads[1].cycle, 5U) << "behind the packet that was being sent";
}

TEST(levels_pin_terminal, lowest_free_port_sends_the_next_packet) {
  terminal_bench b(2);
  b.source.add(5, 0, 3, 1);
  b.source.add(5, 1, 1, 1);
  b.source.add(5, 2, 1, 1);
  b.start();
  b.all_ready(true);
  b.step();
  EXPECT_EQ(b.shown(0).tag.packet(), 0U);
  EXPECT_EQ(b.shown(1).tag.packet(), 1U);
  b.step();
  EXPECT_EQ(b.shown(0).tag.packet(), 0U);
  EXPECT_EQ(b.shown(1).tag.packet(), 2U);
  b.step();
  EXPECT_EQ(b.shown(0).tag.sequence(), 2U);
  EXPECT_FALSE(b.sent[1].read().valid);
}

TEST(levels_pin_terminal, reports_interleaved_packets_to_the_observer) {
  terminal_bench b(1);
  b.start();
  EXPECT_TRUE(b.received_ready[0].read());
  b.step(4);
  for (unsigned vc = 0; vc < 2; ++vc) {
    const flit_tag tag = b.packets.add(10 + vc, 1 + vc);
    for (unsigned router = 0; router < 4 + vc; ++router) b.packets.pass(tag);
  }
  std::vector<flit_t> flits;
  for (std::uint32_t i = 0; i < 3; ++i)
    for (unsigned vc = 0; vc < 2; ++vc) flits.push_back(make_flit(10 + vc, i, 3, vc, 5));
  for (flit_t f : flits) {
    if (f.head) f.source = 70 + f.vc;
    b.received[0].write(f);
    b.step();
  }
  b.received[0].write(flit_t());
  ASSERT_EQ(b.observer.out.size(), 6U);
  EXPECT_EQ(b.observer.out[0].cycle, 4U) << "the cycle in which it is on the wires";
  ASSERT_EQ(b.observer.arrivals.size(), 2U);
  for (unsigned vc = 0; vc < 2; ++vc) {
    const memory::arrival& a = b.observer.arrivals[vc];
    EXPECT_EQ(a.what.id, 10U + vc);
    EXPECT_EQ(a.what.source, 70U + vc);
    EXPECT_EQ(a.what.destination, 5U);
    EXPECT_EQ(a.what.flits, 3U);
    EXPECT_EQ(a.what.created, 1U + vc);
    EXPECT_EQ(a.cycle, 8U + vc);
    EXPECT_EQ(a.routers, 4U + vc);
  }
}

TEST(levels_pin_terminal, accepts_no_flit_while_it_is_not_ready) {
  terminal_bench b(1);
  b.start();
  b.packets.add(10, 0);
  b.received[0].write(make_flit(10, 0, 1, 0, 5));
  b.dut.set_ready(false);
  b.step(3);
  EXPECT_FALSE(b.received_ready[0].read());
  EXPECT_THAT(b.observer.out, IsEmpty());
  b.dut.set_ready(true);
  b.step();
  EXPECT_TRUE(b.received_ready[0].read());
  ASSERT_EQ(b.observer.out.size(), 1U);
  EXPECT_EQ(b.observer.out[0].cycle, 3U) << "from the next edge on";
}

TEST(levels_pin_terminal, keeps_packets_of_different_ports_apart) {
  terminal_bench b(2);
  b.start();
  for (unsigned port = 0; port < 2; ++port) b.packets.add(10 + port, 0);
  // Both on VC 0, one after the other, and finished in reverse order.
  for (std::uint32_t i = 0; i < 2; ++i) {
    for (unsigned port = 0; port < 2; ++port) {
      flit_t f = make_flit(10 + port, i, 2, 0, 5);
      if (f.head) f.source = 70 + port;
      b.received[port].write(f);
      b.step();
      b.received[port].write(flit_t());
    }
  }
  ASSERT_EQ(b.observer.arrivals.size(), 2U);
  EXPECT_EQ(b.observer.arrivals[0].what.source, 70U);
  EXPECT_EQ(b.observer.arrivals[1].what.source, 71U);
}

TEST(levels_pin_terminal, reset_drops_packets_in_transit) {
  terminal_bench b(1);
  b.source.add(5, 9, 4, 0);
  b.source.add(5, 9, 1, 0);
  b.source.add(5, 8, 2, 12);
  b.start();
  b.all_ready(true);
  b.step(2);
  ASSERT_EQ(b.shown(0).tag.sequence(), 2U);
  b.assert_reset();
  EXPECT_FALSE(b.sent[0].read().valid);
  b.release_reset();
  // After reset the stream consists of whole packets again.
  std::vector<flit_t> flits;
  for (unsigned cycle = 0; cycle < 20; ++cycle, b.step())
    if (b.sent[0].read().valid) flits.push_back(b.shown(0));
  ASSERT_FALSE(flits.empty());
  EXPECT_TRUE(flits.front().head) << flits.front();
  EXPECT_EQ(flits.back().tag.packet(), 2U);
}

}  // namespace
}  // namespace weft::pin
