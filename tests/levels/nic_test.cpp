/// The NIC with stages plugged in, the terminal behind it, and both in a small network.
#include "weft/pin/nic/nic.h"

#include "levels/bench.h"
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/pin/network.h"
#include "weft/pin/terminal.h"
#include "weft/topology/generators/grid.h"

namespace weft::pin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t Mask = 0xa5a5'0000'5a5a'ffff;

/// A stage for tests: holds one flit, changes its payload by a mask, and stalls at random. Two of them with
/// the same mask, one on each path, undo each other.
class xor_slice : public packet_stage<64> {
 public:
  xor_slice(sc_core::sc_module_name name, std::uint64_t mask, std::uint64_t seed, double stalls)
      : packet_stage(name), m_mask(mask), m_random(seed, 0, stream_purpose::Payload), m_stalls(stalls) {
    SC_HAS_PROCESS(xor_slice);
    SC_METHOD(clocked);
    sensitive << clk_i.pos() << rst_ni.neg();
  }
  unsigned passed = 0;

 private:
  void clocked() {
    if (!rst_ni.read()) {
      m_flit_q = flit_t();
      m_ready_q = true;
      m_within = false;
    } else {
      const bool left = m_flit_q.valid && ready_i.read();
      if (left) m_flit_q = flit_t();
      if (flit_i.read().valid && m_ready_q) {
        EXPECT_FALSE(m_flit_q.valid);
        m_flit_q = flit_i.read();
        m_flit_q.payload[0] ^= m_mask + m_flit_q.tag.sequence;
        EXPECT_EQ(m_flit_q.head, !m_within) << "packets come whole: " << m_flit_q;
        m_within = !m_flit_q.tail;
        ++passed;
      }
      m_ready_q = !m_flit_q.valid && !m_random.chance(m_stalls);
    }
    flit_o.write(m_flit_q);
    ready_o.write(m_ready_q);
    busy_o.write(m_flit_q.valid);
  }

  const std::uint64_t m_mask;
  random_stream m_random;
  const double m_stalls;
  flit_t m_flit_q;
  bool m_ready_q = true;
  bool m_within = false;
};

/// A factory of slices; \p made remembers them.
stage_factory<64> slices(std::uint64_t mask, double stalls, std::uint64_t seed = 1,
                         std::vector<xor_slice*>* made = nullptr) {
  return [=](sc_core::sc_module_name name, node_id node) {
    auto slice = std::make_unique<xor_slice>(name, mask, seed + node, stalls);
    if (made != nullptr) made->push_back(slice.get());
    return slice;
  };
}

// ---------------------------------------------------------------------------------------------------------------
// NIC

/// A NIC with all its wires. Looped: what it sends comes back to it, over the same wires.
class nic_device {
 public:
  nic_device(bench& b, const std::string& name, unsigned lanes, unsigned depth, unsigned ejection_depth,
             const nic_stages<64>& stages, bool looped, bool gating = true)
      : root((name + "_root").c_str(), gating),
        timer((name + "_timer").c_str(), 16),
        tick((name + "_tick").c_str()),
        sent((name + "_sent").c_str(), lanes),
        sent_ready((name + "_sent_ready").c_str(), lanes),
        received((name + "_received").c_str(), lanes),
        received_ready((name + "_received_ready").c_str(), lanes),
        injected((name + "_injected").c_str(), lanes),
        injected_credit((name + "_injected_credit").c_str(), lanes),
        ejected((name + "_ejected").c_str(), lanes),
        ejected_credit((name + "_ejected_credit").c_str(), lanes),
        queue((name + "_queue").c_str()),
        count((name + "_count").c_str()),
        dut(name.c_str(), 3, lanes, way_rule(), router(depth), parameters(ejection_depth), stages, root) {
    b.clock(root);
    b.clock(timer);
    timer.tick_o(tick);
    dut.rst_ni(b.rst_n);
    dut.bind_tick(tick);
    dut.queue_i(queue);
    dut.received_o(count);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      dut.bind_node(lane, sent[lane], sent_ready[lane], received[lane], received_ready[lane]);
      if (looped)
        dut.bind_router(lane, injected[lane], injected_credit[lane], injected[lane], injected_credit[lane]);
      else
        dut.bind_router(lane, injected[lane], injected_credit[lane], ejected[lane], ejected_credit[lane]);
    }
  }

  clock_gate root;
  window_timer timer;
  wire<bool> tick;
  sc_core::sc_vector<wire<flit_t>> sent;
  sc_core::sc_vector<wire<bool>> sent_ready;
  sc_core::sc_vector<wire<flit_t>> received;
  sc_core::sc_vector<wire<bool>> received_ready;
  sc_core::sc_vector<wire<flit_t>> injected;
  sc_core::sc_vector<wire<credit>> injected_credit;
  sc_core::sc_vector<wire<flit_t>> ejected;
  sc_core::sc_vector<wire<credit>> ejected_credit;
  wire<std::uint32_t> queue;
  wire<std::uint32_t> count;
  nic<64> dut;

 private:
  static router_parameters router(unsigned depth) {
    router_parameters p;
    p.vcs = 3;
    p.depth = depth;
    return p;
  }
  static nic_parameters parameters(unsigned ejection_depth) {
    nic_parameters p;
    p.ejection_depth = ejection_depth;
    return p;
  }
};

