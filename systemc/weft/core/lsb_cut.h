// SPDX-License-Identifier: Apache-2.0
/// LSB-cut of doubles (COMPRESS), which does not send the lowest bits of the mantissa. The exact form preserves zeros,
/// denormals, infinities and NaNs; the plain form follows the paper and does not. The first part of this file codes
/// single doubles. The second part codes groups, which are the words of one flit. docs/03_reference/compression.md
/// describes the formats.
#pragma once

#include <cstdint>

#include "weft/core/bits.h"
#include "weft/core/codec.h"

namespace weft {

// ---------------------------------------------------------------------------------------------------------------
// One double, as its 64 bits. n, the number of bits that are cut, has the same type as the double, so it may be a
// variable.

/// Whether \p value is a zero, a denormal, an infinity or a NaN: its exponent field is 0 or 2047.
template <typename Value>
constexpr auto is_special(const Value& value) {
  const Value exponent = value & constant(value, 0x7ff0000000000000);
  return exponent == constant(value, 0) || exponent == constant(value, 0x7ff0000000000000);
}

/// The part of \p value that is sent: its upper 64 - n bits.
template <typename Value>
constexpr Value kept_bits(const Value& value, const Value& n) {
  return lshr(value, n);
}

/// The part of \p value that is cut: its n lowest bits.
template <typename Value>
constexpr Value cut_bits(const Value& value, const Value& n) {
  return value & (shl(constant(value, 1), n) - constant(value, 1));
}

/// The n bits that the receiver puts in place of the cut bits: 0b10…0, the middle of their range. 0 for n = 0.
template <typename Value>
constexpr Value cut_padding(const Value& n) {
  return lshr(shl(constant(n, 1), n), constant(n, 1));
}

/// The double at the receiver if the sender sends only the kept bits.
template <typename Value>
constexpr Value padded(const Value& kept, const Value& n) {
  return shl(kept, n) | cut_padding(n);
}

/// The double at the receiver in the exact form: a special double has its cut bits, any other double is padded.
/// \param cut the cut bits if they were sent, otherwise 0
template <typename Value>
constexpr Value restored(const Value& kept, const Value& cut, const Value& n) {
  const Value value = shl(kept, n);
  return value | ite(is_special(value), cut, cut_padding(n));
}

/// The double that the receiver gets for \p value: the result of LSB-cut and its inverse.
constexpr std::uint64_t after_cut(std::uint64_t value, unsigned n, bool exact) {
  const std::uint64_t kept = kept_bits<std::uint64_t>(value, n);
  return exact ? restored<std::uint64_t>(kept, cut_bits<std::uint64_t>(value, n), n) : padded<std::uint64_t>(kept, n);
}

// ---------------------------------------------------------------------------------------------------------------
// Groups. Two words form a double, the lower word first. With one word per flit, two flits share a group.

/// Number of words in a group if a flit has \p words words.
constexpr unsigned lsb_cut_group_words(unsigned words) { return words == 1 ? 2 : words; }

template <unsigned K>
using lsb_cut_words = word_row<lsb_cut_group_words(K)>;

namespace lsb_cut_detail {

/// The positions of the parts of a group, as bit numbers in the group.
template <unsigned Doubles>
struct layout {
  bool has_cut[Doubles];     ///< of each double: its cut bits are sent
  unsigned cut_at = 0;       ///< first cut bit
  unsigned unpaired_at = 0;  ///< word without a partner
  unsigned size = 0;

