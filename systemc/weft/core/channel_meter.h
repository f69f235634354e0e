// SPDX-License-Identifier: Apache-2.0
/// Counts the flits, heads and toggles of one channel (channel_activity). All levels use it: the pin level reads the
/// wires of a channel, the engine computes their values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/core/flit.h"
#include "weft/core/network_model.h"

namespace weft {

/// The values of the wires besides `valid` and the payload. Body and tail flits have an empty header and path id 0.
struct header_wires {
  bool head = false;
  bool tail = false;
  std::uint32_t vc = 0;
  codec_error error = codec_error::None;
  header fields{};
  std::uint64_t path_id = 0;
};

/// Number of words of pack_header().
inline constexpr std::size_t HeaderWords = 5;

/// The bits of a tail and of VC \p vc in word 1 of pack_header().
constexpr std::uint64_t tail_bits(bool tail) { return std::uint64_t{tail} << 25; }
constexpr std::uint64_t vc_bits(std::uint32_t vc) { return std::uint64_t{vc} << 26; }

/// Packs the wires of \p w into words. Each wire has a bit of its own: 20 bits for a node, 24 for a length.
inline std::array<std::uint64_t, HeaderWords> pack_header(const header_wires& w) {
  const header& h = w.fields;
  std::uint64_t form = h.words | std::uint64_t{w.head} << 24 | tail_bits(w.tail) | vc_bits(w.vc);
  unsigned shift = 30;
  const auto append = [&](std::uint64_t value, unsigned bits) {
    form |= value << shift;
    shift += bits;
  };
  append(static_cast<std::uint64_t>(w.error), 2);
  append(static_cast<std::uint64_t>(h.type), 2);
  append(static_cast<std::uint64_t>(h.codec), 2);
  append(h.cut, 8);
  append(h.message_class, 4);
  append(static_cast<std::uint64_t>(h.role), 3);
  append(h.relay, 1);
  append(h.overflow, 1);
  const std::uint64_t ends = h.destination | std::uint64_t{h.source} << 20 | std::uint64_t{h.flits} << 40;
  return {ends, form, h.first, h.second, w.path_id};
}

/// Replaces the words \p last by \p next.
/// \return the number of bits that differ
inline std::uint64_t replace_words(std::uint64_t* last, const std::uint64_t* next, std::size_t words) {
  std::uint64_t toggles = 0;
  for (std::size_t i = 0; i < words; ++i) {
    toggles += static_cast<std::uint64_t>(__builtin_popcountll(last[i] ^ next[i]));
    last[i] = next[i];
  }
  return toggles;
}

/// The meter of one channel with flits of \p PayloadWords words.
template <std::size_t PayloadWords>
class channel_meter {
 public:
  using payload_t = std::array<std::uint64_t, PayloadWords>;

  /// Enters the next flit of the channel.
  void enter(const header_wires& header, const payload_t& payload) {
    const auto packed = pack_header(header);
    m_total += {1, header.head, replace_words(m_payload.data(), payload.data(), PayloadWords),
                replace_words(m_header.data(), packed.data(), HeaderWords)};
  }

  const channel_activity& total() const { return m_total; }

 private:
  std::array<std::uint64_t, HeaderWords> m_header{};
  payload_t m_payload{};
  channel_activity m_total;
};

}  // namespace weft
