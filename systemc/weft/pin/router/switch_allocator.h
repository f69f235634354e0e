// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: selects the input VCs that send a flit across the switch in the next cycle.
///
/// Latency    Combinational: grant_o of cycle t depends on status_i, assigned_i and credit_i of cycle t (stage SA). The
///            pointers of the arbiters move at the end of t.
/// Handshake  A VC requests the switch if it has a flit and holds an output VC with a credit. A grant is final: the
///            input unit, the output unit and the VC allocator act on it in the same cycle.
#pragma once

#include <systemc>

#include "weft/core/allocation.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/router/router_signals.h"

namespace weft::pin {

class switch_allocator : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<buffer_status> status_i{"status_i"};
  in_ports<vc_assignment> assigned_i;  ///< indexed by input port
  in_port<credit_status> credit_i{"credit_i"};
  out_port<switch_grants> grant_o{"grant_o"};

  switch_allocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs);

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

  const unsigned m_ports;
  const unsigned m_vcs;
  untraced_register<switch_pointers> m_pointers_q{"pointers_q"};
  untraced_change m_changed_q{"changed_q"};  // toggles with the pointers; combinational() is sensitive to it
};

}  // namespace weft::pin
