// SPDX-License-Identifier: Apache-2.0
#include "lockstep/stimuli.h"

#include <algorithm>
#include <cstring>

namespace weft::lockstep {

std::uint32_t message_source::integer(unsigned kind) {
  const std::uint32_t sign = m_random.chance(0.5) ? 0xffff'ffff : 0;
  switch (kind) {
    case 0:
      return 0;
    case 1:  // about 4, 8 and 16 bits with sign: the limits and their neighbors
      return ((std::uint32_t{1} << m_random.one_of({3U, 7U, 15U})) + m_random.between(0, 4) - 2) ^ sign;
    case 2:
      return m_random.between(0, 7) ^ sign;
    case 3:
      return m_random.between(0, 127) ^ sign;
    case 4:
      return m_random.between(0, 32767) ^ sign;
    case 5:  // a halfword padded with zeros
      return word() << 16;
    case 6: {  // two halfwords, each a byte with sign, sometimes just not
      const auto half = [this] {
        return (m_random.between(0, m_random.chance(0.2) ? 130 : 127) ^ (m_random.chance(0.5) ? 0xffff : 0)) & 0xffff;
      };
      const std::uint32_t lower = half();
      return lower | half() << 16;
    }
    case 7:  // four equal bytes, sometimes three
      return m_random.between(0, 255) * 0x01010101 ^ (m_random.chance(0.1) ? 1U << m_random.between(0, 31) : 0);
    case 8: {  // about a run length of the table
      const unsigned run = m_table.runs[m_random.between(0, 5)];
      const unsigned bits = std::min(32U, 32 - run + m_random.between(0, 2));  // half of the time one bit too many
      const std::uint64_t top = bits == 0 ? 0 : std::uint64_t{1} << (bits - 1);
      return static_cast<std::uint32_t>(top | (top == 0 ? 0 : m_random.bits() % top));
    }
    case 9:
      return sign;
    case 10:  // one bit, or all but one
      return (std::uint32_t{1} << m_random.between(0, 31)) ^ sign;
    default:
      return word();
  }
}

std::vector<std::uint32_t> message_source::integers(std::size_t words) {
  std::vector<std::uint32_t> message(words);
  // Two preferred kinds make up most of a message, any kind the rest; kind 0 alone produces long runs of zeros.
  const unsigned preferred_kinds[2] = {m_random.between(0, IntegerKinds - 1), m_random.between(0, IntegerKinds - 1)};
  const double rest = m_random.one_of({0.0, 0.05, 0.3, 1.0});
  const double share = m_random.unit();
  for (std::uint32_t& w : message)
    w = integer(m_random.chance(rest) ? m_random.between(0, IntegerKinds - 1)
                                      : preferred_kinds[m_random.chance(share)]);
  return message;
}

std::uint64_t message_source::double_bits(unsigned kind, unsigned cut) {
  const std::uint64_t sign = m_random.chance(0.5) ? std::uint64_t{1} << 63 : 0;
  const std::uint64_t mantissa = m_random.bits() >> 12, infinite = std::uint64_t{2047} << 52;
  const std::uint64_t low = (std::uint64_t{1} << cut) - 1;
  switch (kind) {
    case 0:
      return sign;  // zero
    case 1:
      return sign | infinite;
    case 2:  // NaN with any payload, or with bits below the cut only
      return sign | infinite | (m_random.chance(0.5) ? mantissa | 1 : std::max<std::uint64_t>(1, mantissa & low));
    case 3:  // denormal, with bits everywhere, above or below the cut
      return sign | m_random.one_of({mantissa, mantissa & ~low, mantissa & low});
    case 4:  // an integer stored as a double
      return m_random.between(0, 1000);
    case 5:  // exponents next to the special ones
      return sign | std::uint64_t{m_random.one_of({1U, 2046U})} << 52 | mantissa;
    case 6: {  // ordinary numbers
      const double value = m_random.unit() * 2 - 1;
      std::uint64_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      return bits;
    }
    case 7:  // one bit about the cut
      return sign | std::uint64_t{m_random.one_of({0U, 1023U, 2047U})} << 52 |
             std::uint64_t{1} << m_random.between(cut == 0 ? 0 : cut - 1, cut);
    default:
      return m_random.bits();
  }
}

std::vector<std::uint32_t> message_source::doubles(std::size_t words, unsigned cut) {
  std::vector<std::uint32_t> message;
  const unsigned preferred_kind = m_random.between(0, DoubleKinds - 1);
  const double rest = m_random.one_of({0.0, 0.1, 0.5, 1.0});
  while (message.size() < words) {
    const std::uint64_t bits =
        double_bits(m_random.chance(rest) ? m_random.between(0, DoubleKinds - 1) : preferred_kind, cut);
    message.push_back(static_cast<std::uint32_t>(bits));
    message.push_back(static_cast<std::uint32_t>(bits >> 32));
  }
  message.resize(words);
  return message;
}

std::uint32_t any_size(rng& random) {
  const std::uint32_t power = std::uint32_t{1} << random.between(0, SizeBits);
  const std::uint32_t size = random.chance(0.5) ? power - 1 + random.between(0, 9) : random.between(0, power);
  return std::min(size, (std::uint32_t{1} << SizeBits) - 1);
}

void spoil(travelling_packet& packet, rng& random, unsigned words_per_flit) {
  const auto any_word = [&]() -> std::uint32_t& {
    return packet.payload[random.between(0, static_cast<std::uint32_t>(packet.payload.size() - 1))];
  };
  const auto resize = [&](std::size_t flits) { packet.payload.resize(flits * words_per_flit); };
  const std::size_t flits = packet.payload.size() / words_per_flit;
  switch (random.between(0, 11)) {
    case 0:  // one bit
      any_word() ^= 1U << random.between(0, 31);
      break;
    case 1:  // some words
      for (unsigned i = random.between(1, 4); i > 0; --i) any_word() = static_cast<std::uint32_t>(random.bits());
      break;
    case 2:  // all of them
      for (std::uint32_t& word : packet.payload) word = static_cast<std::uint32_t>(random.bits());
      break;
    case 3:  // the end is missing
      resize(std::max<std::size_t>(1, flits - std::min<std::size_t>(flits - 1, random.between(1, 3))));
      break;
    case 4:  // one or more surplus flits of zeros
      resize(flits + random.between(1, 6));
      break;
    case 5:  // bits in the padding of the last flit
      packet.payload.back() |= 1U << random.between(24, 31);
      break;
    case 6:  // fewer words or more
      packet.header.words = random.chance(0.5) ? packet.header.words - random.between(0, packet.header.words / 2)
                                               : packet.header.words + random.between(1, 40);
      break;
    case 7:
      packet.header.words = 0;
      break;
    case 8:  // any coded form
      packet.header.codec = static_cast<codec>(random.between(1, 3));
      packet.header.cut = static_cast<std::uint8_t>(random.between(0, 51));
      break;
    case 9:  // a cut that does not exist, also where nothing is cut
      if (random.chance(0.5)) packet.header.codec = codec::LsbCut;
      packet.header.cut = static_cast<std::uint8_t>(random.between(52, 63));
      break;
    case 10:  // one long packet instead of a short one: the window fills
      resize(flits + random.between(1, 30));
      packet.header.words = random.between(1, 3 * words_per_flit);
      break;
    default:  // many words out of few bits
      packet.header.words = random.between(1, 300);
      break;
  }
  packet.header.flits = static_cast<std::uint32_t>(packet.payload.size() / words_per_flit);
}

travelling_packet tight_end(rng& random, const fpc_table& table, unsigned words_per_flit) {
  const unsigned k = words_per_flit, flit_bits = 32 * k;
  const auto data_bits = [&table](unsigned prefix) {
    return prefix == 7 ? 32 : prefix == 6 ? 0 : 32 - table.runs[5 - prefix];
  };
  // In a long invalid group, many bits are still to come when its prefixes are complete.
  const bool is_long = random.chance(0.2), anywhere = is_long || random.chance(0.3);
  std::vector<unsigned> prefixes;
  std::uint32_t flits = 1;
  for (unsigned attempt = 0; attempt < 64; ++attempt) {
    prefixes.assign(std::size_t{k} * random.between(0, 6), 7);
    for (unsigned& prefix : prefixes)
      if (random.chance(0.9)) prefix = random.between(0, 5);
    const unsigned last = random.chance(0.3) ? k : random.between(1, k);
    for (unsigned i = 0; i < last; ++i) prefixes.push_back(is_long ? 7 : random.between(0, 7));
    if (is_long || random.chance(0.5)) prefixes[prefixes.size() - random.between(1, last)] = 6;
    std::uint32_t bits = 0;
    for (const unsigned prefix : prefixes) bits += 3 + data_bits(prefix);
    flits = anywhere ? (bits + flit_bits - 1) / flit_bits : std::max(1U, (bits + 8) / flit_bits);
    if (anywhere) break;
    if (bits + 8 >= flits * flit_bits && bits <= flits * flit_bits + (random.chance(0.5) ? 0 : 40)) break;
  }
  std::vector<bool> string;
  for (std::size_t begin = 0; begin < prefixes.size(); begin += k) {
    const std::size_t end = std::min<std::size_t>(begin + k, prefixes.size());
    std::uint32_t data = 0;
    for (std::size_t i = begin; i < end; ++i) {
      for (unsigned bit = 0; bit < 3; ++bit) string.push_back((prefixes[i] >> bit & 1) != 0);
      data += data_bits(prefixes[i]);
    }
    // Also all ones and all zeros: after a group of one word, data resembles a prefix.
    for (const double ones = random.one_of({0.5, 0.0, 1.0}); data > 0; --data) string.push_back(random.chance(ones));
  }
  string.resize(std::size_t{flits} * flit_bits);
  travelling_packet packet;
  packet.payload.resize(std::size_t{flits} * k);
  for (std::size_t bit = 0; bit < string.size(); ++bit)
    packet.payload[bit / 32] |= static_cast<std::uint32_t>(string[bit]) << bit % 32;
  packet.header.flits = flits;
  packet.header.words = static_cast<std::uint32_t>(prefixes.size());
  if (prefixes.size() % k == 0 && random.chance(0.5)) packet.header.words += random.between(1, 3 * k);
  packet.header.codec = codec::Fpc;
  return packet;
}

}  // namespace weft::lockstep
