// SPDX-License-Identifier: Apache-2.0
/// A router alone, driven by the bench.
#include "weft/pin/router/router.h"

#include "levels/bench.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft::pin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr unsigned Pipelines[] = {3, 4, 5, 7, 9};

/// The packet for node n leaves by port n, on any VC.
route_rule to_port(unsigned ports, unsigned vcs) {
  std::vector<route> by_destination;
  for (unsigned n = 0; n < ports; ++n) by_destination.push_back({static_cast<std::uint8_t>(n), first_vcs(vcs)});
  return table_rule(by_destination);
}

router_parameters parameters_of(unsigned pipeline, unsigned vcs, unsigned depth,
                                flow_control flow = flow_control::Wormhole) {
  router_parameters p;
  p.pipeline = pipeline;
  p.vcs = vcs;
  p.depth = depth;
  p.flow = flow;
  return p;
}

/// A router with its wires, and a record of what came out of it.
class device {
 public:
  device(bench& b, const std::string& name, const router_parameters& p, const std::vector<unsigned>& depths,
         bool gating = true)
      : root((name + "_root").c_str(), gating),
        flit_in((name + "_flit_in").c_str(), depths.size()),
        credit_out((name + "_credit_out").c_str(), depths.size()),
        flit_out((name + "_flit_out").c_str(), depths.size()),
        credit_in((name + "_credit_in").c_str(), depths.size()),
        dut(name.c_str(), p, to_port(static_cast<unsigned>(depths.size()), p.vcs), depths, root),
        sent(depths.size()),
        credits(depths.size()) {
    b.clock(root);
    dut.rst_ni(b.rst_n);
    for (unsigned port = 0; port < depths.size(); ++port)
      dut.bind(port, {&flit_in[port], &credit_out[port], &flit_out[port], &credit_in[port]});
  }

  struct event {
    cycle_t cycle;
    flit_t what;
  };

  void watch(cycle_t now) {
    for (unsigned port = 0; port < sent.size(); ++port) {
      if (flit_out[port].read().valid) sent[port].push_back({now, flit_out[port].read()});
      if (credit_out[port].read().valid) credits[port].push_back(now);
    }
  }
  std::vector<cycle_t> sent_cycles(unsigned port) const {
    std::vector<cycle_t> cycles;
    for (const event& e : sent[port]) cycles.push_back(e.cycle);
    return cycles;
  }

  clock_gate root;
  sc_core::sc_vector<wire<flit_t>> flit_in;
  sc_core::sc_vector<wire<credit>> credit_out;
  sc_core::sc_vector<wire<flit_t>> flit_out;
  sc_core::sc_vector<wire<credit>> credit_in;
  router<64> dut;
  std::vector<std::vector<event>> sent;       // of each output port
  std::vector<std::vector<cycle_t>> credits;  // of each input port, the cycles of credit_o
};

/// One router of each pipeline length, all driven alike by a script: what is on the wires in which cycle.
class pipelines_bench : public bench {
 public:
  pipelines_bench(unsigned vcs, unsigned depth, const std::vector<unsigned>& depths,
                  flow_control flow = flow_control::Wormhole) {
    for (const unsigned s : Pipelines)
      devices[s] = std::make_unique<device>(*this, "s" + std::to_string(s), parameters_of(s, vcs, depth, flow), depths);
    start();
  }
  void flit_at(cycle_t cycle, unsigned port, const flit_t& f) { m_flits[{cycle, port}] = f; }
  void packet_at(cycle_t cycle, unsigned port, packet_id id, std::uint32_t flits, unsigned vc, node_id to) {
    for (std::uint32_t i = 0; i < flits; ++i) flit_at(cycle + i, port, make_flit(id, i, flits, vc, to));
  }
  void credit_at(cycle_t cycle, unsigned port, unsigned vc) {
    m_credits[{cycle, port}] = {true, static_cast<std::uint8_t>(vc)};
  }
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
  std::map<unsigned, std::unique_ptr<device>> devices;  // by S

