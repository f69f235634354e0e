// SPDX-License-Identifier: Apache-2.0
/// The common part of the wrappers of small modules. A wrapper is a verilated module with the pins of a module in
/// weft/pin. It reacts to clock edges, reset and inputs as the RTL does. verilated_stage.h is for the stages of a NIC.
///
/// In the RTL, a bit string has two wires, for its bits and its length; at the pin level it is one value. The wrappers
/// check that the bits above the length are zero, as the RTL guarantees.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/bits.h"
#include "weft/cosim/pins.h"
#include "weft/cosim/verilated.h"
#include "weft/pin/check.h"
#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/signals.h"

namespace weft::tb {

/// The base class of these wrappers.
/// \tparam Pins module that has the ports, but no implementation
template <class Pins, class Model, bool Clocked = true>
class verilated_block : public Pins {
 public:
  SC_HAS_PROCESS(verilated_block);
  using Pins::name;

 protected:
  verilated_block(sc_core::sc_module_name module_name, int seed) : Pins(module_name), m_rtl(name(), seed) {}

  /// Makes process() sensitive to the clock and to \p inputs, which must include the reset if there is one. To be
  /// called once, in the constructor. The constructor of a derived class adds its own inputs to `sensitive`.
  template <typename... Inputs>
  void sensitive_to(Inputs&... inputs) {
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
    WEFT_ASSERT(length <= Capacity, what << " has " << length << " bits, but its capacity is " << Capacity);
    all.append(words, Capacity);
    string.append(words, length);
    // Registers without reset may have any value until the first edge after the reset.
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
    m_rtl.settle();
    get_outputs(*m_rtl);
  }

  verilated<Model> m_rtl;
  bool m_had_edge = false;
};

}  // namespace weft::tb
