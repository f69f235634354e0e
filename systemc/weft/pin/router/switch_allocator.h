// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: decides which input VCs send a flit across the switch in the next cycle.
///
/// Latency    Combinational: grant_o of cycle t follows from what status_i, assigned_i and credit_i show in t (stage
///            SA). The arbiters' pointers move at the end of t.
/// Handshake  A VC takes part if it has a flit, an output VC, and that VC a credit. A grant is final: input unit,
///            output unit and VC allocator act on it in the same cycle.
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
  in_ports<vc_assignment> assigned_i;  ///< of each input port
  in_port<credit_status> credit_i{"credit_i"};
  out_port<switch_grants> grant_o{"grant_o"};

  switch_allocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs);

  /// \p self runs combinational() from now on.
  void follow(follower& self) {
    self.runs(*this);
    m_changed_q.wakes(self);
  }

 private:
  friend class follower;
  WEFT_CLOCKED_PROCESS;

  void combinational();
  void reset();
  void step();

  const unsigned m_ports;
  const unsigned m_vcs;
  quiet_register<switch_pointers> m_pointers_q{"pointers_q"};
  quiet_change m_changed_q{"changed_q"};  // toggles with the pointers, for combinational()
};

}  // namespace weft::pin
