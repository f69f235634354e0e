// SPDX-License-Identifier: Apache-2.0
/// The pins of a stage in the send or the receive path of a NIC, such as a compressor or an XOR encoder.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

/// A stage plugged into a NIC, with an input stream and an output stream of packets. Packets arrive one after the
/// other, never interleaved. In the receive path this requires a buffered ejector (nic_parameters::ejection_depth).
/// Handshake: a flit moves at the end of a cycle in which it is valid and the receiver is ready.
template <unsigned PayloadBits>
class packet_stage : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<flit_t> flit_i{"flit_i"};
  out_port<bool> ready_o{"ready_o"};
  out_port<flit_t> flit_o{"flit_o"};
  in_port<bool> ready_i{"ready_i"};
  in_port<std::uint32_t> received_i{"received_i"};  ///< N: flits that this node received in the last window
  in_port<std::uint32_t> queue_i{"queue_i"};        ///< Q: packets that wait at this node behind those being sent
  out_port<bool> busy_o{"busy_o"};                  ///< requests the clock while work is pending inside

 protected:
  explicit packet_stage(sc_core::sc_module_name name) : sc_module(name) {}
};

/// Makes one stage for one port of the NIC of \p node.
template <unsigned PayloadBits>
using stage_factory =
    std::function<std::unique_ptr<packet_stage<PayloadBits>>(sc_core::sc_module_name name, node_id node)>;

/// The makers of the stages of every NIC, in the order in which packets pass the stages.
template <unsigned PayloadBits>
struct nic_stages {
  std::vector<stage_factory<PayloadBits>> send;
  std::vector<stage_factory<PayloadBits>> receive;
};

}  // namespace weft::pin