  constexpr layout() : has_cut() {
    for (unsigned i = 0; i < Doubles; ++i) has_cut[i] = false;
  }
};

template <unsigned Doubles, unsigned Capacity>
constexpr layout<Doubles> layout_of(const bit_string<Capacity>& bits, unsigned count, unsigned n, bool exact) {
  layout<Doubles> parts;
  const unsigned doubles = count / 2, kept = 64 - n;
  unsigned at = kept * doubles, with_cut = 0;
  if (exact && n > 0) {
    for (unsigned i = 0; i < Doubles; ++i) {
      if (i < doubles && is_special(bits.extract(kept * i, kept) << n)) {
        parts.has_cut[i] = bits.extract(at, 1) != 0;
        with_cut += parts.has_cut[i] ? 1 : 0;
        ++at;
      }
    }
  }
  parts.cut_at = at;
  parts.unpaired_at = parts.cut_at + n * with_cut;
  parts.size = parts.unpaired_at + 32 * (count % 2);
  return parts;
}

}  // namespace lsb_cut_detail

/// Double number \p i of \p words, as its 64 bits.
template <unsigned Count>
constexpr std::uint64_t double_of(const word_row<Count>& words, unsigned i) {
  return words.word[2 * i] | static_cast<std::uint64_t>(words.word[2 * i + 1]) << 32;
}

/// Encodes the first \p count words of a group: 1…K, or 1…2 for K = 1. \p n ≤ MaxCut.
template <unsigned K>
constexpr chunk<K> encode_lsb_cut_group(const lsb_cut_words<K>& words, unsigned count, unsigned n, bool exact) {
  chunk<K> group;
  constexpr unsigned Doubles = lsb_cut_group_words(K) / 2;
  const unsigned doubles = count / 2;
  for (unsigned i = 0; i < Doubles; ++i)
    if (i < doubles) group.append(kept_bits<std::uint64_t>(double_of(words, i), n), 64 - n);
  if (exact && n > 0) {
    for (unsigned i = 0; i < Doubles; ++i)
      if (i < doubles && is_special(double_of(words, i)))
        group.append(cut_bits<std::uint64_t>(double_of(words, i), n) != 0 ? 1 : 0, 1);
    for (unsigned i = 0; i < Doubles; ++i) {
      const std::uint64_t cut = cut_bits<std::uint64_t>(double_of(words, i), n);
      if (i < doubles && is_special(double_of(words, i)) && cut != 0) group.append(cut, n);
    }
  }
  if (count % 2 != 0) group.append(words.word[count - 1], 32);
  return group;
}

/// Measures a group like measure_fpc_group(); the group is never corrupt. \p count: as for encode_lsb_cut_group().
template <unsigned K, unsigned Capacity>
constexpr group_measure measure_lsb_cut_group(const bit_string<Capacity>& bits, unsigned available, unsigned count,
                                              unsigned n, bool exact) {
  group_measure group;
  group.size = lsb_cut_detail::layout_of<lsb_cut_group_words(K) / 2>(bits, count, n, exact).size;
  group.fits = group.size <= available;
  return group;
}

/// Decodes the words of a group that fits; words at and above \p count are 0.
template <unsigned K, unsigned Capacity>
constexpr lsb_cut_words<K> extract_lsb_cut_group(const bit_string<Capacity>& bits, unsigned count, unsigned n,
                                                 bool exact) {
  lsb_cut_words<K> words;
  const auto parts = lsb_cut_detail::layout_of<lsb_cut_group_words(K) / 2>(bits, count, n, exact);
  unsigned cut_at = parts.cut_at;
  for (unsigned i = 0; i < lsb_cut_group_words(K) / 2; ++i) {
    if (i < count / 2) {
      const std::uint64_t kept = bits.extract((64 - n) * i, 64 - n);
      std::uint64_t cut = 0;
      if (parts.has_cut[i]) {
        cut = bits.extract(cut_at, n);
        cut_at += n;
      }
      const std::uint64_t value = exact ? restored<std::uint64_t>(kept, cut, n) : padded<std::uint64_t>(kept, n);
      words.word[2 * i] = static_cast<std::uint32_t>(value);
      words.word[2 * i + 1] = static_cast<std::uint32_t>(value >> 32);
    }
  }
  if (count % 2 != 0) words.word[count - 1] = static_cast<std::uint32_t>(bits.extract(parts.unpaired_at, 32));
  return words;
}

}  // namespace weft
