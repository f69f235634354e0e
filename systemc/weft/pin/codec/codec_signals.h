// SPDX-License-Identifier: Apache-2.0
/// What the wires within the compression datapath carry: words side by side, and strings of bits with their length (in
/// RTL two wires, here one value, as a flit is).
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

#include <systemc>

#include "weft/core/bits.h"

namespace weft {

template <unsigned Capacity>
void sc_trace(sc_core::sc_trace_file* file, const bit_string<Capacity>& bits, const std::string& name) {
  for (unsigned i = 0; i < bit_string<Capacity>::Words; ++i)
    sc_core::sc_trace(file, bits.words()[i], name + std::to_string(i));
  sc_core::sc_trace(file, bits.traced_size(), name + ".size");
}

namespace pin {

/// \p Count words, word 0 in the lowest bits.
template <unsigned Count>
struct word_row {
  std::array<std::uint32_t, Count> word;

  word_row() {
    for (unsigned i = 0; i < Count; ++i) word[i] = 0;
  }

  friend bool operator==(const word_row& a, const word_row& b) { return a.word == b.word; }
  friend std::ostream& operator<<(std::ostream& out, const word_row& r) {
    for (unsigned i = Count; i-- > 0;)
      for (unsigned digit = 8; digit-- > 0;) out << "0123456789abcdef"[r.word[i] >> 4 * digit & 0xf];
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const word_row& r, const std::string& name) {
    for (unsigned i = 0; i < Count; ++i) sc_core::sc_trace(file, r.word[i], name + std::to_string(i));
  }
};

}  // namespace pin
}  // namespace weft
