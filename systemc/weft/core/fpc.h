// SPDX-License-Identifier: Apache-2.0
/// Frequent-pattern codes of 32-bit integers: the table-based code of COMPRESS (Table I) and the classic code of
/// Alameldeen and Wood. The first part of this file codes single words. The second part codes groups, which are the
/// words of one flit. docs/03_reference/compression.md describes the formats.
#pragma once

#include <cstdint>

#include "weft/core/bits.h"
#include "weft/core/codec.h"

namespace weft {

/// A coded word: 3 bits of prefix, then `bits` bits of `data`; higher bits of `data` are 0.
template <typename Word>
struct fpc_code {
  Word prefix, data, bits;

  constexpr fpc_code(const Word& its_prefix, const Word& its_data, const Word& its_bits)
      : prefix(its_prefix), data(its_data), bits(its_bits) {}
};

inline constexpr unsigned FpcPrefixBits = 3;
inline constexpr unsigned FpcRaw = 7;      ///< prefix of an uncompressed word, in both codes
inline constexpr unsigned FpcInvalid = 6;  ///< prefix that the table-based code does not use

// ---------------------------------------------------------------------------------------------------------------
// Words, table-based code. Entry i of the table has the prefix 5 - i.

/// Encodes one word with the longest run of leading zeros in \p runs that matches it, or uncompressed if no run
/// matches.
/// \param word 32 bits
template <typename Word>
constexpr fpc_code<Word> encode_fpc_word(const Word& word, fpc_runs runs) {
  fpc_code<Word> code(constant(word, FpcRaw), word, constant(word, 32));  // leading zeros are not sent: data = word
  for (unsigned prefix = 0; prefix < 6; ++prefix) {                       // a longer run wins
    const unsigned i = 5 - prefix;
    const auto matches = (word & constant(word, ~low_bits(32 - run_of(runs, i)))) == constant(word, 0);
    code.prefix = ite(matches, constant(word, prefix), code.prefix);
    code.bits = ite(matches, constant(word, 32U - run_of(runs, i)), code.bits);
  }
  return code;
}

/// Number of data bits that follow \p prefix; 0 for the invalid prefix.
template <typename Word>
constexpr Word fpc_data_bits(const Word& prefix, fpc_runs runs) {
  Word bits = ite(prefix == constant(prefix, FpcRaw), constant(prefix, 32), constant(prefix, 0));
  for (unsigned i = 0; i < 6; ++i)
    bits = ite(prefix == constant(prefix, 5 - i), constant(prefix, 32U - run_of(runs, i)), bits);
  return bits;
}

/// Decodes one word.
/// \param data 32 bits, starting with the first data bit of the code; bits behind the code are ignored
template <typename Word>
constexpr Word decode_fpc_word(const Word& prefix, const Word& data, fpc_runs runs) {
  Word word = ite(prefix == constant(prefix, FpcRaw), data, constant(data, 0));
  for (unsigned i = 0; i < 6; ++i)
    word = ite(prefix == constant(prefix, 5 - i), data & constant(data, low_bits(32 - run_of(runs, i))), word);
  return word;
}

// ---------------------------------------------------------------------------------------------------------------
// Words, classic code

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

/// Whether \p value, a number of \p width bits, is the sign extension of its \p bits lowest bits.
template <typename Word>
constexpr auto fits_signed(const Word& value, unsigned bits, unsigned width) {
  return ((value + constant(value, UINT64_C(1) << (bits - 1))) & constant(value, low_bits(width) & ~low_bits(bits))) ==
         constant(value, 0);
}

/// The lowest \p bits of \p value, sign-extended.
template <typename Word>
constexpr Word sign_extended(const Word& value, unsigned bits) {
  const Word sign = constant(value, UINT64_C(1) << (bits - 1));
  return ((value & constant(value, low_bits(bits))) ^ sign) - sign;
}

/// Replaces \p code by the code with \p prefix, \p data and \p bits if \p matches holds.
template <typename Word, typename Condition>
constexpr void prefer(fpc_code<Word>& code, const Condition& matches, classic_prefix prefix, const Word& data,
                      unsigned bits) {
  code.prefix = ite(matches, constant(data, static_cast<unsigned>(prefix)), code.prefix);
  code.data = ite(matches, data, code.data);
  code.bits = ite(matches, constant(data, bits), code.bits);
}

/// Encodes a single word. A zero becomes a run of one zero, which is prefix Zeros with data 0; encode_classic_group()
/// combines zeros into longer runs.
/// \param word 32 bits
template <typename Word>
constexpr fpc_code<Word> encode_classic_word(const Word& word) {
  const Word zero = constant(word, 0), byte = constant(word, 0xff), by_eight = constant(word, 8);
  const Word lower = word & constant(word, 0xffff), upper = lshr(word, constant(word, 16));
  const Word two_bytes = (lower & byte) | shl(upper & byte, by_eight);
  const Word lowest_byte = word & byte, lowest_digit = word & constant(word, 0xf);
  fpc_code<Word> code(constant(word, FpcRaw), word, constant(word, 32));
  // From the most bits to the fewest; among equal lengths the smaller prefix wins.
  prefer(code, fits_signed(lower, 8, 16) && fits_signed(upper, 8, 16), classic_prefix::Bytes, two_bytes, 16);
  prefer(code, lower == zero, classic_prefix::Upper, upper, 16);
  prefer(code, fits_signed(word, 16, 32), classic_prefix::Signed16, lower, 16);
  prefer(code, word == (lshr(word, by_eight) | shl(word, constant(word, 24))), classic_prefix::Repeated, lowest_byte,
         8);
  prefer(code, fits_signed(word, 8, 32), classic_prefix::Signed8, lowest_byte, 8);
  prefer(code, fits_signed(word, 4, 32), classic_prefix::Signed4, lowest_digit, 4);
  prefer(code, word == zero, classic_prefix::Zeros, zero, 3);
  return code;
}

/// Number of data bits that follow \p prefix (0…7).
constexpr unsigned classic_bits_of(unsigned prefix) {
  return prefix == 0 ? 3 : prefix == 1 ? 4 : prefix == 2 || prefix == 6 ? 8 : prefix == 7 ? 32 : 16;
}
template <typename Word>
constexpr Word classic_data_bits(const Word& prefix) {
  Word bits = constant(prefix, classic_bits_of(0));
  for (unsigned i = 1; i < 8; ++i)
    bits = ite(prefix == constant(prefix, i), constant(prefix, classic_bits_of(i)), bits);
  return bits;
}

/// Returns \p value if \p prefix is \p expected, otherwise \p word.
template <typename Word>
constexpr Word chosen(const Word& prefix, classic_prefix expected, const Word& value, const Word& word) {
  return ite(prefix == constant(prefix, static_cast<unsigned>(expected)), value, word);
}

/// Decodes the word of one token. For the token of a run of zeros, the word is 0.
/// \param data 32 bits, starting with the first data bit of the token; bits behind the token are ignored
template <typename Word>
constexpr Word decode_classic_word(const Word& prefix, const Word& data) {
  const Word by_eight = constant(data, 8), by_sixteen = constant(data, 16);
  const Word byte = data & constant(data, 0xff), half = byte | shl(byte, by_eight);
  const Word first = sign_extended(data, 8) & constant(data, 0xffff);
  const Word second = sign_extended(lshr(data, by_eight), 8);
  Word word = constant(data, 0);
  word = chosen(prefix, classic_prefix::Signed4, sign_extended(data, 4), word);
  word = chosen(prefix, classic_prefix::Signed8, sign_extended(data, 8), word);
  word = chosen(prefix, classic_prefix::Signed16, sign_extended(data, 16), word);
  word = chosen(prefix, classic_prefix::Upper, shl(data, by_sixteen), word);
  word = chosen(prefix, classic_prefix::Bytes, static_cast<Word>(first | shl(second, by_sixteen)), word);
  word = chosen(prefix, classic_prefix::Repeated, static_cast<Word>(half | shl(half, by_sixteen)), word);
  word = chosen(prefix, classic_prefix::Raw, data, word);
  return word;
}

// ---------------------------------------------------------------------------------------------------------------
// Groups, table-based code: the prefixes of all words, then their data

/// Encodes the first \p count words (1…K) of a flit.
template <unsigned K>
constexpr chunk<K> encode_fpc_group(const word_row<K>& words, unsigned count, fpc_runs runs) {
  chunk<K> group;
  word_row<K> bits = words;  // the data bits, which are the low bits of the words
  for (unsigned i = 0; i < K; ++i) {
    if (i < count) {
      const std::uint32_t word = words.word[i];
      const fpc_code<std::uint32_t> code = encode_fpc_word(word, runs);
      group.append(code.prefix, FpcPrefixBits);
      bits.word[i] = code.bits;
    }
  }
  for (unsigned i = 0; i < K; ++i)
    if (i < count) group.append(words.word[i], bits.word[i]);
  return group;
}

/// Measures the group of \p count words (0…K) at the start of \p bits. Only the \p available lowest bits are valid; the
/// others must be 0.
template <unsigned K, unsigned Capacity>
constexpr group_measure measure_fpc_group(const bit_string<Capacity>& bits, unsigned available, unsigned count,
                                          fpc_runs runs) {
  group_measure group;
  group.size = FpcPrefixBits * count;
  for (unsigned i = 0; i < K; ++i) {
    if (i < count) {
      const auto prefix = static_cast<unsigned>(bits.extract(FpcPrefixBits * i, FpcPrefixBits));
      group.size += fpc_data_bits(prefix, runs);
      if (prefix == FpcInvalid) group.corrupt = true;
    }
  }
  group.fits = group.size <= available;
  return group;
}

/// Decodes the words of a group that fits and is not corrupt; words at and above \p count are 0.
template <unsigned K, unsigned Capacity>
constexpr word_row<K> extract_fpc_group(const bit_string<Capacity>& bits, unsigned count, fpc_runs runs) {
  word_row<K> words;
  unsigned at = FpcPrefixBits * count;
  for (unsigned i = 0; i < K; ++i) {
    if (i < count) {
      const auto prefix = static_cast<std::uint32_t>(bits.extract(FpcPrefixBits * i, FpcPrefixBits));
      words.word[i] = decode_fpc_word(prefix, static_cast<std::uint32_t>(bits.extract(at, 32)), runs);
      at += fpc_data_bits(prefix, runs);
    }
  }
  return words;
}

// ---------------------------------------------------------------------------------------------------------------
// Groups, classic code: tokens one after the other. A run of zeros can span flits; it is the state on both sides.

/// The state of the encoder or of the decoder between flits. In the encoder, the number of zeros in a run that is still
/// open; in the decoder, the number of zeros in a run that it has yet to deliver. Both are 0…7.
struct classic_state {
  unsigned zeros = 0;

