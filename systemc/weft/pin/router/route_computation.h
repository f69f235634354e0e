// SPDX-License-Identifier: Apache-2.0
/// Route computation: one look-up for every head that an input unit announces.
///
/// Latency    A head announced on head_i in cycle t has its route on route_o in t+1 (stage RC).
/// Handshake  None: every announcement is answered, for all ports at once.
#pragma once

#include <systemc>

#include "weft/core/routing.h"
#include "weft/core/vc_classes.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/router/router_signals.h"

namespace weft::pin {

class route_computation : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<in_port<head_announcement>> head_i;
  sc_core::sc_vector<sc_core::sc_out<route_announcement>> route_o;

  /// \param rule      the routing function of this router, constant
  /// \param class_vcs VCs of each class: those that the rule knows of
  route_computation(sc_core::sc_module_name name, unsigned ports, const route_rule& rule, unsigned class_vcs = MaxVcs);

 private:
  WEFT_CLOCKED_PROCESS;

  void reset();
  void step();

  const unsigned m_ports;
  const route_rule m_rule;
  const unsigned m_class_vcs;
  port_set m_announced_q = 0;  // ports whose route_o is asserted: to be taken back
};

}  // namespace weft::pin
