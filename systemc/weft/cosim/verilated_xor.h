// SPDX-License-Identifier: Apache-2.0
/// Wrappers of the verilated weft_xor_encoder and weft_xor_decoder, with the pins of weft::pin::xor_encoder and
/// weft::pin::xor_decoder. They are stages of a NIC (verilated_stage.h). Because they combine, store and resolve
/// packets, flits leave them without tags.
#pragma once

#include "weft/cosim/verilated_stage.h"

namespace weft::tb {

template <unsigned PayloadBits>
class xor_pins : public pin::packet_stage<PayloadBits> {
 protected:
  explicit xor_pins(sc_core::sc_module_name name) : pin::packet_stage<PayloadBits>(name) {}
};

/// \tparam Model verilated weft_xor_encoder with Words = PayloadBits / 32; its other parameters are those of the stage
template <unsigned PayloadBits, class Model>
class verilated_xor_encoder : public verilated_stage<xor_pins<PayloadBits>, Model, false> {
  using base = verilated_stage<xor_pins<PayloadBits>, Model, false>;

 public:
  explicit verilated_xor_encoder(sc_core::sc_module_name name, int seed = 0) : base(name, seed) {
    this->sensitive_to();
  }

 private:
  void put_inputs(Model& rtl) override { put(rtl.flit_code_i, code_of(this->flit_i.read())); }
  void get_outputs(const Model& rtl, typename base::flit_t& out) override { put_code(out, get_code(rtl.flit_code_o)); }
};

template <unsigned PayloadBits>
class xor_decoder_pins : public xor_pins<PayloadBits> {
 public:
  pin::in_port<bool> flush_i{"flush_i"};

 protected:
  using xor_pins<PayloadBits>::xor_pins;
};

/// \tparam Model verilated weft_xor_decoder with Words = PayloadBits / 32; its other parameters are those of the stage
template <unsigned PayloadBits, class Model>
class verilated_xor_decoder : public verilated_stage<xor_decoder_pins<PayloadBits>, Model, false> {
  using base = verilated_stage<xor_decoder_pins<PayloadBits>, Model, false>;

 public:
  explicit verilated_xor_decoder(sc_core::sc_module_name name, int seed = 0) : base(name, seed) {
    this->sensitive_to(this->flush_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    put(rtl.flit_code_i, code_of(this->flit_i.read()));
    rtl.flit_error_i = static_cast<unsigned>(this->flit_i.read().error);
    rtl.flush_i = this->flush_i.read();
  }
  void get_outputs(const Model& rtl, typename base::flit_t& out) override {
    put_code(out, get_code(rtl.flit_code_o));
    out.error = static_cast<codec_error>(rtl.flit_error_o);
  }
};

}  // namespace weft::tb
