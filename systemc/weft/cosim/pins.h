// SPDX-License-Identifier: Apache-2.0
/// Access to the ports of verilated models as words. In Verilator a port is an integer of 8, 16, 32 or 64 bits, or an
/// array of 32-bit words if it is wider. These functions present all ports as arrays of 64-bit words, low word first.
#pragma once

#include <cstddef>
#include <cstdint>

#include <verilated.h>

#include "weft/core/flit.h"

namespace weft::tb {

/// Writes the low bits of \p words to an input port. The port has at most \p count words.
template <typename Port>
void put(Port& port, const std::uint64_t* words, [[maybe_unused]] std::size_t count) {
  static_assert(sizeof(Port) <= 8);
  port = static_cast<Port>(words[0]);
}
template <std::size_t Halves>
void put(VlWide<Halves>& port, const std::uint64_t* words, std::size_t count) {
  for (std::size_t i = 0; i < Halves; ++i)
    port[i] = i / 2 < count ? static_cast<EData>(words[i / 2] >> (32 * (i % 2))) : 0;
}

/// Reads an output port into \p count words. Bits above the width of the port are 0.
template <typename Port>
void get(const Port& port, std::uint64_t* words, std::size_t count) {
  static_assert(sizeof(Port) <= 8);
  words[0] = port;
  for (std::size_t i = 1; i < count; ++i) words[i] = 0;
}
template <std::size_t Halves>
void get(const VlWide<Halves>& port, std::uint64_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = 2 * i < Halves ? port[2 * i] : 0;
    if (2 * i + 1 < Halves) words[i] |= std::uint64_t{port[2 * i + 1]} << 32;
  }
}

constexpr unsigned HeaderBits = 102;       ///< width of weft_pkg::header_t
constexpr unsigned DatumBits = 50;         ///< width of weft_pkg::datum_t
constexpr unsigned NodeBits = 20;          ///< width of a destination or a source
constexpr unsigned HeaderLengthBits = 24;  ///< width of the header's fields `flits` and `words`
constexpr unsigned ClassBits = 4;          ///< width of the class of a message

/// Whether the fields of \p h, a header or a flit, fit into the header format of the RTL.
template <typename Header>
bool fits(const Header& h) {
  return h.destination >> NodeBits == 0 && h.source >> NodeBits == 0 && h.flits >> HeaderLengthBits == 0 &&
         h.words >> HeaderLengthBits == 0 && h.message_class >> ClassBits == 0;
}

/// Writes \p h in the format of weft_pkg::header_t, from the highest bits: class, destination, source, flits, words,
/// type, codec, cut.
inline void put(VlWide<4>& port, const header& h) {
  const std::uint64_t low = std::uint64_t{h.cut} | std::uint64_t{static_cast<unsigned>(h.codec)} << 6 |
                            std::uint64_t{static_cast<unsigned>(h.type)} << 8 | std::uint64_t{h.words} << 10 |
                            std::uint64_t{h.flits} << 34 | std::uint64_t{h.source} << 58;
  const std::uint64_t high = h.source >> 6 | std::uint64_t{h.destination} << 14 | std::uint64_t{h.message_class} << 34;
  const std::uint64_t words[2] = {low, high};
  put(port, words, 2);
}

inline header get_header(const VlWide<4>& port) {
  std::uint64_t words[2];
  get(port, words, 2);
  header h;
  h.cut = words[0] & 0x3f;
  h.codec = static_cast<codec>(words[0] >> 6 & 3);
  h.type = static_cast<data_type>(words[0] >> 8 & 3);
  h.words = words[0] >> 10 & 0xff'ffff;
  h.flits = words[0] >> 34 & 0xff'ffff;
  h.source = static_cast<node_id>((words[0] >> 58 | words[1] << 6) & 0xf'ffff);
  h.destination = static_cast<node_id>(words[1] >> 14 & 0xf'ffff);
  h.message_class = static_cast<std::uint8_t>(words[1] >> 34 & 0xf);
  return h;
}

/// Writes \p c in the format of weft_pkg::code_t, from the highest bits: role, relay, overflow, first datum, second
/// datum.
inline void put(VlWide<4>& port, const xor_code& c) {
  const std::uint64_t first = datum_bits(c.first);
  const std::uint64_t words[2] = {datum_bits(c.second) | first << DatumBits,
                                  first >> (64 - DatumBits) | std::uint64_t{c.overflow} << 36 |
                                      std::uint64_t{c.relay} << 37 |
                                      std::uint64_t{static_cast<unsigned>(c.role)} << 38};
  put(port, words, 2);
}

inline xor_code get_code(const VlWide<4>& port) {
  std::uint64_t words[2];
  get(port, words, 2);
  xor_code c;
  c.second = datum_of(words[0]);
  c.first = datum_of(words[0] >> DatumBits | words[1] << (64 - DatumBits));
  c.overflow = words[1] >> 36 & 1;
  c.relay = words[1] >> 37 & 1;
  c.role = static_cast<xor_role>(words[1] >> 38 & 7);
  return c;
}

}  // namespace weft::tb
