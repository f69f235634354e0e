// SPDX-License-Identifier: Apache-2.0
/// Wrapper of the verilated weft_decompressor, with the pins of weft::pin::decompressor. It is a stage of a NIC
/// (verilated_stage.h).
#pragma once

#include "weft/cosim/verilated_stage.h"

namespace weft::tb {

template <unsigned PayloadBits>
class decompressor_pins : public pin::packet_stage<PayloadBits> {
 protected:
  explicit decompressor_pins(sc_core::sc_module_name name) : pin::packet_stage<PayloadBits>(name) {}
};

/// \tparam Model verilated weft_decompressor with Words = PayloadBits / 32; its other parameters are those of the stage
template <unsigned PayloadBits, class Model>
class verilated_decompressor : public verilated_stage<decompressor_pins<PayloadBits>, Model> {
  using base = verilated_stage<decompressor_pins<PayloadBits>, Model>;

 public:
  explicit verilated_decompressor(sc_core::sc_module_name name, int seed = 0) : base(name, seed) {
    this->sensitive_to();
  }

 private:
  void put_inputs(Model&) override {}
  void get_outputs(const Model& rtl, typename base::flit_t& out) override {
    out.error = static_cast<codec_error>(rtl.flit_error_o);
  }
};

}  // namespace weft::tb
