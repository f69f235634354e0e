// SPDX-License-Identifier: Apache-2.0
/// Shared by the tests of the pin-level modules: clock, reset, time, flits, random numbers, and the reports
/// of violated assertions. A test has one bench and elaborates once; CTest runs every test in its own process.
///
/// Time: start() and step() stop in the middle of a cycle, after its clock edge. The outputs at that time are
/// those "in cycle t". The values that the test then writes are the inputs "in cycle t", for the edge that ends
/// it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <systemc>

#include "weft/core/flit.h"
#include "weft/core/parameters.h"
#include "weft/core/random.h"
#include "weft/pin/router/router_signals.h"
#include "weft/pin/signals.h"

namespace weft::pin {

using flit_t = flit<64>;

class bench {
 public:
  sc_core::sc_clock clk{"clk", sc_core::sc_time(1, sc_core::SC_NS), 0.5, sc_core::sc_time(1, sc_core::SC_NS)};
  sc_core::sc_signal<bool> rst_n{"rst_n"};

  /// Connects the two ports of every module.
  template <typename Module>
  void clock(Module& m) {
    m.clk_i(clk);
    m.rst_ni(rst_n);
  }

  /// Holds reset for two clock edges with no input driven; ends in cycle 0.
  void start();
  /// Advances to the next cycle, or by some cycles.
  void step(unsigned cycles = 1);
  /// Lets combinational modules follow the values written in this cycle.
  void settle();
  /// Asserts reset in the middle of the cycle, without a clock edge. Inputs keep their values: clear them first.
  void assert_reset();
  /// Releases that reset after a clock edge within it; advances to the next cycle.
  void release_reset();
  /// The current cycle, counted from the end of the last reset.
  cycle_t now() const { return m_now; }

 private:
  cycle_t m_now = 0;
};

/// Payload of a flit, from its packet and its index in it.
std::uint64_t payload_of(packet_id id, std::uint32_t sequence);

/// Flit \p sequence of \p flits of a packet, on VC \p vc. Only heads carry a header.
flit_t make_flit(packet_id id, std::uint32_t sequence, std::uint32_t flits, unsigned vc, node_id destination = 0);

/// A packet of one flit.
inline flit_t single(packet_id id, unsigned vc, node_id destination = 0) {
  return make_flit(id, 0, 1, vc, destination);
}

/// Default parameters with \p vcs VCs of \p depth flits.
inline router_parameters buffers_of(unsigned vcs, unsigned depth) {
  router_parameters p;
  p.vcs = vcs;
  p.depth = depth;
  return p;
}

/// Default parameters with \p vcs VCs.
inline router_parameters vcs_of(unsigned vcs, flow_control flow = flow_control::Wormhole) {
  router_parameters p;
  p.vcs = vcs;
  p.flow = flow;
  return p;
}

/// announce() puts a head into a slot of an announcement; answer() puts the route for it into the same slot
/// of the answer.
void announce(head_announcement& heads, unsigned slot, unsigned vc, node_id destination, std::uint32_t flits,
              std::uint64_t path_id = 0);
void answer(route_announcement& routes, unsigned slot, unsigned vc, const route& requested_route, std::uint32_t flits);

void add_grant(switch_grants& grants, unsigned in_port, unsigned in_vc, unsigned out_port, unsigned out_vc, bool tail);
inline switch_grants grant_of(unsigned in_port, unsigned in_vc, unsigned out_port, unsigned out_vc, bool tail = false) {
  switch_grants grants;
  add_grant(grants, in_port, in_vc, out_port, out_vc, tail);
  return grants;
}

/// The assertion that \p action violates, as "instance: rule"; empty if there is none. The simulation cannot
/// continue after a violation.
std::string broken_rule(const std::function<void()>& action);

/// Random numbers of one test. The seed is WEFT_SEED, or new in every run; the test prints it.
class random_numbers {
 public:
  random_numbers();
  /// A number in 0…n-1.
  unsigned below(unsigned n) { return m_stream.below(n); }
  bool chance(double p) { return m_stream.chance(p); }
  std::uint64_t next() { return m_stream.next(); }
  /// A random member of a nonempty set.
  unsigned member(std::uint32_t set);

 private:
  static std::uint64_t seed();
  random_stream m_stream;
};

}  // namespace weft::pin