TEST(levels_pin_nic, sends_in_one_cycle_and_receives_in_one) {
  bench b;
  nic_device d(b, "nic", 1, 4, 0, {}, false);
  b.start();
  d.received_ready[0].write(true);
  b.step(5);
  EXPECT_TRUE(d.sent_ready[0].read());
  EXPECT_EQ(d.dut.injector_of(0).next_vc(), 0U);
  d.sent[0].write(single(1, 0));
  d.ejected[0].write(single(2, 2));
  b.step();
  d.sent[0].write(flit_t());
  d.ejected[0].write(flit_t());
  EXPECT_EQ(d.injected[0].read(), single(1, 0));
  EXPECT_EQ(d.received[0].read(), single(2, 2));
  b.step();
  EXPECT_FALSE(d.injected[0].read().valid);
  EXPECT_FALSE(d.received[0].read().valid);
}

TEST(levels_pin_nic, a_stage_adds_its_latency_and_sees_every_flit) {
  bench b;
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0), slices(1, 0)};
  stages.receive = {slices(1, 0), slices(Mask, 0)};
  nic_device d(b, "nic", 1, 4, 4, stages, true);
  b.start();
  d.received_ready[0].write(true);
  b.step(3);
  ASSERT_TRUE(d.sent_ready[0].read());
  const cycle_t sent = b.now();
  d.sent[0].write(single(1, 0));
  b.step();
  d.sent[0].write(flit_t());
  cycle_t injected = 0, received = 0;
  for (; b.now() < sent + 20; b.step()) {
    if (d.injected[0].read().valid) {
      injected = b.now();
      EXPECT_EQ(d.injected[0].read().payload[0], payload_of(1, 0) ^ Mask ^ 1);
    }
    if (d.received[0].read().valid) {
      received = b.now();
      EXPECT_EQ(d.received[0].read(), single(1, 0));
    }
  }
  EXPECT_EQ(injected, sent + 2 + 1) << "two stages and the injector";
  EXPECT_EQ(received, injected + 1 + 2) << "the ejector and two stages";
}

TEST(levels_pin_nic, counts_the_flits_of_all_lanes_in_the_last_window) {
  bench b;
  nic_device d(b, "nic", 2, 4, 0, {}, false);
  b.start();
  for (auto& ready : d.received_ready) ready.write(true);
  // Window of 16 cycles: 0…15. Lane 0 gets 5 flits, lane 1 one, and one comes in the next window.
  for (; b.now() < 16; b.step()) {
    d.ejected[0].write(b.now() < 5 ? single(b.now(), 0) : flit_t());
    d.ejected[1].write(b.now() == 15 ? single(50, 0) : flit_t());
    EXPECT_EQ(d.count.read(), 0U);
  }
  d.ejected[1].write(single(51, 0));
  EXPECT_EQ(d.count.read(), 6U);
  b.step();
  d.ejected[1].write(flit_t());
  b.step(14);
  EXPECT_EQ(d.count.read(), 6U);
  b.step();
  EXPECT_EQ(d.count.read(), 1U);
  b.step(16);
  EXPECT_EQ(d.count.read(), 0U);
}

