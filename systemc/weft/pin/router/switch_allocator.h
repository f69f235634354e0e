// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: selects the input VCs that send a flit across the switch in the next cycle.
///
/// Purpose    The allocator is of any kind (router/switch_allocation.h). If packets hold the switch
///            (router/switch_holds.h), the VCs that hold it take no part in the allocation.
/// Latency    Combinational: grant_o of cycle t depends on status_i, assigned_i and credit_i of cycle t (stage SA). The
///            state of the arbiters changes at the end of t.
/// Handshake  A VC requests the switch if it has a flit and holds an output VC with a credit, and no earlier flit
///            occupies the channel of its output port. A grant is final: the input unit, the output unit and the VC
///            allocator act on it in the same cycle.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/members.h"
#include "weft/core/parameters.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/router/router_signals.h"
#include "weft/router/speculation.h"
#include "weft/router/switch_allocation.h"
#include "weft/router/switch_holds.h"

namespace weft::pin {

class switch_allocator : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<buffer_status> status_i{"status_i"};
  in_ports<vc_assignment> assigned_i;  ///< indexed by input port
  in_port<credit_status> credit_i{"credit_i"};
  in_ports<vc_priority_status> priority_i;       ///< exists, as one port, only if packets have priorities
  in_ports<speculative_requests> speculative_i;  ///< indexed by input port; exists only with speculation
  in_ports<buffer_backlog> backlog_i;            ///< exists, as one port, only if packets hold the switch
  out_port<switch_grants> grant_o{"grant_o"};

  /// \param narrow output ports with a narrow channel (channel::phits)
  switch_allocator(sc_core::sc_module_name name, unsigned ports, const router_parameters& parameters,
                   port_set narrow = 0);

  /// Makes \p self, from now on, the dependent process that runs combinational().
  void run_as(dependent_process& self) {
    self.runs(*this);
    m_changed_q.triggers(self);
  }

 private:
  friend class dependent_process;
  WEFT_CLOCKED_PROCESS;

  void combinational();
  void reset();
  void step();
  switch_requests heads() const;
  vc_priorities priorities() const;
  [[gnu::always_inline]] inline switch_matching match(const switch_requests& all_requests) const;
  void match_both(const switch_requests& all_requests, const switch_requests& speculative, switch_matching& first,
                  switch_matching& second) const;
  switch_matching used(const switch_matching& grants, const switch_requests& speculative) const;
  [[gnu::always_inline]] inline void grant(switch_grants& grants, const switch_matching& matching) const;
  void enter_new_vcs(switch_grants& grants, const switch_requests& speculative) const;
  void grant_open(switch_grants& grants, const switch_requests& open, const switch_requests& speculative,
                  const switch_holds& holds) const;
  port_set waiting_without(const switch_holds& holds) const;
  void find_requests(switch_holds& holds, switch_requests& open, switch_requests& speculative) const;
  void step_open(const switch_requests& open, const switch_requests& speculative);
  void update_holds();
  [[gnu::always_inline]] inline switch_requests requests() const;  // runs in every cycle in which a router works

  const unsigned m_ports;
  const unsigned m_vcs;
  const port_set m_narrow;
  const switch_inputs m_inputs;
  const speculation_kind m_speculation;
  const bool m_has_priorities;
  const bool m_holds;     // whether packets hold the switch
  const bool m_is_plain;  // whether all requests take part in one allocation
  const allocator_design m_design;
  const allocator_design m_second;              // with speculation, the allocator of heads
  const unsigned m_first_hold;                  // number of the first word of switch_holds in the state
  untraced_registers<std::uint16_t> m_state_q;  // the states of m_design, m_second and switch_holds
  untraced_change m_changed_q{"changed_q"};     // toggles with the state; combinational() is sensitive to it
};

}  // namespace weft::pin
