// SPDX-License-Identifier: Apache-2.0
/// A single router under random traffic: every flit leaves once, in order and within its credits.
#include "levels/router_device.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft::pin {
namespace {

/// Senders, receivers and invariants around a router. Receivers have `depth` flits per VC, and drain at random.
class traffic {
 public:
  traffic(random_numbers& random, router_device& d, unsigned ports, const router_parameters& p, unsigned max_flits)
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

  /// Drives the inputs of this cycle.
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
        back = {1U << draining};
      }
      m_credits.push_back(back);
    }
  }
  void write_to(router_device& d) const {
    for (unsigned port = 0; port < m_ports; ++port) {
      d.flit_in[port].write(m_flits[m_flits.size() - m_ports + port]);
      d.credit_in[port].write(m_credits[m_credits.size() - m_ports + port]);
    }
  }

  /// Checks the outputs. Fails if an invariant is violated.
  void check(cycle_t cycle) {
    for (unsigned port = 0; port < m_ports; ++port) {
      const credit& returned = m_device.credit_out[port].read();
      for (unsigned vc = 0; vc < m_parameters.vcs; ++vc) {
        if ((returned.vcs >> vc & 1) == 0) continue;
        ASSERT_LE(++m_senders[port][vc].credits, m_parameters.depth) << "cycle " << cycle;
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
  void clear_cycle() {
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
  router_device& m_device;
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
  std::map<unsigned, std::unique_ptr<router_device>> gated, ungated;
  std::map<unsigned, std::unique_ptr<traffic>> around;
  const std::vector<unsigned> depths(ports, depth);
  for (const unsigned s : Pipelines) {
    const router_parameters p = parameters_of(s, vcs, depth, flow);
    gated[s] = std::make_unique<router_device>(b, "gated" + std::to_string(s), p, depths, true);
    ungated[s] = std::make_unique<router_device>(b, "ungated" + std::to_string(s), p, depths, false);
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
      around[s]->clear_cycle();
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

TEST(levels_pin_router_traffic, delivers_wormhole_traffic_equally_with_and_without_gating) {
  random_traffic(5, 4, 4, 9, flow_control::Wormhole, 500);
}
TEST(levels_pin_router_traffic, delivers_wormhole_traffic_with_one_vc_and_one_slot) {
  random_traffic(4, 1, 1, 5, flow_control::Wormhole, 80);
}
TEST(levels_pin_router_traffic, delivers_cut_through_traffic_equally_with_and_without_gating) {
  random_traffic(5, 3, 6, 6, flow_control::VirtualCutThrough, 500);
}

TEST(levels_pin_router_traffic, restarts_after_reset_during_traffic) {
  constexpr unsigned Ports = 4;
  random_numbers random;
  bench b;
  std::map<unsigned, std::unique_ptr<router_device>> used, fresh;
  std::map<unsigned, std::unique_ptr<traffic>> around;
  const std::vector<unsigned> depths(Ports, 3);
  for (const unsigned s : Pipelines) {
    used[s] = std::make_unique<router_device>(b, "used" + std::to_string(s), parameters_of(s, 2, 3), depths);
    fresh[s] = std::make_unique<router_device>(b, "fresh" + std::to_string(s), parameters_of(s, 2, 3), depths);
    around[s] = std::make_unique<traffic>(random, *used[s], Ports, parameters_of(s, 2, 3), 5);
  }
  b.start();
  // The used router has had traffic up to here; the fresh one has not.
  const unsigned busy = 200 + random.below(20);
  for (unsigned cycle = 0; cycle < busy; ++cycle) {
    for (const unsigned s : Pipelines) {
      around[s]->drive(0.9);
      around[s]->write_to(*used[s]);
      around[s]->clear_cycle();
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
      EXPECT_EQ(used[s]->credit_out[port].read(), credit());
    }
    around[s] = std::make_unique<traffic>(random, *used[s], Ports, parameters_of(s, 2, 3), 5);
  }
  b.release_reset();
  for (unsigned cycle = 0; cycle < 600; ++cycle) {
    for (const unsigned s : Pipelines) {
      around[s]->drive(cycle < 300 ? 0.5 : 0);
      around[s]->write_to(*used[s]);
      around[s]->write_to(*fresh[s]);
      around[s]->clear_cycle();
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

}  // namespace
}  // namespace weft::pin
