// SPDX-License-Identifier: Apache-2.0
/// Wrapper of the verilated weft_compressor, with the pins of weft::pin::compressor. It is a stage of a NIC
/// (verilated_stage.h).
#pragma once

#include <algorithm>

#include "weft/cosim/verilated_stage.h"

namespace weft::tb {

template <unsigned PayloadBits>
class compressor_pins : public pin::packet_stage<PayloadBits> {
 public:
  pin::in_port<std::uint8_t> mode_i{"mode_i"};  ///< a selection_mode
  pin::in_port<std::uint32_t> length_threshold_i{"length_threshold_i"};
  pin::in_port<std::uint32_t> received_threshold_i{"received_threshold_i"};
  pin::in_port<std::uint32_t> queue_threshold_i{"queue_threshold_i"};
  pin::in_port<std::uint8_t> cut_i{"cut_i"};  ///< number of bits that LSB-cut removes, 0…MaxCut; constant while busy

 protected:
  explicit compressor_pins(sc_core::sc_module_name name) : pin::packet_stage<PayloadBits>(name) {}
};

/// \tparam Model verilated weft_compressor with Words = PayloadBits / 32; its other parameters are those of the stage
template <unsigned PayloadBits, class Model>
class verilated_compressor : public verilated_stage<compressor_pins<PayloadBits>, Model> {
  using base = verilated_stage<compressor_pins<PayloadBits>, Model>;

 public:
  explicit verilated_compressor(sc_core::sc_module_name name, int seed = 0) : base(name, seed) {
    this->sensitive_to(this->received_i, this->queue_i, this->mode_i, this->length_threshold_i,
                       this->received_threshold_i, this->queue_threshold_i, this->cut_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.received_i = this->received_i.read();
    rtl.queue_i = this->queue_i.read();
    rtl.mode_i = this->mode_i.read();
    // In the RTL this threshold has as many bits as a length. Limiting it changes nothing, because no packet is longer.
    rtl.length_threshold_i = std::min<std::uint32_t>(this->length_threshold_i.read(), (1U << HeaderLengthBits) - 1);
    rtl.received_threshold_i = this->received_threshold_i.read();
    rtl.queue_threshold_i = this->queue_threshold_i.read();
    rtl.cut_i = this->cut_i.read();
  }
  void get_outputs(const Model&, typename base::flit_t&) override {}
};

}  // namespace weft::tb
