// SPDX-License-Identifier: Apache-2.0
/// The payload of messages: of packets that a source made what it says, of those that XOR stages made what these put
/// here.
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
  /// Flit after flit, each as packet_source::payload() gives it.
  using words_t = std::vector<std::uint64_t>;

  packet_contents(const packet_source& source, unsigned payload_bits)
      : m_source(source), m_payload_bits(payload_bits), m_flit_words((payload_bits + 63) / 64) {}

  /// Flit \p sequence of the message, as it was sent, into \p words.
  void flit(packet_handle handle, const packet_record& p, std::uint32_t sequence, std::uint64_t* words) const {
    if (p.made)
      std::copy_n(m_made[handle].begin() + std::size_t{sequence} * m_flit_words, m_flit_words, words);
    else
      m_source.payload(p.what, sequence, m_payload_bits, words);
  }

  /// All of a packet that a source made.
  words_t of_source(const packet& p) const {
    words_t words(std::size_t{p.flits} * m_flit_words);
    for (std::uint32_t i = 0; i < p.flits; ++i)
      m_source.payload(p, i, m_payload_bits, words.data() + std::size_t{i} * m_flit_words);
    return words;
  }

  /// Of a packet that is made.
  void put(packet_handle handle, words_t words) {
    if (m_made.size() <= handle) m_made.resize(std::size_t{handle} + 1);
    m_made[handle] = std::move(words);
  }

  unsigned flit_words() const { return m_flit_words; }

 private:
  const packet_source& m_source;
  const unsigned m_payload_bits;
  const unsigned m_flit_words;  ///< words of 64 bits of a flit
  std::vector<words_t> m_made;  ///< by handle
};

/// The longer of two payloads, XOR the other.
inline packet_contents::words_t joined_words(packet_contents::words_t a, packet_contents::words_t b) {
  if (a.size() < b.size()) a.swap(b);
  for (std::size_t i = 0; i < b.size(); ++i) a[i] ^= b[i];
  return a;
}

}  // namespace weft::engine
