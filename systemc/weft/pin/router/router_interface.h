// SPDX-License-Identifier: Apache-2.0
/// The interface of a router to a network, for the modules of this level and for RTL with the same pins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <systemc>

#include "weft/core/network_model.h"
#include "weft/core/parameters.h"
#include "weft/core/routing.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

/// The wires of one port: flits in with credits back, flits out with credits back. The wires of a direction without a
/// channel stay undriven.
template <unsigned PayloadBits>
struct port_wires {
  wire<flit<PayloadBits>>* flit_in = nullptr;
  wire<credit>* credit_out = nullptr;
  wire<flit<PayloadBits>>* flit_out = nullptr;
  wire<credit>* credit_in = nullptr;
};

template <unsigned PayloadBits>
class router_interface : public gated_unit {
 public:
  using flit_t = flit<PayloadBits>;

  in_port<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<in_port<flit_t>> flit_i;
  sc_core::sc_vector<out_port<credit>> credit_o;
  sc_core::sc_vector<out_port<flit_t>> flit_o;
  sc_core::sc_vector<in_port<credit>> credit_i;

  /// Binds \p port to its channels; their strobes enable the clocks of their readers and writers.
  virtual void bind(unsigned port, const port_wires<PayloadBits>& wires) = 0;

#ifndef WEFT_SYNTHESIS
  /// Registers \p packets, which counts the tails that leave.
  virtual void attach(packet_table& packets) = 0;
  unsigned ports() const { return static_cast<unsigned>(flit_i.size()); }
  /// Flits that have left through \p port since reset.
  virtual std::uint64_t sent(unsigned port) const = 0;
  /// Credits of VC \p vc of output \p port. crossing(): flits that have left an input buffer for it, but not by flit_o.
  virtual unsigned credits(unsigned port, unsigned vc) const = 0;
  virtual unsigned crossing(unsigned port, unsigned vc) const = 0;
  /// Flits in the buffer of VC \p vc of input \p port.
  virtual unsigned buffered(unsigned port, unsigned vc) const = 0;
  /// Describes an inconsistency in the assignment of output VCs, or returns an empty string.
  virtual std::string audit_holders() const = 0;
  /// Packets at the front of an input VC that cannot move. The caller sets the number of the router and the identity of
  /// the packet; the result contains the packet's number in the table.
  virtual std::vector<blocked_packet> blocked() const = 0;
#endif

 protected:
  router_interface(sc_core::sc_module_name name, std::size_t ports)
      : gated_unit(name),
        flit_i("flit_i", ports),
        credit_o("credit_o", ports),
        flit_o("flit_o", ports),
        credit_i("credit_i", ports) {}

  /// Binds the ports only.
  void bind_wires(unsigned port, const port_wires<PayloadBits>& wires) {
    flit_i[port](*wires.flit_in);
    credit_o[port](*wires.credit_out);
    flit_o[port](*wires.flit_out);
    credit_i[port](*wires.credit_in);
  }
};

/// Makes a router in another implementation; the parameters are those of router.
template <unsigned PayloadBits>
using router_maker = std::function<std::unique_ptr<router_interface<PayloadBits>>(
    sc_core::sc_module_name, const router_parameters&, const route_rule&, const std::vector<unsigned>& output_depths,
    std::size_t nodes, clock_gate&)>;

/// Another implementation of routers, for every payload width that it supports.
struct external_routers {
  std::tuple<router_maker<32>, router_maker<64>, router_maker<128>, router_maker<256>> make;
  std::vector<router_id> routers;  ///< routers that use it; empty = all

  bool at(router_id router) const {
    return routers.empty() || std::find(routers.begin(), routers.end(), router) != routers.end();
  }
};

}  // namespace weft::pin
