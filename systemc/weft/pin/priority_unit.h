// SPDX-License-Identifier: Apache-2.0
/// Computes the priorities of the input VCs of a router, if packets have priorities. Simulation only: in hardware,
/// flits would carry their stamps (router/priorities.h) beside their other fields. Here they are in queues beside the
/// channels, on which flits stay in order.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "weft/core/members.h"
#include "weft/core/parameters.h"
#include "weft/core/router_choices.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/router/router.h"
#include "weft/pin/wire.h"
#include "weft/router/priorities.h"

namespace weft::pin {

/// The stamps of the flits on a channel.
using stamps_on_channel = std::deque<std::uint32_t>;

template <unsigned PayloadBits>
class priority_unit {
 public:
  priority_unit(router<PayloadBits>& of, const router_parameters& parameters, clock_gate& clocks,
                const packet_table& packets)
      : m_router(of),
        m_kind(parameters.priority),
        m_guard(parameters.starvation_guard),
        m_class_vcs(parameters.vcs / parameters.classes),
        m_clocks(clocks),
        m_gate(clocks.make_gate()),
        m_packets(packets),
        m_inputs(of.ports()),
        m_outlets(of.ports()) {
    m_gate.drives(*this);
  }

  /// The channel from another router to input port \p port. Without a call, the port belongs to a node.
  stamps_on_channel& inlet(unsigned port) {
    m_inputs[port].is_of_router = true;
    return m_inputs[port].coming;
  }
  /// Sets the channel that output port \p port leads to. Without this call, the port leads to a node.
  void lead(unsigned port, stamps_on_channel& to) { m_outlets[port] = &to; }
  /// Sets the wire from which flits arrive at input port \p port.
  void attach(unsigned port, wire<flit<PayloadBits>>& from) {
    m_inputs[port].flits = &from;
    from.enables_clock(m_gate);
  }

 private:
  friend class gated_clock;  // runs clocked() at its edges

  struct input {
    wire<flit<PayloadBits>>* flits = nullptr;
    bool is_of_router = false;
    stamps_on_channel coming;
    std::array<std::deque<std::uint32_t>, MaxVcs> vcs;  ///< stamps of the flits in each VC
    std::array<cycle_t, MaxVcs> front_since{};          ///< cycle in which the first of them became the first
  };

  /// Runs at the end of a cycle; the wires still have the values of that cycle.
  void clocked() {
    const std::size_t held_before = m_held;
    const switch_grants& grants = m_router.grants();
    for_each_member(grants.inputs, [&](unsigned number) {
      send(m_router.inputs_of_switch().port_of[number], grants.vc[number], grants.out_port[number]);
    });
    for (unsigned port = 0; port < m_inputs.size(); ++port)
      if (m_inputs[port].flits->read().valid) accept(port, m_inputs[port].flits->read());
    if (m_guard != 0) show_all();
    m_router.priorities().write(m_shown);
    if (held_before == 0 && m_held != 0) m_gate.hold();
    if (held_before != 0 && m_held == 0) m_gate.release();
  }

  void send(unsigned port, unsigned vc, unsigned out_port) {
    std::deque<std::uint32_t>& stamps = m_inputs[port].vcs[vc];
    if (m_outlets[out_port] != nullptr) m_outlets[out_port]->push_back(stamps.front());
    stamps.pop_front();
    m_inputs[port].front_since[vc] = m_clocks.beginning();
    --m_held;
    show(port, vc);
  }

  void accept(unsigned port, const flit<PayloadBits>& arriving) {
    input& in = m_inputs[port];
    const std::uint32_t* const previous = in.is_of_router ? &in.coming.front() : nullptr;
    const cycle_t created = m_packets.of(arriving.tag).created;
    if (in.vcs[arriving.vc].empty()) in.front_since[arriving.vc] = m_clocks.beginning();
    in.vcs[arriving.vc].push_back(stamp_of(m_kind, previous, created, m_clocks.beginning(), arriving.vc / m_class_vcs));
    if (in.is_of_router) in.coming.pop_front();
    ++m_held;
    show(port, arriving.vc);
  }

  void show(unsigned port, unsigned vc) {
    const std::deque<std::uint32_t>& stamps = m_inputs[port].vcs[vc];
    m_shown.of[port][vc] = stamps.empty() ? 0
                                          : priority_of(m_kind, stamps.front(), static_cast<unsigned>(stamps.size()),
                                                        m_guard, m_clocks.beginning() - m_inputs[port].front_since[vc]);
  }

  /// With a guard, priorities rise while flits wait.
  void show_all() {
    for (unsigned port = 0; port < m_inputs.size(); ++port)
      for (unsigned vc = 0; vc < MaxVcs; ++vc)
        if (!m_inputs[port].vcs[vc].empty()) show(port, vc);
  }

  router<PayloadBits>& m_router;
  const priority_kind m_kind;
  const unsigned m_guard;
  const unsigned m_class_vcs;  ///< VCs of a class
  const clock_gate& m_clocks;
  gated_clock& m_gate;
  const packet_table& m_packets;
  std::vector<input> m_inputs;
  std::vector<stamps_on_channel*> m_outlets;  ///< indexed by output port; null for ports to a node
  vc_priority_status m_shown;
  std::size_t m_held = 0;  ///< number of flits in the router's buffers
};

}  // namespace weft::pin
