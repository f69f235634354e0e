// SPDX-License-Identifier: Apache-2.0
/// The interface between a NIC and the network. NICs of this level and NICs in RTL with the same pins implement it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/core/network_observer.h"
#include "weft/core/parameters.h"
#include "weft/core/path_ids.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"
#include "weft/pin/waits_on_channel.h"

namespace weft::pin {

template <unsigned PayloadBits>
class nic_interface : public gated_unit {
 public:
  using flit_t = flit<PayloadBits>;

  in_port<bool> rst_ni{"rst_ni"};
  in_port<bool> tick_i{"tick_i"};
  // Pins to and from the node
  sc_core::sc_vector<in_port<flit_t>> send_i;
  sc_core::sc_vector<out_port<bool>> send_ready_o;
  in_port<std::uint32_t> queue_i{"queue_i"};  ///< Q: packets that wait behind those being sent
  sc_core::sc_vector<out_port<flit_t>> receive_o;
  sc_core::sc_vector<in_port<bool>> receive_ready_i;
  sc_core::sc_vector<in_port<vc_set>>
      accept_i;  ///< exists, as one port, only if the node may accept some classes and not others
  out_port<std::uint32_t> received_o{"received_o"};  ///< N: flits received in the last window
  // Pins to and from the router
  sc_core::sc_vector<out_port<flit_t>> flit_o;
  sc_core::sc_vector<in_port<credit>> credit_i;
  sc_core::sc_vector<in_port<flit_t>> flit_i;
  sc_core::sc_vector<out_port<credit>> credit_o;

  /// Binds port \p port to its channels; their strobes enable the clocks of their readers and writers.
  virtual void bind_router(unsigned port, wire<flit_t>& injected, wire<credit>& injected_credit, wire<flit_t>& ejected,
                           wire<credit>& ejected_credit) = 0;
  /// Binds port \p port to the node's two streams.
  virtual void bind_node(unsigned port, wire<flit_t>& sent, wire<bool>& sent_ready, wire<flit_t>& received,
                         wire<bool>& received_ready) = 0;
  virtual void bind_tick(wire<bool>& tick) = 0;

#ifndef WEFT_SYNTHESIS
  /// Reports every flit between NIC and router to \p observer.
  /// \param clocks  source of the time of an event
  /// \param packets table of the packets in the network
  /// \param waits   for each port, the waits of the flits on the channel to the router; empty if waits are not recorded
  virtual void attach(network_observer& observer, const clock_gate& clocks, const packet_table& packets,
                      const std::vector<waits_on_channel*>& waits) = 0;
  /// Number of credits for VC \p vc of the router's port (credits), and of flits sent to that port since reset (sent).
  virtual unsigned credits(unsigned port, unsigned vc) const = 0;
  virtual std::uint64_t sent(unsigned port) const = 0;
  /// Number of flits in the buffer of ejection VC \p vc (buffered), and of flits received from the router since reset
  /// (received).
  virtual unsigned buffered(unsigned port, unsigned vc) const = 0;
  virtual std::uint64_t received(unsigned port) const = 0;
  /// The VCs of which the next flit of a packet of \p message_class needs one, or 0 if it can be sent.
  virtual vc_set awaited_vcs(unsigned port, unsigned message_class) const = 0;
  /// The first flits of the ejection VCs that the node does not accept.
  virtual std::vector<flit_t> rejected(unsigned port) const = 0;
#endif

 protected:
  nic_interface(sc_core::sc_module_name name, unsigned ports, bool accepts_by_class)
      : gated_unit(name),
        send_i("send_i", ports),
        send_ready_o("send_ready_o", ports),
        receive_o("receive_o", ports),
        receive_ready_i("receive_ready_i", ports),
        accept_i("accept_i", accepts_by_class ? 1 : 0),
        flit_o("flit_o", ports),
        credit_i("credit_i", ports),
        flit_i("flit_i", ports),
        credit_o("credit_o", ports) {}
};

/// Makes a NIC in another implementation, including its stages. The parameters are those of the constructor of nic.
template <unsigned PayloadBits>
using nic_maker = std::function<std::unique_ptr<nic_interface<PayloadBits>>(
    sc_core::sc_module_name, node_id, unsigned ports, const path_selector&, const router_parameters&,
    const nic_parameters&, clock_gate&)>;

/// Another implementation of NICs, with a maker for each payload width that it supports.
struct external_nics {
  std::tuple<nic_maker<32>, nic_maker<64>, nic_maker<128>, nic_maker<256>> make;
  std::vector<node_id> nodes;  ///< nodes that use it; empty = all nodes

  bool at(node_id node) const { return nodes.empty() || std::find(nodes.begin(), nodes.end(), node) != nodes.end(); }
};

}  // namespace weft::pin