TEST(levels_pin_nic, lanes_do_not_wait_for_each_other) {
  bench b;
  nic_device d(b, "nic", 2, 1, 1, {}, true);
  b.start();
  d.received_ready[1].write(true);  // lane 0 stalls for ever
  std::vector<unsigned> received(2, 0);
  packet_id id = 0;
  for (unsigned cycle = 0; cycle < 200; ++cycle) {
    for (unsigned lane = 0; lane < 2; ++lane) {
      d.sent[lane].write(d.sent_ready[lane].read() ? single(id++, 0) : flit_t());
      received[lane] += d.received[lane].read().valid && d.received_ready[lane].read();
    }
    b.step();
  }
  EXPECT_EQ(received[0], 0U);
  EXPECT_GT(received[1], 100U);
}

TEST(levels_pin_nic, reset_empties_both_paths) {
  bench b;
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0)};
  stages.receive = {slices(Mask, 0)};
  nic_device d(b, "nic", 1, 2, 2, stages, true);
  b.start();
  packet_id id = 0;
  for (unsigned cycle = 0; cycle < 40; ++cycle) {  // until everything is full
    d.sent[0].write(single(id, 0));
    id += d.sent_ready[0].read();
    b.step();
  }
  ASSERT_TRUE(d.received[0].read().valid);
  ASSERT_FALSE(d.sent_ready[0].read());
  d.sent[0].write(flit_t());
  b.assert_reset();
  EXPECT_FALSE(d.received[0].read().valid);
  EXPECT_FALSE(d.injected[0].read().valid);
  EXPECT_FALSE(d.injected_credit[0].read().valid);
  EXPECT_TRUE(d.sent_ready[0].read());
  b.release_reset();
  d.received_ready[0].write(true);
  for (unsigned cycle = 0; cycle < 20; ++cycle, b.step()) EXPECT_FALSE(d.received[0].read().valid);
  d.sent[0].write(single(100, 0));
  b.step();
  d.sent[0].write(flit_t());
  unsigned received = 0;
  for (unsigned cycle = 0; cycle < 20; ++cycle, b.step()) {
    if (!d.received[0].read().valid) continue;
    EXPECT_EQ(d.received[0].read(), single(100, 0));
    ++received;
  }
  EXPECT_EQ(received, 1U);
}

/// Packets in at one end, out at the other, with stages that stall and a receiver that stalls; gated as
/// ungated.
TEST(levels_pin_nic, stages_that_stall_give_back_every_payload_gated_as_ungated) {
  constexpr unsigned Lanes = 2;
  random_numbers random;
  const std::uint64_t seed = random.next();
  bench b;
  std::vector<xor_slice*> made;
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0.2, seed, &made), slices(99, 0.05, seed + 1, &made)};
  stages.receive = {slices(99, 0.05, seed + 2, &made), slices(Mask, 0.2, seed + 3, &made)};
  nic_device gated(b, "gated", Lanes, 3, 3, stages, true, true);
  nic_device ungated(b, "ungated", Lanes, 3, 3, stages, true, false);
  b.start();

  for (nic_device* d : {&gated, &ungated}) {
    SCOPED_TRACE(d->dut.name());
    std::vector<std::deque<flit_t>> offered(Lanes);
    std::vector<std::map<packet_id, std::uint32_t>> next(Lanes);  // flit due of each packet that has begun
    packet_id packets = 0;
    unsigned sent = 0, received = 0, stalled = 0;
    std::vector<bool> valid(Lanes, false);
    for (unsigned cycle = 0; cycle < 6000; ++cycle) {
      for (unsigned lane = 0; lane < Lanes; ++lane) {
        if (offered[lane].empty() && cycle < 5500 && cycle % 1000 < 800) {
          const std::uint32_t flits = 1 + random.below(7);
          for (std::uint32_t i = 0; i < flits; ++i) offered[lane].push_back(make_flit(packets, i, flits, 0, lane));
          ++packets;
        }
        valid[lane] = !offered[lane].empty() && (valid[lane] || random.chance(0.8));
        d->sent[lane].write(valid[lane] ? offered[lane].front() : flit_t());
        const bool ready = random.chance(0.8) || cycle >= 5500;
        d->received_ready[lane].write(ready);
        const flit_t& out = d->received[lane].read();
        stalled += out.valid && !ready;
        if (out.valid && ready) {
          ASSERT_EQ(out.tag.sequence, next[lane][out.tag.id]++) << out << ", cycle " << cycle;
          ASSERT_EQ(out.payload[0], payload_of(out.tag.id, out.tag.sequence)) << out << ", cycle " << cycle;
          if (out.head) {
            ASSERT_EQ(out.header.destination, lane) << "stays on its lane";
          }
          ++received;
        }
        if (d->injected[lane].read().valid) {
          const flit_t& f = d->injected[lane].read();
          ASSERT_NE(f.payload[0], payload_of(f.tag.id, f.tag.sequence)) << "went round the stages";
        }
        if (valid[lane] && d->sent_ready[lane].read()) {
          offered[lane].pop_front();
          valid[lane] = false;
          ++sent;
        }
      }
      b.step();
    }
    EXPECT_EQ(received, sent);
    EXPECT_GT(sent, 2000U);
    EXPECT_GT(packets, 500U);
    EXPECT_GT(stalled, 100U);
  }
  ASSERT_EQ(made.size(), 2U * 4 * Lanes);
  for (const xor_slice* s : made) EXPECT_GT(s->passed, 500U);
}