 private:
  std::map<std::pair<cycle_t, unsigned>, flit_t> m_flits;
  std::map<std::pair<cycle_t, unsigned>, credit> m_credits;
};

/// Cycles from the arrival of a head to its grant: S = 3 allocates VC and switch in one cycle.
cycle_t to_grant(unsigned s) { return s == 3 ? 1 : 2; }
/// Cycles from a grant to the output register.
cycle_t to_output(unsigned s) { return s <= 4 ? 2 : s - 2; }

TEST(levels_pin_router, a_head_is_at_the_output_register_s_cycles_after_its_arrival) {
  pipelines_bench b(4, 8, {8, 8, 0});
  const cycle_t arrival = 6;
  b.flit_at(arrival - 1, 0, single(7, 2, 1));
  b.run(30);
  for (const unsigned s : Pipelines) {
    const device& d = *b.devices[s];
    EXPECT_THAT(d.sent_cycles(1), ElementsAre(arrival + s)) << "S = " << s;
    EXPECT_THAT(d.sent_cycles(0), IsEmpty());
    EXPECT_THAT(d.credits[0], ElementsAre(arrival + to_grant(s) + 1)) << "S = " << s;
    flit_t expected = single(7, 0, 1);  // VC 0: the first pick of all
    ASSERT_FALSE(d.sent[1].empty());
    EXPECT_EQ(d.sent[1][0].what, expected);
    EXPECT_EQ(d.dut.sent(1), 1U);
  }
}

