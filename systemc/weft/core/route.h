// SPDX-License-Identifier: Apache-2.0
/// The input and the output of route computation.
#pragma once

#include <cstdint>
#include <ostream>

#include "weft/core/division.h"
#include "weft/core/types.h"

namespace weft {

/// The request of a head flit to the VC allocator: a sure offer, free choices, or both.
///
/// - Deterministic routing makes a sure offer only: VCs of one output port.
/// - Adaptive routing lists `choices`, output ports that are all acceptable, and their admissible VCs. A head uses a
///   choice when one is free and the sure offer otherwise. The sure offer is an escape channel, which must always be
///   available to the head (Duato 1993). Without a sure offer (vcs is 0) the choices themselves must be
///   deadlock-free.
struct route {
  std::uint8_t port = 0;  ///< output port of the sure offer
  vc_set vcs = 0;         ///< its admissible VCs; 0: there is no sure offer
  port_set choices = 0;   ///< acceptable output ports; 0: there is no choice
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

/// Which of several acceptable output ports a head selects, among those with a free VC.
enum class selection_rule : std::uint8_t {
  MostCredits,    ///< the port with the most credits, in whole buffers
  First,          ///< the port with the lowest number
  WhenCongested,  ///< the port with the lowest number and no other, unless the buffers behind one of the ports are
                  ///< congested; then MostCredits (DyAD: Hu and Marculescu 2004)
};

inline constexpr std::uint32_t UsualCongestion = 60;  ///< for selection_rule::WhenCongested, in percent

/// How a head selects one of several possible outputs. A record of constants, as hardware modules need it.
struct output_choice {
  bool exists = false;          ///< routes may have choices
  bool detours = false;         ///< a choice is a detour, see select_detour(); otherwise see select_output()
  std::uint32_t threshold = 0;  ///< for detours, in flits
  selection_rule selection = selection_rule::MostCredits;
  std::uint32_t congestion =
      UsualCongestion;  ///< for WhenCongested: more percent of the buffers of a port are occupied

  friend bool operator==(const output_choice& a, const output_choice& b) {
    return a.exists == b.exists && a.detours == b.detours && a.threshold == b.threshold && a.selection == b.selection &&
           a.congestion == b.congestion;
  }
};

/// The inputs of a routing function.
struct route_query {
  unsigned in_port = 0;
  unsigned in_vc = 0;
  node_id destination = 0;
  std::uint64_t path_id = 0;  ///< the source's choice (path_selector); the routing function defines its meaning
};

/// The output port for packet \p q at the router of its destination. The router has \p nodes nodes with \p local_ports
/// ports each, starting at port \p first. A flit that arrives at port i leaves by port number i mod local_ports of the
/// node.
inline unsigned local_port(const route_query& q, unsigned first, unsigned nodes, unsigned local_ports) {
  const unsigned node = modulo<NodeBits>(q.destination, nodes);
  return first + node * local_ports + modulo<4>(q.in_port, local_ports);
}
static_assert(MaxPorts <= 16, "a quotient of a port number has at most 4 bits");

}  // namespace weft
