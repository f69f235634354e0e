// SPDX-License-Identifier: Apache-2.0
/// The payload of messages. The payload of a packet from a source is requested from the source; the payload of a packet
/// that an XOR stage made is stored here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/core/packet.h"
#include "weft/engine/base/packet_pool.h"

namespace weft::engine {

class packet_contents {
 public:
  /// The payload of a packet: its flits one after the other, each in the format of packet_source::payload().
  using words_t = std::vector<std::uint64_t>;

  packet_contents(const packet_source& source, unsigned payload_bits)
      : m_source(source), m_payload_bits(payload_bits), m_flit_words((payload_bits + 63) / 64) {}

  /// Writes flit number \p sequence of the message, before any compression, to \p words.
  void flit(packet_handle handle, const packet_record& p, std::uint32_t sequence, std::uint64_t* words) const {
    if (p.made)
      std::copy_n(m_made[handle].begin() + std::size_t{sequence} * m_flit_words, m_flit_words, words);
    else
      m_source.payload(p.what, sequence, m_payload_bits, words);
  }

  /// Returns the payload of a packet that comes from a source.
  words_t of_source(const packet& p) const {
    words_t words(std::size_t{p.flits} * m_flit_words);
    for (std::uint32_t i = 0; i < p.flits; ++i)
      m_source.payload(p, i, m_payload_bits, words.data() + std::size_t{i} * m_flit_words);
    return words;
  }

  /// Stores the payload of a packet that an XOR stage made.
  void put(packet_handle handle, words_t words) {
    if (m_made.size() <= handle) m_made.resize(std::size_t{handle} + 1);
    m_made[handle] = std::move(words);
  }

  unsigned flit_words() const { return m_flit_words; }

 private:
  const packet_source& m_source;
  const unsigned m_payload_bits;
  const unsigned m_flit_words;  ///< 64-bit words per flit
  std::vector<words_t> m_made;  ///< payload of the packets that XOR stages made, by handle
};

/// Returns the XOR of two payloads. The shorter one is extended with zeros.
inline packet_contents::words_t joined_words(packet_contents::words_t a, packet_contents::words_t b) {
  if (a.size() < b.size()) a.swap(b);
  for (std::size_t i = 0; i < b.size(); ++i) a[i] ^= b[i];
  return a;
}

}  // namespace weft::engine
