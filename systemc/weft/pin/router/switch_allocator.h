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
#include "weft/router/switch_allocation.h"

namespace weft::pin {

class switch_allocator : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<buffer_status> status_i{"status_i"};
  in_ports<vc_assignment> assigned_i;  ///< indexed by input port
  in_port<credit_status> credit_i{"credit_i"};
  out_port<switch_grants> grant_o{"grant_o"};

  switch_allocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs,
                   const allocator_parameters& parameters = allocator_parameters());

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
  [[gnu::always_inline]] inline switch_requests requests() const;  // runs in every cycle in which a router works

  const unsigned m_ports;
  const unsigned m_vcs;
  const allocator_design m_design;
  untraced_registers<std::uint16_t> m_state_q;  // the state of m_design
  untraced_change m_changed_q{"changed_q"};     // toggles with the state; combinational() is sensitive to it
};

}  // namespace weft::pin