  friend constexpr bool operator==(const classic_state& a, const classic_state& b) { return a.zeros == b.zeros; }
};

/// Ends the open run of zeros, if there is one, and appends its token.
template <unsigned Capacity>
constexpr void end_zero_run(bit_string<Capacity>& group, classic_state& state) {
  if (state.zeros != 0) {
    group.append(static_cast<unsigned>(classic_prefix::Zeros), FpcPrefixBits);
    group.append(state.zeros - 1, 3);
    state.zeros = 0;
  }
}

/// Encodes the first \p count words (1…K) of a flit. Returns the tokens that these words complete. If they are the \p
/// last words of the message, the token of an open run of zeros follows.
template <unsigned K>
constexpr chunk<K> encode_classic_group(const word_row<K>& words, unsigned count, bool last, classic_state& state) {
  chunk<K> group;
  for (unsigned i = 0; i < K; ++i) {
    if (i < count && words.word[i] == 0) {
      ++state.zeros;
      if (state.zeros == MaxZeroRun) end_zero_run(group, state);
    } else if (i < count) {
      end_zero_run(group, state);
      const std::uint32_t word = words.word[i];
      const fpc_code<std::uint32_t> token = encode_classic_word(word);
      group.append(token.prefix, FpcPrefixBits);
      group.append(token.data, token.bits);
    }
  }
  if (last) end_zero_run(group, state);
  return group;
}

struct classic_measure : group_measure {
  unsigned zeros = 0;  ///< zeros of the state after this group is read

