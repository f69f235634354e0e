/// The blocks of the compression datapath as Verilator made them, with the pins of the modules in weft/pin. They follow
/// clock edges, reset and inputs like the RTL itself; see verilated_stage.h for the two stages.
///
/// A string of bits is two wires in RTL, bits and length, and one value here. The RTL promises zeros above the length;
/// that is checked on the way.
#pragma once

#include "tb/pins.h"
#include "tb/verilated.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "weft/core/bits.h"
#include "weft/core/lsb_cut.h"
#include "weft/pin/check.h"
#include "weft/pin/codec/codec_signals.h"
#include "weft/pin/signals.h"

namespace weft::tb {

/// What the wrappers of the blocks share. \tparam Pins the module without its inside: its ports.
template <class Pins, class Model, bool Clocked = true>
class verilated_block : public Pins {
 public:
  SC_HAS_PROCESS(verilated_block);
  using Pins::name;

 protected:
  verilated_block(sc_core::sc_module_name module_name, int seed) : Pins(module_name), m_rtl(name(), seed) {}

  /// To be called once, in the constructor: the inputs, clock and reset among them where there are such.
  template <typename... Inputs>
  void follows(Inputs&... inputs) {
    SC_METHOD(process);
    (void)(this->sensitive << ... << inputs);
    if constexpr (Clocked) this->sensitive << this->clk_i.pos();
  }

  virtual void put_inputs(Model& rtl) = 0;
  virtual void get_outputs(const Model& rtl) = 0;

  template <unsigned Count, typename Port>
  static void put_row(Port& port, const pin::word_row<Count>& row) {
    std::array<std::uint64_t, (Count + 1) / 2> words{};
    for (unsigned i = 0; i < Count; ++i) words[i / 2] |= std::uint64_t{row.word[i]} << (32 * (i % 2));
    put(port, words.data(), words.size());
  }
  template <unsigned Count, typename Port>
  static pin::word_row<Count> get_row(const Port& port) {
    std::array<std::uint64_t, (Count + 1) / 2> words{};
    get(port, words.data(), words.size());
    pin::word_row<Count> row;
    for (unsigned i = 0; i < Count; ++i) row.word[i] = static_cast<std::uint32_t>(words[i / 2] >> (32 * (i % 2)));
    return row;
  }
  template <unsigned Capacity, typename Port>
  bit_string<Capacity> get_string(const Port& port, unsigned length, const char* what) const {
    bit_string<Capacity> all, string;
    std::array<std::uint64_t, bit_string<Capacity>::Words> words{};
    get(port, words.data(), words.size());
    WEFT_ASSERT(length <= Capacity, what << " has " << length << " bits, of " << Capacity);
    all.append(words, Capacity);
    string.append(words, length);
    // Registers without reset may hold anything until the first edge after it.
    WEFT_ASSERT(!m_had_edge || !all.any_from(length),
                what << " has bits above its length of " << length << ": " << all);
    return string;
  }

 private:
  void process() {
    if constexpr (Clocked) {
      if (this->clk_i->posedge()) {
        m_rtl.edge();
        m_had_edge = true;
      }
      if (!this->rst_ni.read()) m_had_edge = false;
    }
    put_inputs(*m_rtl);
    m_rtl.follow();
    get_outputs(*m_rtl);
  }

  verilated<Model> m_rtl;
  bool m_had_edge = false;
};

/// weft_fpc_compressor
template <unsigned Words>
class fpc_compressor_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> valid_i{"valid_i"};
  pin::in_port<pin::word_row<Words>> words_i{"words_i"};
  pin::in_port<std::uint8_t> count_i{"count_i"};
  pin::in_port<bool> last_i{"last_i"};
  sc_core::sc_out<bool> valid_o{"valid_o"};
  sc_core::sc_out<chunk<Words>> chunk_o{"chunk_o"};
  sc_core::sc_out<bool> last_o{"last_o"};