TEST(levels_pin_router, a_packet_streams_one_flit_a_cycle) {
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

TEST(levels_pin_router, a_head_behind_a_tail_is_routed_the_cycle_after_the_grant_of_the_tail) {
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

TEST(levels_pin_router, a_freed_output_vc_takes_part_in_the_next_allocation) {
  pipelines_bench b(1, 8, {8, 8, 8});
  b.packet_at(0, 0, 1, 3, 0, 2);
  b.packet_at(0, 1, 2, 3, 0, 2);  // waits for the only VC of port 2
  b.run(40);
  for (const unsigned s : Pipelines) {
    const cycle_t tail_granted = 1 + to_grant(s) + 2;
    const cycle_t second = tail_granted + (s == 3 ? 1 : 2);  // VA in t+1; SA with it or in t+2
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
  // Both pick VC 0 of port 2 in the first allocation and one wins; the other has VC 1 a cycle later.
  for (const unsigned s : Pipelines) {
    std::vector<packet_id> ids;
    for (const auto& e : b.devices[s]->sent[2]) ids.push_back(e.what.tag.packet());
    EXPECT_EQ(ids, (std::vector<packet_id>{1, 2, 1, 2, 1, 2})) << "S = " << s;
    EXPECT_EQ(b.devices[s]->sent[2].back().cycle, 1U + s + 5) << "no cycle is lost, S = " << s;
  }
}

TEST(levels_pin_router, a_credit_counts_one_cycle_after_it_came) {
  pipelines_bench b(1, 8, {1, 1});
  b.packet_at(0, 0, 1, 3, 0, 1);
  b.credit_at(20, 1, 0);
  b.credit_at(27, 1, 0);
  b.run(50);
  for (const unsigned s : Pipelines)
    EXPECT_THAT(b.devices[s]->sent_cycles(1), ElementsAre(1 + s, 21 + to_output(s), 28 + to_output(s))) << "S = " << s;
}

TEST(levels_pin_router, a_receiver_without_limit_needs_no_credits) {
  pipelines_bench b(1, 8, {8, output_unit::Unlimited});
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

TEST(levels_pin_router, wormhole_sends_as_far_as_there_is_room) {
  pipelines_bench b(1, 8, {4, 4});
  b.packet_at(0, 0, 1, 3, 0, 1);
  b.packet_at(3, 0, 2, 3, 0, 1);
  b.run(80);
  for (const unsigned s : Pipelines) EXPECT_EQ(b.devices[s]->sent[1].size(), 4U) << "S = " << s;
}

TEST(levels_pin_router, a_flit_may_leave_by_the_port_it_came_by) {
  pipelines_bench b(2, 8, {8, 8});
  b.packet_at(0, 1, 1, 2, 0, 1);
  b.run(30);
  for (const unsigned s : Pipelines) EXPECT_THAT(b.devices[s]->sent_cycles(1), ElementsAre(1 + s, 2 + s));
}

TEST(levels_pin_router, a_saturated_output_is_busy_every_cycle_and_shared_equally) {
  constexpr unsigned Ports = 5, Vcs = 4, Depth = 8, Cycles = 800;
  bench b;
  std::map<unsigned, std::unique_ptr<device>> devices;
  for (const unsigned s : Pipelines)
    devices[s] = std::make_unique<device>(b, "s" + std::to_string(s), parameters_of(s, Vcs, Depth),
                                          std::vector<unsigned>(Ports, output_unit::Unlimited));
  b.start();
  for (const unsigned s : Pipelines) {
    device& d = *devices[s];
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
        if (d.credit_out[port].read().valid) ++room[port][d.credit_out[port].read().vc];
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

/// Senders, receivers and laws around a router. Receivers have `depth` flits a VC, and drain at random.
class traffic {
 public:
  traffic(random_numbers& random, device& d, unsigned ports, const router_parameters& p, unsigned max_flits)
      : m_random(random),
        m_device(d),
        m_ports(ports),
        m_parameters(p),
        m_max_flits(max_flits),
        m_senders(ports, std::vector<sender>(p.vcs)),
        m_receivers(ports, std::vector<receiver>(p.vcs)) {
    for (auto& port : m_senders)
      for (auto& s : port) s.credits = p.depth;
  }

  /// What is on the inputs in this cycle.
  void drive(double load) {
    for (unsigned port = 0; port < m_ports; ++port) {
      flit_t f;
      const unsigned vc = m_random.below(m_parameters.vcs);
      sender& s = m_senders[port][vc];
      const bool within = s.next != s.flits;
      if (s.credits > 0 && (within ? m_random.chance(0.9) : m_random.chance(load))) {
        if (!within) {
          s.id = m_packets++;
          s.next = 0;
          s.flits = 1 + m_random.below(m_max_flits);
          s.to = m_random.below(m_ports);
        }
        f = make_flit(s.id, s.next++, s.flits, vc, s.to);
        if (f.head) m_destinations[f.tag.packet()] = s.to;
        --s.credits;
        ++m_sent;
      }
      m_flits.push_back(f);

      credit back;
      const unsigned draining = m_random.below(m_parameters.vcs);
      receiver& r = m_receivers[port][draining];
      if (r.held > 0 && m_random.chance(0.9)) {
        --r.held;
        back = {true, static_cast<std::uint8_t>(draining)};
      }
      m_credits.push_back(back);
    }
  }
  void write_to(device& d) const {
    for (unsigned port = 0; port < m_ports; ++port) {
      d.flit_in[port].write(m_flits[m_flits.size() - m_ports + port]);
      d.credit_in[port].write(m_credits[m_credits.size() - m_ports + port]);
    }
  }

  /// What came out. Fails where a law is broken.
  void check(cycle_t cycle) {
    for (unsigned port = 0; port < m_ports; ++port) {
      const credit& returned = m_device.credit_out[port].read();
      if (returned.valid) {
        ASSERT_LE(++m_senders[port][returned.vc].credits, m_parameters.depth) << "cycle " << cycle;
      }
      const flit_t& f = m_device.flit_out[port].read();
      if (!f.valid) continue;
      receiver& r = m_receivers[port][f.vc];
      ASSERT_LT(f.vc, m_parameters.vcs);
      ASSERT_LT(r.held, m_parameters.depth) << "overflow at port " << port << ", cycle " << cycle;
      ASSERT_EQ(f.head, r.next == r.flits) << f << ", port " << port << ", cycle " << cycle;
      if (f.head) {
        r = {f.tag.packet(), 0, f.flits, r.held};
        ASSERT_EQ(m_destinations.at(f.tag.packet()), port) << f << ", cycle " << cycle;
        if (m_parameters.flow == flow_control::VirtualCutThrough) {
          ASSERT_GE(m_parameters.depth - r.held, r.flits) << "no room for " << f << ", cycle " << cycle;
        }
      }
      flit_t expected = make_flit(r.id, r.next++, r.flits, f.vc, port);
      ASSERT_EQ(f, expected) << "port " << port << ", cycle " << cycle;
      ++r.held;
      ++m_received;
      m_whole += f.tail;
    }
  }
  bool within_packets() const {
    for (const auto& port : m_senders)
      for (const sender& s : port)
        if (s.next != s.flits) return true;
    return false;
  }
  void forget_cycle() {
    m_flits.clear();
    m_credits.clear();
  }
  void expect_drained(const std::string& what) const {
    EXPECT_EQ(m_received, m_sent) << what;
    EXPECT_EQ(m_whole, m_packets) << what;
    for (const auto& port : m_senders)
      for (const sender& s : port) EXPECT_EQ(s.credits, m_parameters.depth) << what << ": a credit is missing";
  }
  std::uint64_t packets() const { return m_packets; }

 private:
  struct sender {
    packet_id id = 0;
    std::uint32_t next = 0, flits = 0;
    node_id to = 0;
    unsigned credits = 0;
  };
  struct receiver {
    packet_id id = 0;
    std::uint32_t next = 0, flits = 0;
    unsigned held = 0;
  };
  random_numbers& m_random;
  device& m_device;
  unsigned m_ports;
  router_parameters m_parameters;
  unsigned m_max_flits;
  std::vector<std::vector<sender>> m_senders;
  std::vector<std::vector<receiver>> m_receivers;
  std::vector<flit_t> m_flits;
  std::vector<credit> m_credits;
  std::map<packet_id, unsigned> m_destinations;
  std::uint64_t m_packets = 0, m_sent = 0, m_received = 0, m_whole = 0;
};

/// Random traffic through a gated and an ungated router of each S, in bursts with pauses in which gates
/// close.
void random_traffic(unsigned ports, unsigned vcs, unsigned depth, unsigned max_flits, flow_control flow,
                    unsigned min_packets) {
  random_numbers random;
  bench b;
  std::map<unsigned, std::unique_ptr<device>> gated, ungated;
  std::map<unsigned, std::unique_ptr<traffic>> around;
  const std::vector<unsigned> depths(ports, depth);
  for (const unsigned s : Pipelines) {
    const router_parameters p = parameters_of(s, vcs, depth, flow);
    gated[s] = std::make_unique<device>(b, "gated" + std::to_string(s), p, depths, true);
    ungated[s] = std::make_unique<device>(b, "ungated" + std::to_string(s), p, depths, false);
    around[s] = std::make_unique<traffic>(random, *gated[s], ports, p, max_flits);
  }
  b.start();
  constexpr unsigned Busy = 2000, Drain = 400;
  for (unsigned cycle = 0; cycle < Busy + Drain; ++cycle) {
    const bool pause = cycle >= Busy || cycle / 250 % 4 == 3;
    const double load = pause ? 0 : cycle / 250 % 4 == 2 ? 0.05 : 0.9;
    for (const unsigned s : Pipelines) {
      around[s]->drive(load);
      around[s]->write_to(*gated[s]);
      around[s]->write_to(*ungated[s]);
      around[s]->forget_cycle();
    }
    b.step();
    for (const unsigned s : Pipelines) {
      for (unsigned port = 0; port < ports; ++port) {
        ASSERT_EQ(gated[s]->flit_out[port].read(), ungated[s]->flit_out[port].read()) << "S = " << s << ", " << cycle;
        ASSERT_EQ(gated[s]->credit_out[port].read(), ungated[s]->credit_out[port].read())
            << "S = " << s << ", cycle " << cycle;
      }
      ASSERT_NO_FATAL_FAILURE(around[s]->check(cycle)) << "S = " << s;
    }
  }
  for (const unsigned s : Pipelines) {
    around[s]->expect_drained("S = " + std::to_string(s));
    EXPECT_GT(around[s]->packets(), min_packets) << "S = " << s;
  }
}

TEST(levels_pin_router, delivers_random_wormhole_traffic_gated_as_ungated) {
  random_traffic(5, 4, 4, 9, flow_control::Wormhole, 500);
}
TEST(levels_pin_router, delivers_random_wormhole_traffic_with_one_vc_and_one_slot) {
  random_traffic(4, 1, 1, 5, flow_control::Wormhole, 80);
}
TEST(levels_pin_router, delivers_random_virtual_cut_through_traffic_gated_as_ungated) {
  random_traffic(5, 3, 6, 6, flow_control::VirtualCutThrough, 500);
}

TEST(levels_pin_router, begins_anew_after_a_reset_in_the_middle_of_traffic) {
  constexpr unsigned Ports = 4;
  random_numbers random;
  bench b;
  std::map<unsigned, std::unique_ptr<device>> used, fresh;
  std::map<unsigned, std::unique_ptr<traffic>> around;
  const std::vector<unsigned> depths(Ports, 3);
  for (const unsigned s : Pipelines) {
    used[s] = std::make_unique<device>(b, "used" + std::to_string(s), parameters_of(s, 2, 3), depths);
    fresh[s] = std::make_unique<device>(b, "fresh" + std::to_string(s), parameters_of(s, 2, 3), depths);
    around[s] = std::make_unique<traffic>(random, *used[s], Ports, parameters_of(s, 2, 3), 5);
  }
  b.start();
  // The used one has had traffic up to here; the fresh one none.
  const unsigned busy = 200 + random.below(20);
  for (unsigned cycle = 0; cycle < busy; ++cycle) {
    for (const unsigned s : Pipelines) {
      around[s]->drive(0.9);
      around[s]->write_to(*used[s]);
      around[s]->forget_cycle();
    }
    b.step();
    for (const unsigned s : Pipelines) ASSERT_NO_FATAL_FAILURE(around[s]->check(cycle));
  }
  for (const unsigned s : Pipelines) {
    for (unsigned port = 0; port < Ports; ++port) {
      used[s]->flit_in[port].write(flit_t());
      used[s]->credit_in[port].write(credit());
    }
    EXPECT_GT(around[s]->packets(), 50U);
  }
  b.assert_reset();
  for (const unsigned s : Pipelines) {
    for (unsigned port = 0; port < Ports; ++port) {
      EXPECT_FALSE(used[s]->flit_out[port].read().valid);
      EXPECT_FALSE(used[s]->credit_out[port].read().valid);
    }
    around[s] = std::make_unique<traffic>(random, *used[s], Ports, parameters_of(s, 2, 3), 5);
  }
  b.release_reset();
  for (unsigned cycle = 0; cycle < 600; ++cycle) {
    for (const unsigned s : Pipelines) {
      around[s]->drive(cycle < 300 ? 0.5 : 0);
      around[s]->write_to(*used[s]);
      around[s]->write_to(*fresh[s]);
      around[s]->forget_cycle();
    }
    b.step();
    for (const unsigned s : Pipelines) {
      ASSERT_NO_FATAL_FAILURE(around[s]->check(cycle)) << "S = " << s;
      for (unsigned port = 0; port < Ports; ++port) {
        ASSERT_EQ(used[s]->flit_out[port].read(), fresh[s]->flit_out[port].read())
            << "S = " << s << ", cycle " << cycle;
        ASSERT_EQ(used[s]->credit_out[port].read(), fresh[s]->credit_out[port].read()) << "S = " << s;
      }
    }
  }
  for (const unsigned s : Pipelines) {
    around[s]->expect_drained("S = " + std::to_string(s));
    EXPECT_GT(around[s]->packets(), 100U);
  }
}

TEST(levels_pin_router, a_broken_rule_names_the_unit_within) {
  bench b;
  device d(b, "router", parameters_of(4, 2, 1), {1, 1});
  b.start();
  d.credit_in[1].write({true, 1});
  EXPECT_EQ(broken_rule([&] { b.step(); }), "router.output_unit: a credit too many for port 1 VC 1");
}

}  // namespace
}  // namespace weft::pin
