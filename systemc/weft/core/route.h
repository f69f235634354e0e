// SPDX-License-Identifier: Apache-2.0
/// What route computation looks at, and what it answers.
#pragma once

#include <cstdint>
#include <ostream>

#include "weft/core/division.h"
#include "weft/core/types.h"

namespace weft {

/// What a head flit asks the VC allocator for: a sure offer, free choices, or both.
///
/// - Deterministic routing makes a sure offer alone: VCs of one output port.
/// - Adaptive routing names `choices`, output ports any of which will do, and the VCs that may be had of them. A head
///   takes up a choice when one is free, and the sure offer otherwise: that is an escape channel, which the head may
///   always fall back on (Duato 1993). Without a sure offer (vcs is 0) the choices themselves must be free of deadlock.
struct route {
  std::uint8_t port = 0;  ///< output port of the sure offer
  vc_set vcs = 0;         ///< its admissible VCs; 0: there is no sure offer
  port_set choices = 0;   ///< output ports, any of which leads on; 0: there is no choice
  vc_set choice_vcs = 0;  ///< admissible VCs of each of them

  route() = default;
  constexpr route(unsigned to, vc_set admissible, port_set any_of = 0, vc_set of_each = 0)
      : port(static_cast<std::uint8_t>(to)), vcs(admissible), choices(any_of), choice_vcs(of_each) {}

  bool adaptive() const { return choices != 0; }
  friend bool operator==(const route& a, const route& b) {
    return a.port == b.port && a.vcs == b.vcs && a.choices == b.choices && a.choice_vcs == b.choice_vcs;
  }
  friend std::ostream& operator<<(std::ostream& out, const route& r) {
    out << "port " << unsigned(r.port) << " VCs " << r.vcs;
    if (r.adaptive()) out << ", or any of ports " << r.choices << " VCs " << r.choice_vcs;
    return out;
  }
};

/// What a routing function may look at.
struct route_query {
  unsigned in_port = 0;
  unsigned in_vc = 0;
  node_id destination = 0;
  std::uint64_t way = 0;  ///< what the source chose for the packet (way_rule): its meaning is the routing function's
};

/// The port to the destination of \p q at its own router, where each of \p nodes nodes has \p local_ports ports from
/// \p first on: a flit that came in by port i leaves by i mod local_ports.
inline unsigned local_port(const route_query& q, unsigned first, unsigned nodes, unsigned local_ports) {
  const unsigned node = rest<NodeBits>(q.destination, nodes);
  return first + node * local_ports + rest<4>(q.in_port, local_ports);
}
static_assert(MaxPorts <= 16, "a port divided by anything has 4 bits");

}  // namespace weft
