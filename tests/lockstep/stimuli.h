// SPDX-License-Identifier: Apache-2.0
/// Random messages, packets and streams that include the corner cases of the codecs.
#pragma once

#include "support/random.h"
#include <cstdint>
#include <vector>

#include "weft/core/coded_packet.h"
#include "weft/core/flit.h"

namespace weft::lockstep {

/// A source of words for which every code occurs: all classes of classic FPC and their limits, the run lengths of a
/// table and their neighbors, and doubles of every kind. Words of one message are correlated, so that some messages
/// become shorter and others do not.
class message_source {
 public:
  message_source(rng& random, const fpc_table& table) : m_random(random), m_table(table) {}

  std::vector<std::uint32_t> integers(std::size_t words);
  /// Returns doubles as pairs of words. If \p words is odd, a single word follows.
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

  rng& m_random;
  const fpc_table m_table;
};

/// Width in bits of a field of the header that contains a number of words or flits.
inline constexpr unsigned SizeBits = 24;

/// Returns a random number of words or flits: one near a power of two, or any number below this power.
std::uint32_t any_size(rng& random);

/// Corrupts a coded packet in a way that a decoder should detect: bits are flipped, flits are missing or surplus, or
/// the header is a different one. Some changes are harmless. The payload is always a whole number of flits.
void spoil(travelling_packet& packet, rng& random, unsigned words_per_flit);

/// Returns a packet of table-based FPC whose bit string ends near the end of a group, often of a group with an invalid
/// prefix. Whether the group still fits then distinguishes a truncated packet from a corrupt or a valid one. Sometimes
/// the group is complete, and the bit string ends anywhere. The header has no addresses and no type.
travelling_packet tight_end(rng& random, const fpc_table& table, unsigned words_per_flit);

/// Returns the tagged flits of a packet. The tail and the number of flits depend on the payload; header.flits is copied
/// unchanged.
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
