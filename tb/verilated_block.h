// SPDX-License-Identifier: Apache-2.0
/// What the wrappers of the small modules share: modules as Verilator made them, with the pins of those in weft/pin.
/// They follow clock edges, reset and inputs like the RTL itself; see verilated_stage.h for the stages of a NIC.
///
/// A string of bits is two wires in RTL, bits and length, and one value here. The RTL promises zeros above the length;
/// that is checked on the way.
#pragma once

#include "tb/pins.h"
#include "tb/verilated.h"
#include <array>
#include <cstdint>

#include "weft/core/bits.h"
#include "weft/pin/check.h"
#include "weft/pin/codec/codec_trace.h"
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

  /// To be called once, in the constructor: the inputs, clock and reset among them where there are such. A constructor
  /// of a class derived from that one adds its own to `sensitive`.
  template <typename... Inputs>
  void follows(Inputs&... inputs) {
    SC_METHOD(process);
    (void)(this->sensitive << ... << inputs);
    if constexpr (Clocked) this->sensitive << this->clk_i.pos();
  }

  virtual void put_inputs(Model& rtl) = 0;
  virtual void get_outputs(const Model& rtl) = 0;

  template <unsigned Count, typename Port>
  static void put_row(Port& port, const word_row<Count>& row) {
    std::array<std::uint64_t, (Count + 1) / 2> words{};
    for (unsigned i = 0; i < Count; ++i) words[i / 2] |= std::uint64_t{row.word[i]} << (32 * (i % 2));
    put(port, words.data(), words.size());
  }
  template <unsigned Count, typename Port>
  static word_row<Count> get_row(const Port& port) {
    std::array<std::uint64_t, (Count + 1) / 2> words{};
    get(port, words.data(), words.size());
    word_row<Count> row;
    for (unsigned i = 0; i < Count; ++i) row.word[i] = static_cast<std::uint32_t>(words[i / 2] >> (32 * (i % 2)));
    return row;
  }
  template <unsigned Capacity, typename Port>
  bit_string<Capacity> get_string(const Port& port, unsigned length, const char* what) const {
    bit_string<Capacity> all, string;
    std::uint64_t words[bit_string<Capacity>::Words] = {};
    get(port, words, std::size(words));
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

}  // namespace weft::tb
