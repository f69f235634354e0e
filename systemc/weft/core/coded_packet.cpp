// SPDX-License-Identifier: Apache-2.0
#include "weft/core/coded_packet.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "weft/core/lsb_cut.h"

namespace weft {

namespace {

/// Calls \p f(std::integral_constant<unsigned, K>).
template <typename F>
auto with_words_per_flit(unsigned words_per_flit, F f) {
  switch (words_per_flit) {
    case 1:
      return f(std::integral_constant<unsigned, 1>());
    case 2:
      return f(std::integral_constant<unsigned, 2>());
    case 4:
      return f(std::integral_constant<unsigned, 4>());
    case 8:
      return f(std::integral_constant<unsigned, 8>());
  }
  throw std::invalid_argument("words per flit: expected 1, 2, 4 or 8, got " + std::to_string(words_per_flit));
}

constexpr std::uint64_t flits_for(std::uint64_t length, std::uint64_t flit) { return (length + flit - 1) / flit; }

/// Writes strings of any number of bits to 32-bit words.
class writer {
 public:
  explicit writer(coded_message& to) : m_to(to) {}

  template <unsigned Capacity>
  void append(const bit_string<Capacity>& group) {
    for (unsigned at = 0; at < group.size();) {
      const auto offset = static_cast<unsigned>(m_to.bits % 32);
      const unsigned count = std::min(32 - offset, group.size() - at);
      if (offset == 0) m_to.payload.push_back(0);
      m_to.payload.back() |= static_cast<std::uint32_t>(group.extract(at, count) << offset);
      m_to.bits += count;
      at += count;
    }
  }

 private:
  coded_message& m_to;
};

/// The remaining bits of a coded packet, seen through the window of a decoder.
template <unsigned K>
class reader {
 public:
  explicit reader(const std::vector<std::uint32_t>& payload) : m_payload(payload) { read_next(); }

  const window<K>& view() const { return m_window; }
  /// Remaining bits, including those in the window.
  std::uint64_t left() const { return 32 * m_payload.size() - m_at; }
  void consume(unsigned bits) {
    m_at += bits;
    read_next();
  }

 private:
  void read_next() {
    m_window.clear();
    for (std::uint64_t at = m_at; at < 32 * m_payload.size() && m_window.size() < window_bits(K);) {
      const auto offset = static_cast<unsigned>(at % 32);
      const unsigned count = std::min(32 - offset, window_bits(K) - m_window.size());
      m_window.append(m_payload[at / 32] >> offset, count);
      at += count;
    }
  }

