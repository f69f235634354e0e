// SPDX-License-Identifier: Apache-2.0
/// Packets for the tests of the XOR stages: a single datum, and two joined.
#pragma once

#include "levels/stage_bench.h"
#include "support/coded_traffic.h"
#include <algorithm>
#include <cstdint>

#include "weft/core/xor_stages.h"

namespace weft::pin {

/// Word \p i of the datum named \p name.
inline std::uint32_t word_of(std::uint32_t name, std::uint32_t i) { return 1 + name * 1000003 + i * 7919; }

inline xor_datum datum(std::uint32_t name, std::uint32_t words, unsigned uses, data_type type = data_type::Int) {
  return {name, words, static_cast<std::uint8_t>(uses), type};
}

/// The words of a datum, padded to whole flits, at least \p flits.
template <unsigned K>
message_t message_of(const xor_datum& d, std::uint32_t flits = 0) {
  message_t words(std::max(flits, flits_of_words(d.words, K)) * K);
  for (std::uint32_t i = 0; i < d.words; ++i) words[i] = word_of(d.name, i);
  return words;
}

/// A packet with a single datum, for the encoder or for the decoder.
template <unsigned K>
packet_of<K> carrying(packet_id id, const xor_datum& d, xor_role role = xor_role::Plain, bool overflow = false) {
  header h;
  h.destination = 3;
  h.source = 7;
  h.flits = flits_of_words(d.words, K);
  h.words = d.words;
  h.type = d.type;
  h.role = role;
  h.overflow = overflow;
  h.first = datum_bits(d);
  return make_packet<K>(id, h, message_of<K>(d));
}

template <typename Packet>
Packet with_error(codec_error error, Packet packet) {
  packet.back().error = error;
  return packet;
}

enum : unsigned { Relay = 1, Overflow = 2 };

/// A packet with two joined data, as it travels.
template <unsigned K>
packet_of<K> joined(packet_id id, const xor_datum& first, const xor_datum& second, unsigned marks = 0) {
  header h;
  h.destination = 3;
  h.source = 7;
  h.words = std::max(first.words, second.words);
  h.flits = flits_of_words(h.words, K);
  h.type = xor_type(first.type, second.type);
  h.role = xor_role::Coded;
  h.relay = marks & Relay;
  h.overflow = marks & Overflow;
  h.first = datum_bits(first);
  h.second = datum_bits(second);
  message_t words = message_of<K>(first, h.flits);
  const message_t other = message_of<K>(second);
  for (std::size_t i = 0; i < other.size(); ++i) words[i] ^= other[i];
  return make_packet<K>(id, h, words);
}

/// A packet of a random source, as the terminal makes its flits.
template <unsigned K>
packet_of<K> flits_of(const coded_traffic& source, const packet& p) {
  header h{p.destination, p.source, p.flits, p.flits * K, p.type};
  put_code(h, p.code);
  packet_of<K> flits = make_packet<K>(p.id, h, message_t(p.flits * K));
  for (flit_of<K>& f : flits) {
    source.payload(p, f.tag.sequence(), 32 * K, f.payload);
  }
  return flits;
}

}  // namespace weft::pin
