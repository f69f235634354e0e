// SPDX-License-Identifier: Apache-2.0
/// Frequent-pattern codes of 32-bit integers: the code by table of COMPRESS (Table I) and the classic code of
/// Alameldeen and Wood. First what becomes of a word, then of the group of words that a flit carries. Formats:
/// docs/03_reference/compression.md.
#pragma once

#include <cstdint>

#include "weft/core/bits.h"
#include "weft/core/codec.h"

namespace weft {

/// A word in code: 3 bits of prefix, then `bits` bits of `data`; higher bits of data are 0.
template <typename Word>
struct fpc_code {
  Word prefix, data, bits;
};

inline constexpr unsigned FpcPrefixBits = 3;
inline constexpr unsigned FpcRaw = 7;      ///< the prefix of a whole word, in both codes
inline constexpr unsigned FpcInvalid = 6;  ///< the prefix that the code by table does not have

// ---------------------------------------------------------------------------------------------------------------
// Words, by table. Code i has the prefix 5 - i.

/// \p word: 32 bits.
template <typename Word>
constexpr fpc_code<Word> encode_fpc_word(const Word& word, const fpc_table& table) {
  fpc_code<Word> code{constant(word, FpcRaw), word, constant(word, 32)};  // leading zeros are no data: data = word
  for (unsigned i = 6; i-- > 0;) {                                        // a longer run wins
    const auto matches = (word & constant(word, ~low_bits(32 - table.runs[i]))) == constant(word, 0);
    code.prefix = ite(matches, constant(word, 5 - i), code.prefix);
    code.bits = ite(matches, constant(word, 32U - table.runs[i]), code.bits);
  }
  return code;
}

/// Bits of data behind \p prefix; none behind the invalid one.
template <typename Word>
constexpr Word fpc_data_bits(const Word& prefix, const fpc_table& table) {
  Word bits = ite(prefix == constant(prefix, FpcRaw), constant(prefix, 32), constant(prefix, 0));
  for (unsigned i = 0; i < 6; ++i)
    bits = ite(prefix == constant(prefix, 5 - i), constant(prefix, 32U - table.runs[i]), bits);
  return bits;
}

/// \p data: 32 bits from the first of the code's on; those behind the code's do not matter.
template <typename Word>
constexpr Word decode_fpc_word(const Word& prefix, const Word& data, const fpc_table& table) {
  Word word = ite(prefix == constant(prefix, FpcRaw), data, constant(data, 0));
  for (unsigned i = 0; i < 6; ++i)
    word = ite(prefix == constant(prefix, 5 - i), data & constant(data, low_bits(32 - table.runs[i])), word);
  return word;
}

// ---------------------------------------------------------------------------------------------------------------
// Words, classic

enum class classic_prefix : std::uint8_t {
  Zeros = 0,     ///< a run of 1…8 zero words
  Signed4 = 1,   ///< 4 bits sign-extended
  Signed8 = 2,   ///< 8 bits
  Signed16 = 3,  ///< 16 bits
  Upper = 4,     ///< upper halfword, lower halfword 0
  Bytes = 5,     ///< two halfwords, each a byte sign-extended
  Repeated = 6,  ///< four equal bytes
  Raw = 7,
};

inline constexpr unsigned MaxZeroRun = 8;

/// The token of a word for itself. A zero takes Zeros with data 0, a run of one: the group makes runs longer.
/// \p word: 32 bits.
template <typename Word>
constexpr fpc_code<Word> encode_classic_word(const Word& word) {
  const auto number = [&word](std::uint64_t bits) { return constant(word, bits); };
  const auto is_signed = [&number](const Word& value, unsigned bits, unsigned width) {  // it fits `bits` bits
    return ((value + number(std::uint64_t{1} << (bits - 1))) & number(low_bits(width) & ~low_bits(bits))) == number(0);
  };
  const Word lower = word & number(0xffff), upper = lshr(word, number(16));
  fpc_code<Word> code{number(FpcRaw), word, number(32)};
  const auto prefer = [&](const auto& matches, classic_prefix prefix, const Word& data, unsigned bits) {
    code = {ite(matches, number(static_cast<unsigned>(prefix)), code.prefix), ite(matches, data, code.data),
            ite(matches, number(bits), code.bits)};
  };
  // From the most bits to the fewest; of equals the smaller prefix wins.
  prefer(is_signed(lower, 8, 16) && is_signed(upper, 8, 16), classic_prefix::Bytes,
         (lower & number(0xff)) | shl(upper & number(0xff), number(8)), 16);
  prefer(lower == number(0), classic_prefix::Upper, upper, 16);
  prefer(is_signed(word, 16, 32), classic_prefix::Signed16, lower, 16);
  prefer(word == (lshr(word, number(8)) | shl(word, number(24))), classic_prefix::Repeated, word & number(0xff), 8);
  prefer(is_signed(word, 8, 32), classic_prefix::Signed8, word & number(0xff), 8);
  prefer(is_signed(word, 4, 32), classic_prefix::Signed4, word & number(0xf), 4);
  prefer(word == number(0), classic_prefix::Zeros, number(0), 3);
  return code;
}

/// Bits of data behind \p prefix.
template <typename Word>
constexpr Word classic_data_bits(const Word& prefix) {
  constexpr unsigned Bits[] = {3, 4, 8, 16, 16, 16, 8, 32};
  Word bits = constant(prefix, Bits[0]);
  for (unsigned i = 1; i < 8; ++i) bits = ite(prefix == constant(prefix, i), constant(prefix, Bits[i]), bits);
  return bits;
}

/// A word of the token; those of a run are 0.
/// \p data: 32 bits from the first of the token's on; those behind the token's do not matter.
template <typename Word>
constexpr Word decode_classic_word(const Word& prefix, const Word& data) {
  const auto number = [&data](std::uint64_t bits) { return constant(data, bits); };
  const auto sign_extended = [&number](const Word& value, unsigned bits) {
    const Word sign = number(std::uint64_t{1} << (bits - 1));
    return ((value & number(low_bits(bits))) ^ sign) - sign;
  };
  Word word = number(0);
  const auto choose = [&](classic_prefix p, const Word& value) {
    word = ite(prefix == constant(prefix, static_cast<unsigned>(p)), value, word);
  };
  const Word byte = data & number(0xff), half = byte | shl(byte, number(8));
  choose(classic_prefix::Signed4, sign_extended(data, 4));
  choose(classic_prefix::Signed8, sign_extended(data, 8));
  choose(classic_prefix::Signed16, sign_extended(data, 16));
  choose(classic_prefix::Upper, shl(data, number(16)));
  choose(classic_prefix::Bytes,
         (sign_extended(data, 8) & number(0xffff)) | shl(sign_extended(lshr(data, number(8)), 8), number(16)));
  choose(classic_prefix::Repeated, half | shl(half, number(16)));
  choose(classic_prefix::Raw, data);
  return word;
}

// ---------------------------------------------------------------------------------------------------------------
// Groups, by table: the prefixes of all words, then their data

/// \p count words of a flit, 1…K.
template <unsigned K>
constexpr chunk<K> encode_fpc_group(const flit_words<K>& words, unsigned count, const fpc_table& table) {
  chunk<K> group;
  std::array<fpc_code<std::uint32_t>, K> codes{};
  for (unsigned i = 0; i < count; ++i) {
    codes[i] = encode_fpc_word(words[i], table);
    group.append(codes[i].prefix, FpcPrefixBits);
  }
  for (unsigned i = 0; i < count; ++i) group.append(codes[i].data, codes[i].bits);
  return group;
}

/// The group of \p count words at the start of \p bits, of which \p available are there; those above must be 0.
template <unsigned Capacity>
constexpr group_measure measure_fpc_group(const bit_string<Capacity>& bits, unsigned available, unsigned count,
                                          const fpc_table& table) {
  group_measure group;
  group.take = FpcPrefixBits * count;
  for (unsigned i = 0; i < count; ++i) {
    const auto prefix = static_cast<unsigned>(bits.extract(FpcPrefixBits * i, FpcPrefixBits));
    group.take += fpc_data_bits(prefix, table);
    if (prefix == FpcInvalid) group.corrupt = true;
  }
  group.fits = group.take <= available;
  return group;
}

/// The words of a group that fits and is not corrupt; those above \p count are 0.
template <unsigned K, unsigned Capacity>
constexpr flit_words<K> extract_fpc_group(const bit_string<Capacity>& bits, unsigned count, const fpc_table& table) {
  flit_words<K> words{};
  unsigned at = FpcPrefixBits * count;
  for (unsigned i = 0; i < count; ++i) {
    const auto prefix = static_cast<std::uint32_t>(bits.extract(FpcPrefixBits * i, FpcPrefixBits));
    words[i] = decode_fpc_word(prefix, static_cast<std::uint32_t>(bits.extract(at, 32)), table);
    at += fpc_data_bits(prefix, table);
  }
  return words;
}

// ---------------------------------------------------------------------------------------------------------------
// Groups, classic: tokens one after the other. Runs of zeros reach across flits: that is the state on both sides.

/// Send side: zeros seen of a run that is still open, 0…7. Receive side: zeros still owed from a run, 0…7.
struct classic_state {
  unsigned zeros = 0;

