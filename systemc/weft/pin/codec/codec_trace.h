// SPDX-License-Identifier: Apache-2.0
/// Waveform tracing of the wires in the compression datapath: rows of words, and bit strings with their length. A bit
/// string with its length is two wires in the RTL but one value here, as a flit is.
#pragma once

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

template <unsigned Count>
void sc_trace(sc_core::sc_trace_file* file, const word_row<Count>& row, const std::string& name) {
  for (unsigned i = 0; i < Count; ++i) sc_core::sc_trace(file, row.word[i], name + std::to_string(i));
}

}  // namespace weft
