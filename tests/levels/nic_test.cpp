// SPDX-License-Identifier: Apache-2.0
/// The NIC with packet stages.
#include "weft/pin/nic/nic.h"

#include "levels/bench.h"
#include "levels/node_bench.h"
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "weft/pin/nic/window_timer.h"

namespace weft::pin {
namespace {

/// A NIC with all its wires. If looped, its ejection wires are its injection wires.
class nic_device {
 public:
  nic_device(bench& b, const std::string& name, unsigned ports, unsigned depth, unsigned ejection_depth,
             const nic_stages<64>& stages, bool looped, bool gating = true)
      : root((name + "_root").c_str(), gating),
        timer((name + "_timer").c_str(), 16),
        tick((name + "_tick").c_str()),
        sent((name + "_sent").c_str(), ports),
        sent_ready((name + "_sent_ready").c_str(), ports),
        received((name + "_received").c_str(), ports),
        received_ready((name + "_received_ready").c_str(), ports),
        injected((name + "_injected").c_str(), ports),
        injected_credit((name + "_injected_credit").c_str(), ports),
        ejected((name + "_ejected").c_str(), ports),
        ejected_credit((name + "_ejected_credit").c_str(), ports),
        queue((name + "_queue").c_str()),
        count((name + "_count").c_str()),
        dut(name.c_str(), 3, ports, path_selector(), router(depth), parameters(ejection_depth), stages, root) {
    b.clock(root);
    b.clock(timer);
    timer.tick_o(tick);
    dut.rst_ni(b.rst_n);
    dut.bind_tick(tick);
    dut.queue_i(queue);
    dut.received_o(count);
    for (unsigned port = 0; port < ports; ++port) {
      dut.bind_node(port, sent[port], sent_ready[port], received[port], received_ready[port]);
      if (looped)
        dut.bind_router(port, injected[port], injected_credit[port], injected[port], injected_credit[port]);
      else
        dut.bind_router(port, injected[port], injected_credit[port], ejected[port], ejected_credit[port]);
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

TEST(levels_pin_nic, sends_and_receives_with_one_cycle_latency) {
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

TEST(levels_pin_nic, stage_adds_its_latency_and_processes_every_flit) {
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

TEST(levels_pin_nic, counts_received_flits_of_all_ports_in_the_last_window) {
  bench b;
  nic_device d(b, "nic", 2, 4, 0, {}, false);
  b.start();
  for (auto& ready : d.received_ready) ready.write(true);
  // Window of 16 cycles: 0…15. Port 0 gets 5 flits, port 1 one, and another flit arrives in the next window.
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

TEST(levels_pin_nic, ports_do_not_wait_for_each_other) {
  bench b;
  nic_device d(b, "nic", 2, 1, 1, {}, true);
  b.start();
  d.received_ready[1].write(true);  // port 0 stalls forever
  std::vector<unsigned> received(2, 0);
  packet_id id = 0;
  for (unsigned cycle = 0; cycle < 200; ++cycle) {
    for (unsigned port = 0; port < 2; ++port) {
      d.sent[port].write(d.sent_ready[port].read() ? single(id++, 0) : flit_t());
      received[port] += d.received[port].read().valid && d.received_ready[port].read();
    }
    b.step();
  }
  EXPECT_EQ(received[0], 0U);
  EXPECT_GT(received[1], 100U);
}

TEST(levels_pin_nic, reset_empties_the_send_and_receive_paths) {
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
  EXPECT_EQ(d.injected_credit[0].read(), credit());
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

/// Packets enter at one end and leave at the other, with stages and a receiver that stall; gated and
/// ungated NICs must agree.
TEST(levels_pin_nic, stalling_stages_lose_no_payload_with_or_without_gating) {
  constexpr unsigned Ports = 2;
  random_numbers random;
  const std::uint64_t seed = random.next();
  bench b;
  std::vector<xor_slice*> made;
  nic_stages<64> stages;
  stages.send = {slices(Mask, 0.2, seed, &made), slices(99, 0.05, seed + 1, &made)};
  stages.receive = {slices(99, 0.05, seed + 2, &made), slices(Mask, 0.2, seed + 3, &made)};
  nic_device gated(b, "gated", Ports, 3, 3, stages, true, true);
  nic_device ungated(b, "ungated", Ports, 3, 3, stages, true, false);
  b.start();

  for (nic_device* d : {&gated, &ungated}) {
    SCOPED_TRACE(d->dut.name());
    std::vector<std::deque<flit_t>> offered(Ports);
    std::vector<std::map<packet_id, std::uint32_t>> next(Ports);  // next flit of each packet that has begun
    packet_id packets = 0;
    unsigned sent = 0, received = 0, stalled = 0;
    std::vector<bool> valid(Ports, false);
    for (unsigned cycle = 0; cycle < 6000; ++cycle) {
      for (unsigned port = 0; port < Ports; ++port) {
        if (offered[port].empty() && cycle < 5500 && cycle % 1000 < 800) {
          const std::uint32_t flits = 1 + random.below(7);
          for (std::uint32_t i = 0; i < flits; ++i) offered[port].push_back(make_flit(packets, i, flits, 0, port));
          ++packets;
        }
        valid[port] = !offered[port].empty() && (valid[port] || random.chance(0.8));
        d->sent[port].write(valid[port] ? offered[port].front() : flit_t());
        const bool ready = random.chance(0.8) || cycle >= 5500;
        d->received_ready[port].write(ready);
        const flit_t& out = d->received[port].read();
        stalled += out.valid && !ready;
        if (out.valid && ready) {
          ASSERT_EQ(out.tag.sequence(), next[port][out.tag.packet()]++) << out << ", cycle " << cycle;
          ASSERT_EQ(out.payload[0], payload_of(out.tag.packet(), out.tag.sequence())) << out << ", cycle " << cycle;
          if (out.head) {
            ASSERT_EQ(out.destination, port) << "stays on its port";
          }
          ++received;
        }
        if (d->injected[port].read().valid) {
          const flit_t& f = d->injected[port].read();
          ASSERT_NE(f.payload[0], payload_of(f.tag.packet(), f.tag.sequence())) << "bypassed the stages";
        }
        if (valid[port] && d->sent_ready[port].read()) {
          offered[port].pop_front();
          valid[port] = false;
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
  ASSERT_EQ(made.size(), 2U * 4 * Ports);
  for (const xor_slice* s : made) EXPECT_GT(s->passed, 500U);
}

/// With the same inputs, a gated and an ungated NIC have the same outputs in every cycle.
TEST(levels_pin_nic, gated_and_ungated_nics_agree_in_every_cycle) {
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
      d->injected_credit[0].write(returns ? credit{1U << vc} : credit());
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
    for_each_member(gated.ejected_credit[0].read().vcs, [&](unsigned v) { ++credits[v]; });
  }
  EXPECT_GT(sent, 800U);
  EXPECT_GT(received, 800U);
}

}  // namespace
}  // namespace weft::pin
