// SPDX-License-Identifier: Apache-2.0
/// VC allocator of any kind (router/vc_allocation.h): assigns output VCs to waiting heads. A packet holds its output VC
/// until its tail has left.
///
/// Latency    A head whose route is announced on route_i in cycle t takes part in the allocation of t (stage VA), and
///            again in every cycle until it wins. The winner appears on assigned_o in t+1, or combinationally in t if
///            the switch allocator follows in the same cycle. A tail that is granted the switch in t (grant_i) frees
///            its input VC and its output VC for the allocation of t+1.
/// Handshake  None; busy_o requests the clock while a head waits.
/// The output VCs that a head may request depend on their credits (router/output_vc_rules.h). Under virtual
/// cut-through, for example, the next buffer must have room for the whole packet. Only this packet holds the VC, so the
/// room stays reserved and the packet never stalls half way.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <systemc>

#include "weft/core/members.h"
#include "weft/core/parameters.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/router/output_depths.h"
#include "weft/pin/router/router_signals.h"
#include "weft/router/output_selection.h"
#include "weft/router/output_vc_rules.h"
#include "weft/router/priorities.h"
#include "weft/router/switch_inputs.h"
#include "weft/router/vc_allocation.h"

namespace weft::pin {

class vc_allocator : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_ports<route_announcement> route_i;
  in_port<credit_counts> count_i{"count_i"};  ///< read if the rules count credits, and with adaptive routing
  in_ports<credit_status> status_i;           ///< exists, as one port, only if VCs without credits are busy
  in_port<switch_grants> grant_i{"grant_i"};
  in_ports<vc_priority_status> priority_i;  ///< exists, as one port, only if packets have priorities
  out_ports<vc_assignment> assigned_o;
  out_ports<speculative_requests> speculative_o;  ///< combinational; exists only with speculation
  out_ports<held_output_vcs> held_o;  ///< combinational; exists, as one port, only if the output unit reads it
  out_port<bool> busy_o{"busy_o"};

  /// Winners appear on assigned_o in the cycle of their allocation if the switch allocator follows in this cycle
  /// (router_pipeline::sa_follows_va_in_a_cycle()).
  /// \param depths   for each output port, the buffer behind it; see output_depths
  /// \param choice   whether a head may have several possible outputs, and how it selects one
  /// \param node_ports ports that lead to nodes
  vc_allocator(sc_core::sc_module_name name, const router_parameters& parameters, const std::vector<unsigned>& depths,
               const output_choice& choice = output_choice(), port_set node_ports = 0);

#ifndef WEFT_SYNTHESIS
  /// The input VCs of a port whose head waits for an output VC. Only reports use this function.
  vc_set waiting(unsigned port) const { return m_waiting_q[port].read(); }
  const route& requested_route(unsigned port, unsigned vc) const { return m_requested_q[port * m_vcs + vc].read(); }
  const vc_assignment& assigned(unsigned port) const { return m_assigned_q[port].read(); }
  /// The free output VCs of a port.
  vc_set free(unsigned port) const { return m_free_q[port].read(); }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  void combinational();
  head_priorities priorities() const;
  void match(const vc_requests& all_requests, vc_grants& granted) const;
  void show(unsigned port, const vc_requests& all_requests, const vc_grants& granted);
  void show_held(const vc_grants& granted);
  void reset();
  void step();
  port_set ports_of(port_set inputs) const;
  vc_requests requests() const;
  void enter(vc_requests& requests, unsigned port, unsigned vc, const route& requested, std::uint32_t flits) const;
  route choose(const route& requested, unsigned port, unsigned vc, std::uint32_t flits, vc_set sure) const;
  vc_set available(unsigned port, vc_set vcs, std::uint32_t flits, bool whole) const;
  std::uint32_t credits(unsigned port, vc_set vcs) const;
  vc_assignment assignment(unsigned port, const vc_grants& granted) const;
  void queue(unsigned port, vc_set waiting);

  const unsigned m_ports;
  const unsigned m_vcs;
  const switch_inputs m_inputs;
  const std::uint32_t m_depth;
  const output_depths m_depths;
  const output_vc_rules m_rules;
  const bool m_same_cycle;  // whether winners appear on assigned_o in the cycle of their allocation
  const bool m_speculates;
  const bool m_shows_held;
  const bool m_is_combinational;  // whether combinational() runs
  const bool m_has_priorities;
  const output_choice m_choice;
  const port_set m_node_ports;
  const allocator_design m_design;

  untraced_registers<vc_set> m_waiting_q;          // per input port, the VCs that wait for an output VC
  untraced_registers<route> m_requested_q;         // per VC index, the requested route
  untraced_registers<std::uint32_t> m_flits_q;     // per VC index, the length of the packet in flits
  untraced_registers<vc_assignment> m_assigned_q;  // per input port, the VCs that hold an output VC
  untraced_registers<vc_set> m_free_q;             // per output port, the free VCs
  untraced_registers<std::uint16_t> m_state_q;     // the state of m_design
  untraced_change m_changed_q{"changed_q"};        // toggles with the registers; combinational() is sensitive to it
};

}  // namespace weft::pin
