// SPDX-License-Identifier: Apache-2.0
/// Records the waits of a router's flits, which it reads from the router's wires. core/wait_accounts.h defines how
/// waits are counted. A recorder exists only if an observer needs waits, and does not change the simulation. Simulation
/// only.
///
/// The recorder tracks every flit from buffer to buffer. Each channel has a list of the waits of the flits on it. The
/// list is in order, because a channel preserves the order of flits. Like a module, the recorder has its own clock
/// gate, which is open while the router holds a flit.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/parameters.h"
#include "weft/core/wait_accounts.h"
#include "weft/pin/check.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/router/router.h"
#include "weft/pin/router/router_signals.h"
#include "weft/pin/waits_on_channel.h"
#include "weft/pin/wire.h"

namespace weft::pin {

template <unsigned PayloadBits>
class wait_recorder {
 public:
  wait_recorder(const router<PayloadBits>& of, const router_parameters& parameters, clock_gate& clocks,
                const packet_table& packets, network_observer& observer)
      : m_router(of),
        m_clocks(clocks),
        m_gate(clocks.make_gate()),
        m_packets(packets),
        m_observer(observer),
        m_catches_up(router_pipeline(parameters).cycles_to_switch()),
        m_to_channel(1 + router_pipeline(parameters).crossbar_cycles()),
        m_inputs(of.ports()),
        m_outlets(of.ports()) {
    m_gate.drives(*this);
  }

  /// The channel that leads to input port \p port.
  waits_on_channel& inlet(unsigned port) { return m_inputs[port].coming; }
  /// Sets the channel that output port \p port leads to. Without this call, the port leads to a node.
  void lead(unsigned port, waits_on_channel& to) { m_outlets[port] = &to; }
  /// Sets the wire from which flits arrive at input port \p port.
  void attach(unsigned port, wire<flit<PayloadBits>>& from) {
    m_inputs[port].flits = &from;
    from.enables_clock(m_gate);
  }

 private:
  friend class gated_clock;  // runs clocked() at its edges

  struct held_flit {
    flit_tag tag;
    bool head, tail;
  };
  struct input_vc {
    std::deque<held_flit> flits;
    waits_in_input_vc waits;
  };
  struct input {
    wire<flit<PayloadBits>>* flits = nullptr;
    waits_on_channel coming;
    vc_set active = 0;  ///< VCs that held an output VC in the previous cycle
    std::array<input_vc, MaxVcs> vcs;
  };

  const char* name() const { return m_router.name(); }

  /// Runs at the end of a cycle; the wires still have the values of that cycle.
  void clocked() {
    const cycle_t now = m_clocks.beginning() - 1;
    const std::size_t held_before = m_held;
    for (unsigned port = 0; port < m_inputs.size(); ++port) allocate(port, now);
    for (input& in : m_inputs)
      if (in.flits->read().valid) accept(in, in.flits->read(), now + 1);
    if (held_before == 0 && m_held != 0) m_gate.hold();
    if (held_before != 0 && m_held == 0) m_gate.release();
  }

  void allocate(unsigned port, cycle_t now) {
    input& in = m_inputs[port];
    const vc_assignment& assigned = m_router.assigned(port);
    const bool speculates = m_router.speculative().size() != 0;
    const speculative_requests heads = speculates ? m_router.speculative()[port].read() : speculative_requests();
    for_each_member(speculates ? heads.granted : assigned.active & ~in.active, [&](unsigned vc) {
      WEFT_ASSERT(in.vcs[vc].flits.front().head, "port " << port << " VC " << vc << " got an output VC without a head");
      in.vcs[vc].waits.begin(now);
    });
    in.active = assigned.active;

    const switch_grants& grants = m_router.grants();
    const switch_inputs& of_switch = m_router.inputs_of_switch();
    vc_set granted = 0;
    for (unsigned number = 0; number < of_switch.speedup; ++number) {
      const unsigned input_number = of_switch.input_at(port, number);
      granted |= (grants.inputs >> input_number & 1) << grants.vc[input_number];
    }
    for_each_member(m_router.occupied(port) & assigned.active & ~granted, [&](unsigned vc) {
      if (m_router.has_credit(assigned.port[vc], assigned.vc[vc])) in.vcs[vc].waits.lose();
    });
    for_each_member(heads.granted & ~granted, [&](unsigned vc) {
      if (m_router.has_credit(heads.port[vc], heads.out_vc[vc])) in.vcs[vc].waits.lose();
    });
    for_each_member(granted, [&](unsigned vc) { send(in, vc, grants.out_port[of_switch.input_of(port, vc)], now); });
  }

  void send(input& in, unsigned vc, unsigned out_port, cycle_t now) {
    input_vc& from = in.vcs[vc];
    const held_flit sent = from.flits.front();
    from.flits.pop_front();
    --m_held;
    const router_waits waits = from.waits.grant(sent.head, now, m_catches_up);
    if (sent.tail) in.active &= ~(vc_set{1} << vc);  // free from the next cycle on, even without a clock edge
    if (m_outlets[out_port] != nullptr)
      m_outlets[out_port]->push_back(waits);
    else if (sent.tail)
      m_observer.waited(m_packets.of(sent.tag).id, waits, now + m_to_channel);
  }

  void accept(input& in, const flit<PayloadBits>& f, cycle_t arrival) {
    input_vc& to = in.vcs[f.vc];
    to.waits.arrive(in.coming.front(), arrival, m_catches_up);
    in.coming.pop_front();
    to.flits.push_back({f.tag, f.head, f.tail});
    ++m_held;
  }

  const router<PayloadBits>& m_router;
  const clock_gate& m_clocks;
  gated_clock& m_gate;
  const packet_table& m_packets;
  network_observer& m_observer;
  const std::uint32_t m_catches_up;
  const cycle_t m_to_channel;  ///< cycles from a grant to the flit's cycle on the channel
  std::vector<input> m_inputs;
  std::vector<waits_on_channel*> m_outlets;  ///< indexed by output port; null for ports to a node
  std::size_t m_held = 0;                    ///< number of flits in the router's buffers
};

}  // namespace weft::pin
