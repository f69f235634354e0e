// SPDX-License-Identifier: Apache-2.0
/// VC allocator: gives waiting heads an output VC and keeps the assignment from head to tail.
///
/// Latency    A route announced on route_i in cycle t takes part in the allocation of t (stage VA), and again every
///            cycle until it wins; the winner shows on assigned_o in t+1, or, where VC and switch allocation share a
///            cycle (S = 3), combinationally in t. A tail granted the switch in t (grant_i) frees its input and output
///            VC for the allocation of t+1.
/// Handshake  None; busy_o asks for the clock while a head waits.
/// Under virtual cut-through an output VC is free for a packet only if the next buffer has room for all of it; as the
/// VC is held by that packet alone, the room stays its own and the packet never stalls half way.
#pragma once

#include <array>

#include <systemc>

#include "weft/core/allocation.h"
#include "weft/core/parameters.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/router/router_signals.h"

namespace weft::pin {

class vc_allocator : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<in_port<route_announcement>> route_i;
  in_port<credit_counts> count_i{"count_i"};  ///< looked at under virtual cut-through, and where there are choices
  in_port<switch_grants> grant_i{"grant_i"};
  sc_core::sc_vector<sc_core::sc_out<vc_assignment>> assigned_o;
  sc_core::sc_out<bool> busy_o{"busy_o"};

  /// \param same_cycle S = 3: winners show on assigned_o in the cycle of their allocation
  vc_allocator(sc_core::sc_module_name name, unsigned ports, const router_parameters& parameters, bool same_cycle);

#ifndef WEFT_SYNTHESIS
  /// Input VCs of a port whose head waits for an output VC. For reports.
  vc_set waiting(unsigned port) const { return m_waiting_q[port]; }
  const route& wanted(unsigned port, unsigned vc) const { return m_request_q[port][vc].wanted; }
  const vc_assignment& assigned(unsigned port) const { return m_assigned_q[port]; }
  /// Output VCs of a port that are free.
  vc_set free(unsigned port) const { return m_free_q[port]; }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  struct request {
    route wanted;
    std::uint32_t flits = 0;
  };

  void combinational();
  void reset();
  void step();
  vc_grants decide() const;
  route take_up(unsigned in_port, unsigned in_vc, const request& r) const;

  const unsigned m_ports;
  const unsigned m_vcs;
  const std::uint32_t m_depth;
  const flow_control m_flow;
  const bool m_same_cycle;

  std::array<vc_set, MaxPorts> m_waiting_q{};                     // input VCs in the queue for an output VC…
  std::array<std::array<request, MaxVcs>, MaxPorts> m_request_q;  // …and what each asks for
  std::array<vc_assignment, MaxPorts> m_assigned_q;               // input VCs that hold an output VC
  std::array<vc_set, MaxPorts> m_free_q{};                        // output VCs that are free
  vc_pointers m_pointers_q;
  register_signal<bool> m_changed_q{"changed_q"};  // toggles with the registers, for combinational()
};

}  // namespace weft::pin