  friend constexpr bool operator==(const classic_state& a, const classic_state& b) { return a.zeros == b.zeros; }
};

/// The tokens that end with \p count words of a flit, 1…K; with \p last, the run that is still open, too.
template <unsigned K>
constexpr chunk<K> encode_classic_group(const flit_words<K>& words, unsigned count, bool last, classic_state& state) {
  chunk<K> group;
  const auto end_run = [&group, &state] {
    if (state.zeros == 0) return;
    group.append(static_cast<unsigned>(classic_prefix::Zeros), FpcPrefixBits);
    group.append(state.zeros - 1, 3);
    state.zeros = 0;
  };
  for (unsigned i = 0; i < count; ++i) {
    if (words[i] == 0) {
      if (++state.zeros == MaxZeroRun) end_run();
      continue;
    }
    end_run();
    const fpc_code<std::uint32_t> token = encode_classic_word(words[i]);
    group.append(token.prefix, FpcPrefixBits);
    group.append(token.data, token.bits);
  }
  if (last) end_run();
  return group;
}

struct classic_measure : group_measure {
  classic_state next;  ///< when the group is taken
};

/// As measure_fpc_group. \p left: words of the packet that are left, those of this group included.
template <unsigned Capacity>
constexpr classic_measure measure_classic_group(const bit_string<Capacity>& bits, unsigned available, unsigned count,
                                                std::uint64_t left, classic_state state) {
  classic_measure group;
  group.next = state;
  for (unsigned i = 0; i < count; ++i) {
    if (group.next.zeros > 0) {
      --group.next.zeros;
      continue;
    }
    const auto prefix = static_cast<unsigned>(bits.extract(group.take, FpcPrefixBits));
    if (prefix == static_cast<unsigned>(classic_prefix::Zeros)) {
      group.next.zeros = static_cast<unsigned>(bits.extract(group.take + FpcPrefixBits, 3));
      if (group.next.zeros >= left - i) group.corrupt = true;
    }
    group.take += FpcPrefixBits + classic_data_bits(prefix);
  }
  group.fits = group.take <= available;
  return group;
}

/// As extract_fpc_group. \p state: as it was when the group was measured.
template <unsigned K, unsigned Capacity>
constexpr flit_words<K> extract_classic_group(const bit_string<Capacity>& bits, unsigned count, classic_state state) {
  flit_words<K> words{};
  unsigned at = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (state.zeros > 0) {
      --state.zeros;
      continue;
    }
    const auto prefix = static_cast<std::uint32_t>(bits.extract(at, FpcPrefixBits));
    const auto data = static_cast<std::uint32_t>(bits.extract(at + FpcPrefixBits, 32));
    if (prefix == static_cast<unsigned>(classic_prefix::Zeros)) state.zeros = data & 7;
    words[i] = decode_classic_word(prefix, data);
    at += FpcPrefixBits + classic_data_bits(prefix);
  }
  return words;
}

}  // namespace weft