  constexpr classic_state next() const {
    classic_state state;
    state.zeros = zeros;
    return state;
  }
};

/// Measures a group like measure_fpc_group(), but of the classic code.
/// \param left remaining words of the packet, including those of this group
template <unsigned K, unsigned Capacity>
constexpr classic_measure measure_classic_group(const bit_string<Capacity>& bits, unsigned available, unsigned count,
                                                std::uint64_t left, classic_state state) {
  classic_measure group;
  group.zeros = state.zeros;
  for (unsigned i = 0; i < K; ++i) {
    if (i < count && group.zeros > 0) {
      --group.zeros;
    } else if (i < count) {
      const auto prefix = static_cast<unsigned>(bits.extract(group.size, FpcPrefixBits));
      if (prefix == static_cast<unsigned>(classic_prefix::Zeros)) {
        group.zeros = static_cast<unsigned>(bits.extract(group.size + FpcPrefixBits, 3));
        if (group.zeros >= left - i) group.corrupt = true;
      }
      group.size += FpcPrefixBits + classic_data_bits(prefix);
    }
  }
  group.fits = group.size <= available;
  return group;
}

/// Decodes a group like extract_fpc_group(), but of the classic code.
/// \param state state of the decoder when the group was measured
template <unsigned K, unsigned Capacity>
constexpr word_row<K> extract_classic_group(const bit_string<Capacity>& bits, unsigned count, classic_state state) {
  word_row<K> words;
  unsigned at = 0;
  for (unsigned i = 0; i < K; ++i) {
    if (i < count && state.zeros > 0) {
      --state.zeros;
    } else if (i < count) {
      const auto prefix = static_cast<std::uint32_t>(bits.extract(at, FpcPrefixBits));
      const auto data = static_cast<std::uint32_t>(bits.extract(at + FpcPrefixBits, 32));
      if (prefix == static_cast<unsigned>(classic_prefix::Zeros)) state.zeros = data & 7;
      words.word[i] = decode_classic_word(prefix, data);
      at += FpcPrefixBits + classic_data_bits(prefix);
    }
  }
  return words;
}

}  // namespace weft