  const std::vector<std::uint32_t>& m_payload;
  std::uint64_t m_at = 0;
  window<K> m_window;
};

/// The next \p count words of a message; the rest of the row is 0.
template <unsigned N>
word_row<N> words_from(const std::vector<std::uint32_t>& message, std::size_t at, unsigned count) {
  word_row<N> words;
  std::copy_n(message.begin() + static_cast<std::ptrdiff_t>(at), count, words.word);
  return words;
}

// The codecs, group by group, for flits of K words: `encode` codes the next `count` words of a message at `at`;
// `measure` and `extract` read the group at the front of a window, for a packet with `left` words still to come.

template <unsigned K>
struct fpc_groups {
  static constexpr unsigned Words = K;
  static auto encode(const std::vector<std::uint32_t>& message, std::size_t at, unsigned count, classic_state&,
                     const codec_parameters& parameters) {
    return encode_fpc_group<K>(words_from<K>(message, at, count), count, parameters.table);
  }
  static classic_measure measure(const window<K>& view, unsigned count, std::size_t, const header&,
                                 const classic_state&, const codec_parameters& parameters) {
    classic_measure group;
    static_cast<group_measure&>(group) = measure_fpc_group<K>(view, view.size(), count, parameters.table);
    return group;
  }
  static auto extract(const window<K>& view, unsigned count, const header&, const classic_state&,
                      const codec_parameters& parameters) {
    return extract_fpc_group<K>(view, count, parameters.table);
  }
};

template <unsigned K>
struct classic_groups {
  static constexpr unsigned Words = K;
  static auto encode(const std::vector<std::uint32_t>& message, std::size_t at, unsigned count, classic_state& state,
                     const codec_parameters&) {
    return encode_classic_group<K>(words_from<K>(message, at, count), count, at + count == message.size(), state);
  }
  static classic_measure measure(const window<K>& view, unsigned count, std::size_t left, const header&,
                                 const classic_state& state, const codec_parameters&) {
    return measure_classic_group<K>(view, view.size(), count, left, state);
  }
  static auto extract(const window<K>& view, unsigned count, const header&, const classic_state& state,
                      const codec_parameters&) {
    return extract_classic_group<K>(view, count, state);
  }
};

template <unsigned K>
struct lsb_cut_groups {
  static constexpr unsigned Words = lsb_cut_group_words(K);
  static auto encode(const std::vector<std::uint32_t>& message, std::size_t at, unsigned count, classic_state&,
                     const codec_parameters& parameters) {
    return encode_lsb_cut_group<K>(words_from<Words>(message, at, count), count, parameters.cut, parameters.exact);
  }
  static classic_measure measure(const window<K>& view, unsigned count, std::size_t, const header& head,
                                 const classic_state&, const codec_parameters& parameters) {
    classic_measure group;
    static_cast<group_measure&>(group) = measure_lsb_cut_group<K>(view, view.size(), count, head.cut, parameters.exact);
    return group;
  }
  static auto extract(const window<K>& view, unsigned count, const header& head, const classic_state&,
                      const codec_parameters& parameters) {
    return extract_lsb_cut_group<K>(view, count, head.cut, parameters.exact);
  }
};

/// Calls \p f with the group functions of the codec \p how, which is not raw.
template <unsigned K, typename F>
auto with_groups(codec how, F f) {
  switch (how) {
    case codec::LsbCut:
      return f(lsb_cut_groups<K>());
    case codec::FpcClassic:
      return f(classic_groups<K>());
    default:
      return f(fpc_groups<K>());
  }
}

template <unsigned K>
void encode_groups(const std::vector<std::uint32_t>& message, codec how, const codec_parameters& parameters,
                   coded_message& coded) {
  with_groups<K>(how, [&](auto groups) {
    writer out(coded);
    classic_state state;
    for (std::size_t at = 0; at < message.size();) {
      const auto count = static_cast<unsigned>(std::min<std::size_t>(message.size() - at, groups.Words));
      out.append(groups.encode(message, at, count, state, parameters));
      at += count;
    }
  });
}

/// Whether a decoder with \p parameters supports the codec and cut in the header.
bool is_decodable(const header& head, const codec_parameters& parameters) {
  if (head.words == 0 || head.cut > MaxCut) return false;
  return head.codec == codec::LsbCut || head.codec == (parameters.classic ? codec::FpcClassic : codec::Fpc);
}

/// \tparam Groups the group functions of the codec in the header
template <unsigned K, class Groups>
decoded_message decode_groups(const header& head, const std::vector<std::uint32_t>& payload,
                              const codec_parameters& parameters) {
  decoded_message message;
  message.words.assign(head.words, 0);
  const auto fails = [&message](codec_error error) {
    message.error = error;
    return message;
  };
  if (!is_decodable(head, parameters)) return fails(codec_error::Corrupt);

  reader<K> in(payload);
  classic_state state;
  for (std::size_t at = 0; at < head.words;) {
    const std::size_t left = head.words - at;
    const auto count = static_cast<unsigned>(std::min<std::size_t>(left, Groups::Words));
    const window<K>& view = in.view();
    const classic_measure group = Groups::measure(view, count, left, head, state, parameters);
    if (!group.fits) return fails(codec_error::Truncated);
    if (group.corrupt) return fails(codec_error::Corrupt);
    // The window is full before the tail is in it, so hardware detects this without seeing the tail.
    if (count == left && in.left() > chunk_bits(K) + 32 * K) return fails(codec_error::OverLong);
    const auto words = Groups::extract(view, count, head, state, parameters);
    std::copy_n(words.word, count, message.words.begin() + static_cast<std::ptrdiff_t>(at));
    state = group.next();
    message.group_lengths.push_back(group.size);
    in.consume(group.size);
    at += count;
  }
  if (in.left() >= 32 * K) return fails(codec_error::OverLong);
  if (in.view().any_from(0)) return fails(codec_error::Corrupt);
  return message;
}

}  // namespace

coded_message encode(const std::vector<std::uint32_t>& message, codec how, unsigned words_per_flit,
                     const codec_parameters& parameters) {
  coded_message coded;
  if (how == codec::Raw) {
    coded.payload = message;
    coded.bits = 32 * message.size();
  } else {
    if (message.empty()) throw std::invalid_argument("message: expected at least 1 word, got 0");
    if (parameters.cut > MaxCut)
      throw std::invalid_argument("cut: expected 0…" + std::to_string(MaxCut) + ", got " +
                                  std::to_string(parameters.cut));
    if (!parameters.table.valid()) throw std::invalid_argument("run lengths: expected 32 ≥ r0 > r1 > … > r5 ≥ 1");
  }
  with_words_per_flit(words_per_flit, [&](auto k) {
    if (how != codec::Raw) encode_groups<decltype(k)::value>(message, how, parameters, coded);
  });
  coded.payload.resize(std::max<std::uint64_t>(1, flits_for(coded.payload.size(), words_per_flit)) * words_per_flit);
  return coded;
}

travelling_packet travelling_form(const std::vector<std::uint32_t>& message, data_type type, codec how,
                                  unsigned words_per_flit, const codec_parameters& parameters) {
  travelling_packet packet;
  packet.payload = encode(message, codec::Raw, words_per_flit, parameters).payload;
  if (how != codec::Raw && !message.empty()) {
    coded_message coded = encode(message, how, words_per_flit, parameters);
    if (coded.payload.size() < packet.payload.size()) {
      packet.payload = std::move(coded.payload);
      packet.header.codec = how;
      if (how == codec::LsbCut) packet.header.cut = static_cast<std::uint8_t>(parameters.cut);
    }
  }
  packet.header.type = type;
  packet.header.words = static_cast<std::uint32_t>(message.size());
  packet.header.flits = static_cast<std::uint32_t>(packet.payload.size() / words_per_flit);
  return packet;
}

decoded_message decode(const header& head, const std::vector<std::uint32_t>& payload, unsigned words_per_flit,
                       const codec_parameters& parameters) {
  return with_words_per_flit(words_per_flit, [&](auto k) {
    if (payload.empty() || payload.size() % words_per_flit != 0)
      throw std::invalid_argument("payload: expected whole flits of " + std::to_string(words_per_flit) +
                                  " words, got " + std::to_string(payload.size()) + " words");
    if (head.codec != codec::Raw)
      return with_groups<decltype(k)::value>(head.codec, [&](auto groups) {
        return decode_groups<decltype(k)::value, decltype(groups)>(head, payload, parameters);
      });
    decoded_message message;
    message.words = payload;
    message.words.resize(head.words);
    return message;
  });
}

void coded_length::add(std::uint32_t word) {
  switch (m_codec) {
    case codec::Raw:
      m_bits += 32;
      break;
    case codec::Fpc:
      m_bits += FpcPrefixBits + encode_fpc_word(word, m_parameters.table).bits;
      break;
    case codec::FpcClassic:
      m_bits += encode_classic_group<1>({{word}}, 1, false, m_run).size();
      break;
    case codec::LsbCut:
      if (m_has_lower)
        m_bits += encode_lsb_cut_group<1>({{m_lower, word}}, 2, m_parameters.cut, m_parameters.exact).size();
      m_has_lower = !m_has_lower;
      m_lower = word;
      break;
  }
}

std::uint64_t coded_length::bits() const {
  return m_bits + (m_run.zeros > 0 ? FpcPrefixBits + 3 : 0) + (m_has_lower ? 32 : 0);
}

}  // namespace weft
