// SPDX-License-Identifier: Apache-2.0
/// How a flit is traced into a waveform, field by field: what sc_signal wants beside the type.
#pragma once

#include <cstdint>
#include <string>

#include <systemc>

#include "weft/core/flit.h"

namespace weft {

/// The value of an enumeration whose underlying type is std::uint8_t, where it lies: sc_trace keeps the address.
template <typename Enum>
const std::uint8_t& traced(const Enum& value) {
  static_assert(sizeof(Enum) == 1, "traced as one byte");
  return reinterpret_cast<const std::uint8_t&>(value);
}

inline void sc_trace(sc_core::sc_trace_file* file, const xor_datum& d, const std::string& name) {
  sc_core::sc_trace(file, d.name, name + ".name");
  sc_core::sc_trace(file, d.words, name + ".words");
  sc_core::sc_trace(file, d.uses, name + ".uses");
  sc_core::sc_trace(file, traced(d.type), name + ".type");
}

inline void sc_trace(sc_core::sc_trace_file* file, const xor_code& c, const std::string& name) {
  sc_core::sc_trace(file, traced(c.role), name + ".role");
  sc_core::sc_trace(file, c.relay, name + ".relay");
  sc_core::sc_trace(file, c.overflow, name + ".overflow");
  sc_trace(file, c.first, name + ".first");
  sc_trace(file, c.second, name + ".second");
}

inline void sc_trace(sc_core::sc_trace_file* file, const header& h, const std::string& name) {
  sc_core::sc_trace(file, h.destination, name + ".destination");
  sc_core::sc_trace(file, h.source, name + ".source");
  sc_core::sc_trace(file, h.flits, name + ".flits");
  sc_core::sc_trace(file, h.words, name + ".words");
  sc_core::sc_trace(file, traced(h.type), name + ".type");
  sc_core::sc_trace(file, traced(h.codec), name + ".codec");
  sc_core::sc_trace(file, h.cut, name + ".cut");
  sc_core::sc_trace(file, h.message_class, name + ".message_class");
  sc_trace(file, h.code, name + ".code");
}

template <unsigned PayloadBits>
void sc_trace(sc_core::sc_trace_file* file, const flit<PayloadBits>& f, const std::string& name) {
  sc_core::sc_trace(file, f.valid, name + ".valid");
  sc_core::sc_trace(file, f.head, name + ".head");
  sc_core::sc_trace(file, f.tail, name + ".tail");
  sc_core::sc_trace(file, f.vc, name + ".vc");
  sc_core::sc_trace(file, f.way, name + ".way");
  sc_core::sc_trace(file, traced(f.error), name + ".error");
  sc_trace(file, f.header, name + ".header");
  for (unsigned word = 0; word < flit<PayloadBits>::Words; ++word)
    sc_core::sc_trace(file, f.payload[word], name + ".payload" + std::to_string(word));
#ifndef WEFT_SYNTHESIS
  sc_core::sc_trace(file, f.tag.id, name + ".tag.id");
  sc_core::sc_trace(file, f.tag.created, name + ".tag.created");
  sc_core::sc_trace(file, f.tag.sequence, name + ".tag.sequence");
  sc_core::sc_trace(file, f.tag.routers, name + ".tag.routers");
#endif
}

}  // namespace weft