 protected:
  explicit fpc_compressor_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <unsigned Words, class Model>
class verilated_fpc_compressor : public verilated_block<fpc_compressor_pins<Words>, Model> {
 public:
  explicit verilated_fpc_compressor(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<fpc_compressor_pins<Words>, Model>(name, seed) {
    this->follows(this->rst_ni, this->valid_i, this->words_i, this->count_i, this->last_i);
  }

 private:
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

/// weft_lsb_cut_compressor
template <unsigned Words>
class lsb_cut_compressor_pins : public fpc_compressor_pins<Words> {
 public:
  pin::in_port<std::uint8_t> cut_i{"cut_i"};

 protected:
  explicit lsb_cut_compressor_pins(sc_core::sc_module_name name) : fpc_compressor_pins<Words>(name) {}
};

template <unsigned Words, class Model>
class verilated_lsb_cut_compressor : public verilated_block<lsb_cut_compressor_pins<Words>, Model> {
 public:
  explicit verilated_lsb_cut_compressor(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<lsb_cut_compressor_pins<Words>, Model>(name, seed) {
    this->follows(this->rst_ni, this->valid_i, this->words_i, this->count_i, this->last_i, this->cut_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.valid_i = this->valid_i.read();
    this->put_row(rtl.words_i, this->words_i.read());
    rtl.count_i = this->count_i.read();
    rtl.last_i = this->last_i.read();
    rtl.cut_i = this->cut_i.read();
  }
  void get_outputs(const Model& rtl) override {
    this->valid_o.write(rtl.valid_o);
    this->chunk_o.write(this->template get_string<chunk_bits(Words)>(rtl.chunk_o, rtl.length_o, "chunk_o"));
    this->last_o.write(rtl.last_o);
  }
};

/// weft_bit_packer
template <unsigned Words>
class bit_packer_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> valid_i{"valid_i"};
  pin::in_port<chunk<Words>> chunk_i{"chunk_i"};
  pin::in_port<bool> last_i{"last_i"};
  sc_core::sc_out<bool> valid_o{"valid_o"};
  sc_core::sc_out<pin::word_row<3 * Words>> flits_o{"flits_o"};
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
    this->follows(this->rst_ni, this->valid_i, this->chunk_i, this->last_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.valid_i = this->valid_i.read();
    put(rtl.chunk_i, this->chunk_i.read().words().data(), chunk<Words>::Words);
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

/// weft_bit_unpacker
template <unsigned Words>
class bit_unpacker_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> clear_i{"clear_i"};
  pin::in_port<bool> push_i{"push_i"};
  pin::in_port<pin::word_row<Words>> flit_i{"flit_i"};
  pin::in_port<std::uint32_t> take_i{"take_i"};
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
    this->follows(this->rst_ni, this->clear_i, this->push_i, this->flit_i, this->take_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.clear_i = this->clear_i.read();
    rtl.push_i = this->push_i.read();
    this->put_row(rtl.flit_i, this->flit_i.read());
    rtl.take_i = this->take_i.read();
  }
  void get_outputs(const Model& rtl) override {
    this->window_o.write(this->template get_string<window_bits(Words)>(rtl.window_o, rtl.available_o, "window_o"));
    this->room_o.write(rtl.room_o);
  }
};

/// weft_fpc_decompressor
template <unsigned Words>
class fpc_decompressor_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<window<Words>> window_i{"window_i"};
  pin::in_port<std::uint8_t> count_i{"count_i"};
  pin::in_port<std::uint32_t> left_i{"left_i"};
  pin::in_port<bool> load_i{"load_i"};
  pin::in_port<bool> clear_i{"clear_i"};
  sc_core::sc_out<std::uint32_t> take_o{"take_o"};
  sc_core::sc_out<bool> fits_o{"fits_o"};
  sc_core::sc_out<bool> corrupt_o{"corrupt_o"};
  sc_core::sc_out<pin::word_row<Words>> words_o{"words_o"};
  sc_core::sc_out<bool> filling_o{"filling_o"};
  sc_core::sc_out<bool> excess_o{"excess_o"};

 protected:
  explicit fpc_decompressor_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <unsigned Words, class Model>
class verilated_fpc_decompressor : public verilated_block<fpc_decompressor_pins<Words>, Model> {
 public:
  explicit verilated_fpc_decompressor(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<fpc_decompressor_pins<Words>, Model>(name, seed) {
    this->follows(this->rst_ni, this->window_i, this->count_i, this->left_i, this->load_i, this->clear_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    put(rtl.window_i, this->window_i.read().words().data(), window<Words>::Words);
    rtl.available_i = this->window_i.read().size();
    rtl.count_i = this->count_i.read();
    rtl.left_i = this->left_i.read();
    rtl.load_i = this->load_i.read();
    rtl.clear_i = this->clear_i.read();
  }
  void get_outputs(const Model& rtl) override {
    this->take_o.write(rtl.take_o);
    this->fits_o.write(rtl.fits_o);
    this->corrupt_o.write(rtl.corrupt_o);
    this->words_o.write(this->template get_row<Words>(rtl.words_o));
    this->filling_o.write(rtl.filling_o);
    this->excess_o.write(rtl.excess_o);
  }
};

/// weft_lsb_cut_decompressor
template <unsigned Words>
class lsb_cut_decompressor_pins : public sc_core::sc_module {
 public:
  static constexpr unsigned GroupWords = lsb_cut_group_words(Words);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<window<Words>> window_i{"window_i"};
  pin::in_port<std::uint8_t> count_i{"count_i"};
  pin::in_port<std::uint8_t> cut_i{"cut_i"};
  pin::in_port<bool> load_i{"load_i"};
  sc_core::sc_out<std::uint32_t> take_o{"take_o"};
  sc_core::sc_out<bool> fits_o{"fits_o"};
  sc_core::sc_out<bool> corrupt_o{"corrupt_o"};
  sc_core::sc_out<pin::word_row<GroupWords>> words_o{"words_o"};
  sc_core::sc_out<bool> filling_o{"filling_o"};
  sc_core::sc_out<bool> excess_o{"excess_o"};

 protected:
  explicit lsb_cut_decompressor_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <unsigned Words, class Model>
class verilated_lsb_cut_decompressor : public verilated_block<lsb_cut_decompressor_pins<Words>, Model> {
 public:
  explicit verilated_lsb_cut_decompressor(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<lsb_cut_decompressor_pins<Words>, Model>(name, seed) {
    this->follows(this->rst_ni, this->window_i, this->count_i, this->cut_i, this->load_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    put(rtl.window_i, this->window_i.read().words().data(), window<Words>::Words);
    rtl.available_i = this->window_i.read().size();
    rtl.count_i = this->count_i.read();
    rtl.cut_i = this->cut_i.read();
    rtl.load_i = this->load_i.read();
    rtl.clear_i = false;     // does nothing
    rtl.left_i = 0xff'ffff;  // for an assertion only
  }
  void get_outputs(const Model& rtl) override {
    this->take_o.write(rtl.take_o);
    this->fits_o.write(rtl.fits_o);
    this->corrupt_o.write(rtl.corrupt_o);
    this->words_o.write(this->template get_row<lsb_cut_group_words(Words)>(rtl.words_o));
    this->filling_o.write(rtl.filling_o);
    this->excess_o.write(rtl.excess_o);
  }
};

/// weft_compression_selector
class compression_selector_pins : public sc_core::sc_module {
 public:
  pin::in_port<std::uint8_t> mode_i{"mode_i"};
  pin::in_port<std::uint8_t> type_i{"type_i"};
  pin::in_port<std::uint32_t> flits_i{"flits_i"};
  pin::in_port<std::uint32_t> words_i{"words_i"};
  pin::in_port<std::uint8_t> codec_i{"codec_i"};
  pin::in_port<std::uint32_t> received_i{"received_i"};
  pin::in_port<std::uint32_t> queue_i{"queue_i"};
  pin::in_port<std::uint32_t> length_threshold_i{"length_threshold_i"};
  pin::in_port<std::uint32_t> received_threshold_i{"received_threshold_i"};
  pin::in_port<std::uint32_t> queue_threshold_i{"queue_threshold_i"};
  sc_core::sc_out<std::uint8_t> codec_o{"codec_o"};

 protected:
  explicit compression_selector_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <class Model>
class verilated_compression_selector : public verilated_block<compression_selector_pins, Model, false> {
 public:
  explicit verilated_compression_selector(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<compression_selector_pins, Model, false>(name, seed) {
    this->follows(this->mode_i, this->type_i, this->flits_i, this->words_i, this->codec_i, this->received_i,
                  this->queue_i, this->length_threshold_i, this->received_threshold_i, this->queue_threshold_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.mode_i = this->mode_i.read();
    rtl.type_i = this->type_i.read();
    rtl.flits_i = this->flits_i.read();
    rtl.words_i = this->words_i.read();
    rtl.codec_i = this->codec_i.read();
    rtl.received_i = this->received_i.read();
    rtl.queue_i = this->queue_i.read();
    rtl.length_threshold_i = std::min<std::uint32_t>(this->length_threshold_i.read(), (1U << HeaderLengthBits) - 1);
    rtl.received_threshold_i = this->received_threshold_i.read();
    rtl.queue_threshold_i = this->queue_threshold_i.read();
  }
  void get_outputs(const Model& rtl) override { this->codec_o.write(rtl.codec_o); }
};

/// weft_queue_counter
class queue_counter_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> join_i{"join_i"};
  pin::in_port<bool> leave_i{"leave_i"};
  sc_core::sc_out<std::uint32_t> queue_o{"queue_o"};

 protected:
  explicit queue_counter_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <class Model>
class verilated_queue_counter : public verilated_block<queue_counter_pins, Model> {
 public:
  explicit verilated_queue_counter(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<queue_counter_pins, Model>(name, seed) {
    this->follows(this->rst_ni, this->join_i, this->leave_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.join_i = this->join_i.read();
    rtl.leave_i = this->leave_i.read();
  }
  void get_outputs(const Model& rtl) override { this->queue_o.write(rtl.queue_o); }
};

/// weft_window_timer
class window_timer_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  sc_core::sc_out<bool> tick_o{"tick_o"};

 protected:
  explicit window_timer_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <class Model>
class verilated_window_timer : public verilated_block<window_timer_pins, Model> {
 public:
  explicit verilated_window_timer(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<window_timer_pins, Model>(name, seed) {
    this->follows(this->rst_ni);
  }

 private:
  void put_inputs(Model& rtl) override { rtl.rst_ni = this->rst_ni.read(); }
  void get_outputs(const Model& rtl) override { this->tick_o.write(rtl.tick_o); }
};

/// weft_congestion_counter
template <unsigned PayloadBits>
class congestion_counter_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> tick_i{"tick_i"};
  sc_core::sc_vector<pin::in_port<flit<PayloadBits>>> flit_i;
  sc_core::sc_out<std::uint32_t> received_o{"received_o"};

 protected:
  congestion_counter_pins(sc_core::sc_module_name name, unsigned ports) : sc_module(name), flit_i("flit_i", ports) {}
};

template <unsigned PayloadBits, unsigned Ports>
struct congestion_counter_pins_of : congestion_counter_pins<PayloadBits> {
  explicit congestion_counter_pins_of(sc_core::sc_module_name name)
      : congestion_counter_pins<PayloadBits>(name, Ports) {}
};

template <unsigned PayloadBits, unsigned Ports, class Model>
class verilated_congestion_counter : public verilated_block<congestion_counter_pins_of<PayloadBits, Ports>, Model> {
 public:
  explicit verilated_congestion_counter(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<congestion_counter_pins_of<PayloadBits, Ports>, Model>(name, seed) {
    this->follows(this->rst_ni, this->tick_i);
    for (auto& port : this->flit_i) this->sensitive << port;
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.tick_i = this->tick_i.read();
    unsigned valid = 0;
    for (unsigned p = 0; p < Ports; ++p) valid |= unsigned{this->flit_i[p].read().valid} << p;
    rtl.flit_valid_i = valid;
  }
  void get_outputs(const Model& rtl) override { this->received_o.write(rtl.received_o); }
};

}  // namespace weft::tb
