// SPDX-License-Identifier: Apache-2.0
/// The interface between a router and the network. Routers of this level and routers in RTL with the same pins
/// implement it.
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

/// The wires of one port: flits in with credits back, and flits out with credits back. If a direction has no channel,
/// its wires stay undriven.
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
  /// Sets the packet table. When a tail leaves this router, the router increments the number of routers of its packet
  /// in this table.
  virtual void attach(packet_table& packets) = 0;
  unsigned ports() const { return static_cast<unsigned>(flit_i.size()); }
  /// Number of flits that have left through output port \p port since reset.
  virtual std::uint64_t sent(unsigned port) const = 0;
  /// Number of credits for VC \p vc of output port \p port (credits), and of flits to this VC that have left an input
  /// buffer but are not on flit_o yet (crossing).
  virtual unsigned credits(unsigned port, unsigned vc) const = 0;
  virtual unsigned crossing(unsigned port, unsigned vc) const = 0;
  /// Number of flits in the buffer of VC \p vc of input port \p port.
  virtual unsigned buffered(unsigned port, unsigned vc) const = 0;
  /// Returns a description of an inconsistency in the assignment of output VCs, or an empty string if there is none.
  virtual std::string audit_holders() const = 0;
  /// Returns the packets at the front of an input VC that cannot move. The result contains each packet's number in the
  /// table; the caller replaces it by the packet's identity, and sets the number of the router.
  virtual std::vector<blocked_packet> blocked() const = 0;
#endif

 protected:
  router_interface(sc_core::sc_module_name name, std::size_t ports)
      : gated_unit(name),
        flit_i("flit_i", ports),
        credit_o("credit_o", ports),
        flit_o("flit_o", ports),
        credit_i("credit_i", ports) {}

  /// Binds only the ports to the wires.
  void bind_wires(unsigned port, const port_wires<PayloadBits>& wires) {
    flit_i[port](*wires.flit_in);
    credit_o[port](*wires.credit_out);
    flit_o[port](*wires.flit_out);
    credit_i[port](*wires.credit_in);
  }
};

/// Makes a router in another implementation. The parameters are those of the constructor of router.
template <unsigned PayloadBits>
using router_maker = std::function<std::unique_ptr<router_interface<PayloadBits>>(
    sc_core::sc_module_name, const router_parameters&, const route_rule&, const std::vector<unsigned>& output_depths,
    const std::vector<unsigned>& phits, std::size_t nodes, clock_gate&)>;

/// Another implementation of routers, with a maker for each payload width that it supports.
struct external_routers {
  std::tuple<router_maker<32>, router_maker<64>, router_maker<128>, router_maker<256>> make;
  std::vector<router_id> routers;  ///< routers that use it; empty = all routers

  bool at(router_id router) const {
    return routers.empty() || std::find(routers.begin(), routers.end(), router) != routers.end();
  }
};

}  // namespace weft::pin