/// The same inputs in the same cycle: the same outputs, though one NIC is gated and the other is not.
TEST(levels_pin_nic, gated_and_ungated_agree_cycle_by_cycle) {
  random_numbers random;
  bench b;
  nic_device gated(b, "gated", 1, 2, 2, {}, false, true);
  nic_device ungated(b, "ungated", 1, 2, 2, {}, false, false);
  b.start();
  std::vector<unsigned> held(3, 0), credits(3, 2);
  packet_id id = 0;
  bool valid = false;
  unsigned sent = 0, received = 0;
  for (unsigned cycle = 0; cycle < 5000; ++cycle) {
    const bool pause = cycle / 300 % 2 == 1;
    valid = valid || (!pause && random.chance(0.6));
    const flit_t out = valid ? single(id, 0) : flit_t();
    const unsigned vc = random.below(3);
    const bool returns = held[vc] > 0 && random.chance(0.5);
    const unsigned in_vc = random.below(3);
    const bool ejects = credits[in_vc] > 0 && !pause && random.chance(0.6);
    const bool ready = random.chance(0.6);
    for (nic_device* d : {&gated, &ungated}) {
      d->sent[0].write(out);
      d->injected_credit[0].write(returns ? credit{true, static_cast<std::uint8_t>(vc)} : credit());
      d->ejected[0].write(ejects ? single(1000000 + cycle, in_vc) : flit_t());
      d->received_ready[0].write(ready);
    }
    if (valid && gated.sent_ready[0].read()) {
      ++held[gated.dut.injector_of(0).next_vc()];
      ++id;
      ++sent;
      valid = false;
    }
    if (returns) --held[vc];
    if (ejects) --credits[in_vc];
    received += gated.received[0].read().valid && ready;
    b.step();
    ASSERT_EQ(gated.injected[0].read(), ungated.injected[0].read()) << "cycle " << cycle;
    ASSERT_EQ(gated.received[0].read(), ungated.received[0].read()) << "cycle " << cycle;
    ASSERT_EQ(gated.ejected_credit[0].read(), ungated.ejected_credit[0].read()) << "cycle " << cycle;
    ASSERT_EQ(gated.sent_ready[0].read(), ungated.sent_ready[0].read()) << "cycle " << cycle;
    ASSERT_EQ(gated.dut.injector_of(0).next_vc(), ungated.dut.injector_of(0).next_vc()) << "cycle " << cycle;
    ASSERT_EQ(gated.count.read(), ungated.count.read()) << "cycle " << cycle;
    if (gated.ejected_credit[0].read().valid) ++credits[gated.ejected_credit[0].read().vc];
  }
  EXPECT_GT(sent, 800U);
  EXPECT_GT(received, 800U);
}

// ---------------------------------------------------------------------------------------------------------------
// Terminal

/// A workload that is a list for each node.
class listed_packets : public packet_source {
 public:
  std::map<node_id, std::deque<packet>> packets;

