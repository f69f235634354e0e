// SPDX-License-Identifier: Apache-2.0
/// Wrappers of the verilated encoders and the packer of the compression datapath (verilated_block.h).
#pragma once

#include <cstdint>

#include "weft/core/bits.h"
#include "weft/cosim/verilated_block.h"
#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::tb {

/// The pins of weft_fpc_compressor
template <unsigned Words>
class fpc_compressor_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> valid_i{"valid_i"};
  pin::in_port<word_row<Words>> words_i{"words_i"};
  pin::in_port<std::uint8_t> count_i{"count_i"};
  pin::in_port<bool> last_i{"last_i"};
  sc_core::sc_out<bool> valid_o{"valid_o"};
  sc_core::sc_out<chunk<Words>> chunk_o{"chunk_o"};
  sc_core::sc_out<bool> last_o{"last_o"};

 protected:
  explicit fpc_compressor_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <unsigned Words, class Model, class Pins = fpc_compressor_pins<Words>>
class verilated_fpc_compressor : public verilated_block<Pins, Model> {
 public:
  explicit verilated_fpc_compressor(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<Pins, Model>(name, seed) {
    this->sensitive_to(this->rst_ni, this->valid_i, this->words_i, this->count_i, this->last_i);
  }

 protected:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.valid_i = this->valid_i.read();
    this->put_row(rtl.words_i, this->words_i.read());
    rtl.count_i = this->count_i.read();
    rtl.last_i = this->last_i.read();
  }
  void get_outputs(const Model& rtl) override {
    this->valid_o.write(rtl.valid_o);
    this->chunk_o.write(this->template get_string<chunk_bits(Words)>(rtl.chunk_o, rtl.length_o, "chunk_o"));
    this->last_o.write(rtl.last_o);
  }
};

/// The pins of weft_lsb_cut_compressor: those of weft_fpc_compressor, and cut_i
template <unsigned Words>
class lsb_cut_compressor_pins : public fpc_compressor_pins<Words> {
 public:
  pin::in_port<std::uint8_t> cut_i{"cut_i"};

 protected:
  explicit lsb_cut_compressor_pins(sc_core::sc_module_name name) : fpc_compressor_pins<Words>(name) {}
};

template <unsigned Words, class Model>
class verilated_lsb_cut_compressor : public verilated_fpc_compressor<Words, Model, lsb_cut_compressor_pins<Words>> {
  using encoder = verilated_fpc_compressor<Words, Model, lsb_cut_compressor_pins<Words>>;

 public:
  explicit verilated_lsb_cut_compressor(sc_core::sc_module_name name, int seed = 0) : encoder(name, seed) {
    this->sensitive << this->cut_i;
  }

 private:
  void put_inputs(Model& rtl) override {
    encoder::put_inputs(rtl);
    rtl.cut_i = this->cut_i.read();
  }
};

/// The pins of weft_bit_packer
template <unsigned Words>
class bit_packer_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> valid_i{"valid_i"};
  pin::in_port<chunk<Words>> chunk_i{"chunk_i"};
  pin::in_port<bool> last_i{"last_i"};
  sc_core::sc_out<bool> valid_o{"valid_o"};
  sc_core::sc_out<word_row<3 * Words>> flits_o{"flits_o"};
  sc_core::sc_out<std::uint8_t> count_o{"count_o"};
  sc_core::sc_out<bool> last_o{"last_o"};

 protected:
  explicit bit_packer_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <unsigned Words, class Model>
class verilated_bit_packer : public verilated_block<bit_packer_pins<Words>, Model> {
 public:
  explicit verilated_bit_packer(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<bit_packer_pins<Words>, Model>(name, seed) {
    this->sensitive_to(this->rst_ni, this->valid_i, this->chunk_i, this->last_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.valid_i = this->valid_i.read();
    put(rtl.chunk_i, this->chunk_i.read().words(), chunk<Words>::Words);
    rtl.length_i = this->chunk_i.read().size();
    rtl.last_i = this->last_i.read();
  }
  void get_outputs(const Model& rtl) override {
    this->valid_o.write(rtl.valid_o);
    this->flits_o.write(this->template get_row<3 * Words>(rtl.flits_o));
    this->count_o.write(rtl.count_o);
    this->last_o.write(rtl.last_o);
  }
};

}  // namespace weft::tb
