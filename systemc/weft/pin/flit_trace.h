// SPDX-License-Identifier: Apache-2.0
/// Waveform tracing of flits: sc_trace(), which sc_signal requires of the type of its value. Each field of a flit is
/// traced on its own. The two data of the flit's XOR code appear as datum_bits() packs them.
#pragma once

#include <cstdint>
#include <string>

#include <systemc>

#include "weft/core/flit.h"

namespace weft {

/// Returns \p value as a byte, by reference, because sc_trace() stores the address.
template <typename Enum>
const std::uint8_t& traced(const Enum& value) {
  static_assert(sizeof(Enum) == 1, "traced as one byte");
  return reinterpret_cast<const std::uint8_t&>(value);
}

/// Traces the fields of \p f. The names in waveforms are those of the fields, except that the path id is called `way`.
template <unsigned PayloadBits>
void sc_trace(sc_core::sc_trace_file* file, const flit<PayloadBits>& f, const std::string& name) {
  sc_core::sc_trace(file, f.valid, name + ".valid");
  sc_core::sc_trace(file, f.head, name + ".head");
  sc_core::sc_trace(file, f.tail, name + ".tail");
  sc_core::sc_trace(file, f.vc, name + ".vc");
  sc_core::sc_trace(file, traced(f.error), name + ".error");
  sc_core::sc_trace(file, f.destination, name + ".destination");
  sc_core::sc_trace(file, f.source, name + ".source");
  sc_core::sc_trace(file, f.flits, name + ".flits");
  sc_core::sc_trace(file, f.words, name + ".words");
  sc_core::sc_trace(file, traced(f.type), name + ".type");
  sc_core::sc_trace(file, traced(f.codec), name + ".codec");
  sc_core::sc_trace(file, f.cut, name + ".cut");
  sc_core::sc_trace(file, f.message_class, name + ".message_class");
  sc_core::sc_trace(file, traced(f.role), name + ".role");
  sc_core::sc_trace(file, f.relay, name + ".relay");
  sc_core::sc_trace(file, f.overflow, name + ".overflow");
  sc_core::sc_trace(file, f.first, name + ".first");
  sc_core::sc_trace(file, f.second, name + ".second");
  sc_core::sc_trace(file, f.path_id, name + ".way");
  for (unsigned word = 0; word < flit<PayloadBits>::Words; ++word)
    sc_core::sc_trace(file, f.payload[word], name + ".payload" + std::to_string(word));
#ifndef WEFT_SYNTHESIS
  sc_core::sc_trace(file, f.tag.bits, name + ".tag");
#endif
}

}  // namespace weft