  void add(node_id from, node_id to, std::uint32_t flits, cycle_t created) {
    packets[from].push_back({m_next++, from, to, flits, created});
  }
  std::uint64_t count() const { return m_next; }
  cycle_t next_creation(node_id node) const override {
    const auto list = packets.find(node);
    return list == packets.end() || list->second.empty() ? Never : list->second.front().created;
  }
  packet take(node_id node) override {
    const packet p = packets[node].front();
    packets[node].pop_front();
    return p;
  }
  void payload(const packet& p, std::uint32_t sequence, unsigned, std::uint64_t* words) const override {
    words[0] = payload_of(p.id, sequence);
  }

 private:
  packet_id m_next = 0;
};

/// An observer that remembers everything.
class memory : public network_observer {
 public:
  struct arrival {
    packet what;
    cycle_t cycle;
    std::uint32_t routers;
  };
  void created(const packet& p) override { packets.push_back(p); }
  void sent(packet_id id, node_id node, cycle_t cycle) override { heads.push_back({cycle, node, 0, id, 0}); }
  void injected(const flit_event& e, const header&) override { in.push_back(e); }
  void received(const flit_event& e, const std::uint64_t* payload) override {
    EXPECT_EQ(*payload, payload_of(e.id, e.sequence)) << "packet " << e.id << ", flit " << e.sequence;
    EXPECT_EQ(e.sequence, next[e.id]++) << "packet " << e.id;
    out.push_back(e);
  }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    arrivals.push_back({p, cycle, routers});
  }
  std::vector<packet> packets;
  std::vector<flit_event> heads, in, out;
  std::vector<arrival> arrivals;
  std::map<packet_id, std::uint32_t> next;
};

class terminal_bench : public bench {
 public:
  explicit terminal_bench(unsigned lanes)
      : root("root", true),
        sent("sent", lanes),
        sent_ready("sent_ready", lanes),
        received("received", lanes),
        received_ready("received_ready", lanes),
        dut("dut", 5, lanes, {}, source, observer, root) {
    clock(root);
    dut.rst_ni(rst_n);
    dut.queue_o(queue);
    for (unsigned lane = 0; lane < lanes; ++lane)
      dut.bind(lane, sent[lane], sent_ready[lane], received[lane], received_ready[lane]);
  }
  listed_packets source;
  memory observer;
  clock_gate root;
  sc_core::sc_vector<wire<flit_t>> sent;
  sc_core::sc_vector<wire<bool>> sent_ready;
  sc_core::sc_vector<wire<flit_t>> received;
  sc_core::sc_vector<wire<bool>> received_ready;
  wire<std::uint32_t> queue{"queue"};
  terminal<64> dut;

  void all_ready(bool ready) {
    for (auto& lane : sent_ready) lane.write(ready);
  }
};

/// A flit as the terminal of node 5 sends it.
flit_t from_node_5(packet_id id, std::uint32_t sequence, std::uint32_t flits, node_id to, cycle_t created) {
  flit_t f = make_flit(id, sequence, flits, 0, to);
  if (f.head) f.header.source = 5;
  f.tag.created = created;
  return f;
}

TEST(levels_pin_terminal, offers_a_packet_in_the_cycle_of_its_creation) {
  terminal_bench b(1);
  b.source.add(5, 9, 2, 0);
  b.source.add(5, 8, 1, 7);
  b.start();
  b.all_ready(true);
  EXPECT_EQ(b.sent[0].read(), from_node_5(0, 0, 2, 9, 0));
  b.step();
  EXPECT_EQ(b.sent[0].read(), from_node_5(0, 1, 2, 9, 0));
  for (b.step(); b.now() < 7; b.step()) EXPECT_FALSE(b.sent[0].read().valid) << b.now();
  EXPECT_EQ(b.sent[0].read(), from_node_5(1, 0, 1, 8, 7));
  b.step();
  EXPECT_FALSE(b.sent[0].read().valid);
  ASSERT_EQ(b.observer.heads.size(), 2U);
  EXPECT_EQ(b.observer.heads[0].cycle, 0U);
  EXPECT_EQ(b.observer.heads[1].cycle, 7U);
  EXPECT_EQ(b.observer.heads[1].node, 5U);
  EXPECT_EQ(b.observer.packets.size(), 2U);
}

