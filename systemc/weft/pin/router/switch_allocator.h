// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: selects the input VCs that send a flit across the switch in the next cycle.
///
/// Purpose    The allocator is of any kind (router/switch_allocation.h).
/// Latency    Combinational: grant_o of cycle t depends on status_i, assigned_i and credit_i of cycle t (stage SA). The
///            state of the arbiters changes at the end of t.
/// Handshake  A VC requests the switch if it has a flit and holds an output VC with a credit. A grant is final: the
///            input unit, the output unit and the VC allocator act on it in the same cycle.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/members.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/router/router_signals.h"
#include "weft/router/speculation.h"
#include "weft/router/switch_allocation.h"

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
  out_port<switch_grants> grant_o{"grant_o"};

  switch_allocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs,
                   const allocator_parameters& parameters = allocator_parameters(),
                   speculation_kind speculation = speculation_kind::None, bool has_priorities = false);

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
  void grant_speculatively(switch_grants& grants, const switch_requests& all_requests) const;
  [[gnu::always_inline]] inline switch_requests requests() const;  // runs in every cycle in which a router works

  const unsigned m_ports;
  const unsigned m_vcs;
  const speculation_kind m_speculation;
  const bool m_has_priorities;
  const allocator_design m_design;
  const allocator_design m_second;              // with speculation, the allocator of heads
  untraced_registers<std::uint16_t> m_state_q;  // the state of m_design
  untraced_change m_changed_q{"changed_q"};     // toggles with the state; combinational() is sensitive to it
};

}  // namespace weft::pin
