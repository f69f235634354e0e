// SPDX-License-Identifier: Apache-2.0
/// Messages, packets and streams that reach every corner of the codecs.
#pragma once

#include "support/random.h"
#include <cstdint>
#include <vector>

#include "weft/core/coded_packet.h"
#include "weft/core/flit.h"

namespace weft::lockstep {

/// Words that hit every code: all classes of classic FPC and their borders, the run lengths of a table and their
/// neighbours, doubles of every kind. Words of one message have something in common, so that some shrink and some do
/// not.
class message_source {
 public:
  message_source(dice& random, const fpc_table& table) : m_random(random), m_table(table) {}

  std::vector<std::uint32_t> integers(std::size_t words);
  /// The last word is alone if \p words is odd.
  std::vector<std::uint32_t> doubles(std::size_t words, unsigned cut);
  std::vector<std::uint32_t> words_of(data_type type, std::size_t words, unsigned cut) {
    return type == data_type::Int || type == data_type::Other ? integers(words) : doubles(words, cut);
  }

  std::uint32_t integer(unsigned kind);
  static constexpr unsigned IntegerKinds = 12;
  std::uint64_t double_bits(unsigned kind, unsigned cut);
  static constexpr unsigned DoubleKinds = 9;

 private:
  std::uint32_t word() { return static_cast<std::uint32_t>(m_random.bits()); }

  dice& m_random;
  const fpc_table m_table;
};

/// Bits of a number of words or flits, in a header.
inline constexpr unsigned SizeBits = 24;

/// Such a number, of any magnitude: about a power of two, or any one below it.
std::uint32_t any_size(dice& random);

/// Changes a coded packet so that a decoder has something to find: flipped bits, flits missing or too many, another
/// header. Some changes do no harm. The payload stays a whole number of flits.
void spoil(travelling_packet& packet, dice& random, unsigned words_per_flit);

/// A packet of FPC by table whose string ends near the end of a group, often one with an invalid prefix: whether the
/// group still fits tells a truncated packet from a corrupt or a good one. Now and then the group is whole, and ends
/// anywhere. The header has no addresses and no type.
travelling_packet tight_end(dice& random, const fpc_table& table, unsigned words_per_flit);

/// The flits of a packet, tagged. header.flits is taken as it is: tail and number of flits are those of the payload.
template <unsigned PayloadBits>
std::vector<flit<PayloadBits>> flits_of(const travelling_packet& packet, packet_id id) {
  constexpr unsigned K = PayloadBits / 32;
  std::vector<flit<PayloadBits>> flits(packet.payload.size() / K);
  for (std::size_t i = 0; i < flits.size(); ++i) {
    flit<PayloadBits>& f = flits[i];
    f.valid = true;
    f.head = i == 0;
    f.tail = i + 1 == flits.size();
    if (f.head) put_header(f, packet.header);
    for (unsigned j = 0; j < K; ++j) f.payload[j / 2] |= std::uint64_t{packet.payload[i * K + j]} << (32 * (j % 2));
    f.tag = flit_tag(static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(i));
  }
  return flits;
}

}  // namespace weft::lockstep