TEST(levels_pin_terminal, holds_a_flit_until_it_is_taken) {
  terminal_bench b(1);
  b.source.add(5, 9, 2, 3);
  b.start();
  b.step(3);
  for (; b.now() < 9; b.step()) EXPECT_EQ(b.sent[0].read(), from_node_5(0, 0, 2, 9, 3)) << b.now();
  EXPECT_THAT(b.observer.heads, IsEmpty());
  b.all_ready(true);
  b.step();
  EXPECT_EQ(b.sent[0].read().tag.sequence, 1U);
  ASSERT_EQ(b.observer.heads.size(), 1U);
  EXPECT_EQ(b.observer.heads[0].cycle, 9U);
}

TEST(levels_pin_terminal, queues_what_is_created_faster_than_it_is_taken) {
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

TEST(levels_pin_terminal, a_free_lane_takes_the_next_packet_lowest_lane_first) {
  terminal_bench b(2);
  b.source.add(5, 0, 3, 1);
  b.source.add(5, 1, 1, 1);
  b.source.add(5, 2, 1, 1);
  b.start();
  b.all_ready(true);
  b.step();
  EXPECT_EQ(b.sent[0].read().tag.id, 0U);
  EXPECT_EQ(b.sent[1].read().tag.id, 1U);
  b.step();
  EXPECT_EQ(b.sent[0].read().tag.id, 0U);
  EXPECT_EQ(b.sent[1].read().tag.id, 2U);
  b.step();
  EXPECT_EQ(b.sent[0].read().tag.sequence, 2U);
  EXPECT_FALSE(b.sent[1].read().valid);
}

TEST(levels_pin_terminal, delivers_interleaved_packets_to_the_observer) {
  terminal_bench b(1);
  b.start();
  EXPECT_TRUE(b.received_ready[0].read());
  b.step(4);
  std::vector<flit_t> flits;
  for (std::uint32_t i = 0; i < 3; ++i)
    for (unsigned vc = 0; vc < 2; ++vc) flits.push_back(make_flit(10 + vc, i, 3, vc, 5));
  for (flit_t f : flits) {
    if (f.head) f.header.source = 70 + f.vc;
    f.tag.created = 1 + f.vc;
    f.tag.routers = 4;
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
    EXPECT_EQ(a.routers, 4U);
  }
}

TEST(levels_pin_terminal, keeps_the_packets_of_its_lanes_apart) {
  terminal_bench b(2);
  b.start();
  // Both on VC 0, one after the other, and finished in the other order.
  for (std::uint32_t i = 0; i < 2; ++i) {
    for (unsigned lane = 0; lane < 2; ++lane) {
      flit_t f = make_flit(10 + lane, i, 2, 0, 5);
      if (f.head) f.header.source = 70 + lane;
      b.received[lane].write(f);
      b.step();
      b.received[lane].write(flit_t());
    }
  }
  ASSERT_EQ(b.observer.arrivals.size(), 2U);
  EXPECT_EQ(b.observer.arrivals[0].what.source, 70U);
  EXPECT_EQ(b.observer.arrivals[1].what.source, 71U);
}

TEST(levels_pin_terminal, reset_forgets_the_packets_on_their_way) {
  terminal_bench b(1);
  b.source.add(5, 9, 4, 0);
  b.source.add(5, 9, 1, 0);
  b.source.add(5, 8, 2, 12);
  b.start();
  b.all_ready(true);
  b.step(2);
  ASSERT_EQ(b.sent[0].read().tag.sequence, 2U);
  b.assert_reset();
  EXPECT_FALSE(b.sent[0].read().valid);
  b.release_reset();
  // What follows reset is a stream of whole packets again.
  std::vector<flit_t> flits;
  for (unsigned cycle = 0; cycle < 20; ++cycle, b.step())
    if (b.sent[0].read().valid) flits.push_back(b.sent[0].read());
  ASSERT_FALSE(flits.empty());
  EXPECT_TRUE(flits.front().head) << flits.front();
  EXPECT_EQ(flits.back().tag.id, 2U);
}

// ---------------------------------------------------------------------------------------------------------------
// In a network

struct network_options {
  unsigned nic_ports = 1;
  unsigned ejection_depth = 3;
  bool gating = true;
};

class network_bench : public bench {
 public:
  network_bench(const std::string& name, const network_options& options, const nic_stages<64>& stages,
                std::uint64_t seed)
      : dut((fill(seed), name.c_str()), mesh(options), router(), nic_of(options), stages, options.gating, source,
            observer) {
    clock(dut);
  }
  listed_packets source;
  memory observer;
  network<64> dut;

 private:
  static topology mesh(const network_options& options) {
    grid_parameters p;
    p.shape = {2, 2};
    p.options.nic_ports = options.nic_ports;
    p.options.node_cycles = 2;
    p.options.vcs = 2;
    return make_grid(p);
  }
  static router_parameters router() {
    router_parameters p;
    p.vcs = 2;
    p.depth = 4;
    return p;
  }
  static nic_parameters nic_of(const network_options& options) {
    nic_parameters p;
    p.ejection_depth = options.ejection_depth;
    return p;
  }
  void fill(std::uint64_t seed) {
    random_stream random(seed, 0, stream_purpose::Injection);
    for (node_id n = 0; n < 4; ++n) {
      cycle_t created = 0;
      for (unsigned i = 0; i < 150; ++i)
        source.add(n, random.below(4), 1 + random.below(6), created += random.below(i % 50 < 40 ? 10 : 60));
    }
  }
};

void random_packets_through(const network_options& options, const nic_stages<64>& stages) {
  random_numbers random;
  network_bench b("network", options, stages, random.next());
  std::map<packet_id, packet> expected;
  for (const auto& list : b.source.packets)
    for (const packet& p : list.second) expected[p.id] = p;
  b.start();
  b.step(15000);
  EXPECT_EQ(b.observer.packets.size(), expected.size());
  EXPECT_EQ(b.observer.arrivals.size(), expected.size());
  EXPECT_EQ(b.observer.in.size(), b.observer.out.size());
  EXPECT_GT(b.observer.out.size(), 1500U);
  for (const memory::arrival& a : b.observer.arrivals) {
    const packet& p = expected.at(a.what.id);
    EXPECT_EQ(a.what.source, p.source) << "packet " << p.id;
    EXPECT_EQ(a.what.destination, p.destination) << "packet " << p.id;
    EXPECT_EQ(a.what.flits, p.flits) << "packet " << p.id;
    EXPECT_EQ(a.what.created, p.created) << "packet " << p.id;
    EXPECT_GT(a.cycle, p.created);
  }
}

TEST(levels_pin_nic, a_network_begins_anew_after_a_reset_in_the_middle_of_traffic) {
  random_numbers random;
  network_options options;
  options.nic_ports = 2;
  options.gating = random.chance(0.7);
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0.1)};
  stages.receive = {slices(Mask, 0.1)};
  network_bench b("network", options, stages, random.next());
  b.start();
  b.step(200 + random.below(30));
  b.assert_reset();
  const std::size_t before = b.observer.packets.size();
  EXPECT_GT(before, 40U);
  EXPECT_GT(b.observer.in.size(), b.observer.out.size()) << "some flits are under way";
  b.observer.arrivals.clear();
  b.release_reset();
  b.step(15000);
  // What was under way is lost; all that was created since is delivered.
  EXPECT_EQ(b.observer.packets.size(), b.source.count());
  EXPECT_EQ(b.observer.arrivals.size(), b.source.count() - before);
}

TEST(levels_pin_nic, a_network_with_stages_delivers_every_payload) {
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0.1), slices(7, 0)};
  stages.receive = {slices(7, 0.1), slices(Mask, 0)};
  random_packets_through({}, stages);
}

TEST(levels_pin_nic, a_network_with_two_ports_a_node_and_stages_delivers_every_payload) {
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0.1)};
  stages.receive = {slices(Mask, 0.1)};
  network_options options;
  options.nic_ports = 2;
  random_packets_through(options, stages);
}

TEST(levels_pin_nic, a_network_with_two_ports_a_node_delivers_every_payload) {
  network_options options;
  options.nic_ports = 2;
  options.ejection_depth = 0;
  random_packets_through(options, {});
}

TEST(levels_pin_nic, a_network_with_two_ports_a_node_ungated_delivers_every_payload) {
  network_options options;
  options.nic_ports = 2;
  options.ejection_depth = 0;
  options.gating = false;
  random_packets_through(options, {});
}

}  // namespace
}  // namespace weft::pin
