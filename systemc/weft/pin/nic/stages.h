// SPDX-License-Identifier: Apache-2.0
/// Makes the stages of a network's NICs, in the order in which packets pass them: in the send path, the XOR encoder
/// precedes the compressor.
#pragma once

#include <memory>
#include <utility>

#include <systemc>

#include "weft/core/parameters.h"
#include "weft/pin/nic/compression.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/nic/xor_decoder.h"
#include "weft/pin/nic/xor_encoder.h"

namespace weft::pin {

/// The XOR decoder of a simulated network. It never needs a flush, because no packet is lost.
template <unsigned PayloadBits>
class unflushed_xor_decoder final : public xor_decoder<PayloadBits> {
 public:
  unflushed_xor_decoder(sc_core::sc_module_name name, const xor_parameters& parameters)
      : xor_decoder<PayloadBits>(name, parameters) {
    this->flush_i(m_never);
  }

 private:
  sc_core::sc_signal<bool> m_never{"never"};
};

/// Makes the stages that \p nic configures. \p settings and \p external have the same meaning as in
/// make_compression_stages().
template <unsigned PayloadBits>
nic_stages<PayloadBits> make_stages(const nic_parameters& nic, const compression_settings& settings,
                                    std::shared_ptr<const external_stages> external) {
  using stage = packet_stage<PayloadBits>;
  nic_stages<PayloadBits> stages = make_compression_stages<PayloadBits>(nic.compression, settings, std::move(external));
  if (!nic.coding.enabled) return stages;
  const xor_parameters p = nic.coding;
  stages.send.insert(stages.send.begin(), [p](sc_core::sc_module_name name, node_id) -> std::unique_ptr<stage> {
    return std::make_unique<xor_encoder<PayloadBits>>(name, p);
  });
  stages.receive.push_back([p](sc_core::sc_module_name name, node_id) -> std::unique_ptr<stage> {
    return std::make_unique<unflushed_xor_decoder<PayloadBits>>(name, p);
  });
  return stages;
}

}  // namespace weft::pin
