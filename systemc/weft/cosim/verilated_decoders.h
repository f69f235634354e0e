// SPDX-License-Identifier: Apache-2.0
/// Wrappers of the verilated decoders and the unpacker of the compression datapath (verilated_block.h).
#pragma once

#include <cstdint>

#include "weft/core/bits.h"
#include "weft/core/lsb_cut.h"
#include "weft/cosim/verilated_block.h"
#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::tb {

/// The pins of weft_bit_unpacker
template <unsigned Words>
class bit_unpacker_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> clear_i{"clear_i"};
  pin::in_port<bool> push_i{"push_i"};
  pin::in_port<word_row<Words>> flit_i{"flit_i"};
  pin::in_port<std::uint32_t> pop_i{"pop_i"};
  sc_core::sc_out<window<Words>> window_o{"window_o"};
  sc_core::sc_out<bool> room_o{"room_o"};

 protected:
  explicit bit_unpacker_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <unsigned Words, class Model>
class verilated_bit_unpacker : public verilated_block<bit_unpacker_pins<Words>, Model> {
 public:
  explicit verilated_bit_unpacker(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<bit_unpacker_pins<Words>, Model>(name, seed) {
    this->sensitive_to(this->rst_ni, this->clear_i, this->push_i, this->flit_i, this->pop_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.clear_i = this->clear_i.read();
    rtl.push_i = this->push_i.read();
    this->put_row(rtl.flit_i, this->flit_i.read());
    rtl.pop_i = this->pop_i.read();
  }
  void get_outputs(const Model& rtl) override {
    this->window_o.write(this->template get_string<window_bits(Words)>(rtl.window_o, rtl.available_o, "window_o"));
    this->room_o.write(rtl.room_o);
  }
};

/// The pins that both decoders have.
/// \tparam WordsOfGroup maximum number of words that leave in one cycle
template <unsigned Words, unsigned WordsOfGroup>
class decoder_pins : public sc_core::sc_module {
 public:
  static constexpr unsigned GroupWords = WordsOfGroup;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<window<Words>> window_i{"window_i"};
  pin::in_port<std::uint8_t> count_i{"count_i"};
  pin::in_port<bool> load_i{"load_i"};
  sc_core::sc_out<std::uint32_t> size_o{"size_o"};
  sc_core::sc_out<bool> fits_o{"fits_o"};
  sc_core::sc_out<bool> corrupt_o{"corrupt_o"};
  sc_core::sc_out<word_row<GroupWords>> words_o{"words_o"};
  sc_core::sc_out<bool> filling_o{"filling_o"};
  sc_core::sc_out<bool> excess_o{"excess_o"};

 protected:
  explicit decoder_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <unsigned Words, class Pins, class Model>
class verilated_decoder : public verilated_block<Pins, Model> {
 protected:
  verilated_decoder(sc_core::sc_module_name name, int seed) : verilated_block<Pins, Model>(name, seed) {
    this->sensitive_to(this->rst_ni, this->window_i, this->count_i, this->load_i);
  }

  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    put(rtl.window_i, this->window_i.read().words(), window<Words>::Words);
    rtl.available_i = this->window_i.read().size();
    rtl.count_i = this->count_i.read();
    rtl.load_i = this->load_i.read();
  }
  void get_outputs(const Model& rtl) override {
    this->size_o.write(rtl.size_o);
    this->fits_o.write(rtl.fits_o);
    this->corrupt_o.write(rtl.corrupt_o);
    this->words_o.write(this->template get_row<Pins::GroupWords>(rtl.words_o));
    this->filling_o.write(rtl.filling_o);
    this->excess_o.write(rtl.excess_o);
  }
};

/// The pins of weft_fpc_decompressor
template <unsigned Words>
class fpc_decompressor_pins : public decoder_pins<Words, Words> {
 public:
  pin::in_port<std::uint32_t> left_i{"left_i"};
  pin::in_port<bool> clear_i{"clear_i"};

 protected:
  explicit fpc_decompressor_pins(sc_core::sc_module_name name) : decoder_pins<Words, Words>(name) {}
};

template <unsigned Words, class Model>
class verilated_fpc_decompressor : public verilated_decoder<Words, fpc_decompressor_pins<Words>, Model> {
  using decoder = verilated_decoder<Words, fpc_decompressor_pins<Words>, Model>;

 public:
  explicit verilated_fpc_decompressor(sc_core::sc_module_name name, int seed = 0) : decoder(name, seed) {
    this->sensitive << this->left_i << this->clear_i;
  }

 private:
  void put_inputs(Model& rtl) override {
    decoder::put_inputs(rtl);
    rtl.left_i = this->left_i.read();
    rtl.clear_i = this->clear_i.read();
  }
};

/// The pins of weft_lsb_cut_decompressor
template <unsigned Words>
class lsb_cut_decompressor_pins : public decoder_pins<Words, lsb_cut_group_words(Words)> {
 public:
  pin::in_port<std::uint8_t> cut_i{"cut_i"};

 protected:
  explicit lsb_cut_decompressor_pins(sc_core::sc_module_name name)
      : decoder_pins<Words, lsb_cut_group_words(Words)>(name) {}
};

template <unsigned Words, class Model>
class verilated_lsb_cut_decompressor : public verilated_decoder<Words, lsb_cut_decompressor_pins<Words>, Model> {
  using decoder = verilated_decoder<Words, lsb_cut_decompressor_pins<Words>, Model>;

 public:
  explicit verilated_lsb_cut_decompressor(sc_core::sc_module_name name, int seed = 0) : decoder(name, seed) {
    this->sensitive << this->cut_i;
  }

 private:
  void put_inputs(Model& rtl) override {
    decoder::put_inputs(rtl);
    rtl.cut_i = this->cut_i.read();
  }
};

}  // namespace weft::tb
