// SPDX-License-Identifier: Apache-2.0
/// Route computation: computes the route of every head that the input unit announces.
///
/// Latency    A head announced on head_i in cycle t has its route on route_o in t+1 (stage RC), or in t with lookahead
///            routing: then the router before this one has computed the route, and the head carries it. The module
///            computes it again, which saves wires and gives the same route.
/// Handshake  None: every announcement is answered, for all ports at once.
#pragma once

#include <memory>

#include <systemc>

#include "weft/core/routing.h"
#include "weft/core/vc_classes.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/router/router_signals.h"
#include "weft/router/switch_inputs.h"

namespace weft::pin {

/// The pins, which are the same for all routing functions.
class route_computation : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_ports<head_announcement> head_i;     ///< indexed by input of the switch (switch_inputs)
  out_ports<route_announcement> route_o;  ///< likewise

  /// Binds clk_i to \p clock and registers the module with it.
  virtual void bind_clock(gated_clock& clock) = 0;

 protected:
  route_computation(sc_core::sc_module_name name, const switch_inputs& inputs);

  const switch_inputs m_inputs;
};

/// \tparam Rule   type of the routing function, which is fixed for each hardware module
/// \tparam Source type from which the constructor makes the Rule
template <typename Rule, typename Source = Rule>
class route_computation_by : public route_computation {
 public:
  route_computation_by(sc_core::sc_module_name name, const switch_inputs& inputs, const Source& rule,
                       unsigned class_vcs, bool lookahead);

  void bind_clock(gated_clock& clock) override { drive(*this, clock); }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset();
  void step();
  void combinational();
  void compute(port_set touched);

  const Rule m_rule;
  const unsigned m_class_vcs;
  const bool m_lookahead;
  port_set m_announced_q = 0;  // inputs whose route_o is asserted and must be cleared
};

/// Makes the module for the routing function \p rule.
/// \param rule      routing function of this router, constant
/// \param class_vcs number of VCs of each class, for which \p rule was built
/// \param lookahead whether routes are needed in the cycle of the announcement
/// \param speedup   inputs of the switch for each port
std::unique_ptr<route_computation> make_route_computation(const char* name, unsigned ports, const route_rule& rule,
                                                          unsigned class_vcs = MaxVcs, bool lookahead = false,
                                                          unsigned speedup = 1);

}  // namespace weft::pin
