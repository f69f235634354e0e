// SPDX-License-Identifier: Apache-2.0
// The frequent-pattern codes: words, compared with the tables of the reference page, and groups as bits.
#include "weft/core/fpc.h"

#include "unit/core/codec_cases.h"
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

unsigned leading_zeros(std::uint32_t word) {
  unsigned zeros = 0;
  while (zeros < 32 && (word >> (31 - zeros) & 1) == 0) ++zeros;
  return zeros;
}

// ---------------------------------------------------------------------------------------------------------------
// Table-based code

RC_GTEST_PROP(unit_core_fpc, word_is_coded_with_the_longest_run_that_fits, ()) {
  const fpc_table table = *any_table();
  RC_ASSERT(table.valid());
  const std::uint32_t word = *any_word();
  unsigned prefix = 7, bits = 32;
  for (unsigned i = 0; i < 6 && prefix == 7; ++i) {
    if (leading_zeros(word) < table.runs[i]) continue;
    prefix = 5 - i;
    bits = 32 - table.runs[i];
  }
  const auto code = encode_fpc_word(word, table);
  RC_ASSERT(code.prefix == prefix);
  RC_ASSERT(code.bits == bits);
  RC_ASSERT(code.data == word);
  RC_ASSERT(code.data >> 1 >> (bits - (bits > 0 ? 1 : 0)) == 0U || bits == 0);
}

RC_GTEST_PROP(unit_core_fpc, word_is_decoded_regardless_of_the_following_bits, ()) {
  const fpc_table table = *any_table();
  const std::uint32_t word = *any_word();
  const auto code = encode_fpc_word(word, table);
  const auto behind = *any_bits() << code.bits;
  RC_ASSERT(fpc_data_bits(code.prefix, table) == code.bits);
  RC_ASSERT(decode_fpc_word(code.prefix, static_cast<std::uint32_t>(code.data | behind), table) == word);
}

TEST(unit_core_fpc, default_table_is_table_one_of_the_paper) {
  const fpc_table table;
  struct row {
    std::uint32_t word;
    unsigned prefix, bits;
  };
  for (const row r : {row{0, 5, 14}, row{0x3fff, 5, 14}, row{0x4000, 4, 15}, row{0x8000, 3, 16}, row{0x10000, 2, 17},
                      row{0x20000, 1, 18}, row{0x7ffff, 0, 19}, row{0x80000, 7, 32}, row{0xffffffff, 7, 32}}) {
    EXPECT_EQ(encode_fpc_word(r.word, table).prefix, r.prefix) << r.word;
    EXPECT_EQ(encode_fpc_word(r.word, table).bits, r.bits) << r.word;
  }
  EXPECT_EQ(fpc_data_bits(6U, table), 0u);
}

TEST(unit_core_fpc, valid_table_has_six_decreasing_run_lengths) {
  EXPECT_TRUE((fpc_table{{32, 31, 30, 29, 28, 1}}.valid()));
  EXPECT_FALSE((fpc_table{{33, 31, 30, 29, 28, 1}}.valid()));
  EXPECT_FALSE((fpc_table{{32, 31, 30, 29, 28, 0}}.valid()));
  EXPECT_FALSE((fpc_table{{32, 31, 30, 30, 28, 1}}.valid()));
}

TEST(unit_core_fpc, group_has_its_prefixes_before_its_data) {
  constexpr auto Group = encode_fpc_group<4>({{1, 0xffffffff, 0x4000, 9}}, 3, fpc_table{});
  static_assert(Group.size() == 9 + 14 + 32 + 15);
  EXPECT_EQ(Group.extract(0, 9), 5u | 7u << 3 | 4u << 6);
  EXPECT_EQ(Group.extract(9, 14), 1u);
  EXPECT_EQ(Group.extract(23, 32), 0xffffffffu);
  EXPECT_EQ(Group.extract(55, 15), 0x4000u);
}

template <unsigned K>
void check_fpc_group() {
  const fpc_table table = *any_table();
  const unsigned count = *rc::gen::inRange(1U, K + 1);
  word_row<K> words;
  for (unsigned i = 0; i < count; ++i) words.word[i] = *any_word();
  window<K> bits;
  const chunk<K> group = encode_fpc_group<K>(words, count, table);
  bits.append(group);
  for (unsigned i = 0; i < 32 * K; i += 32) bits.append(*any_bits(), 32);
  RC_ASSERT(measure_fpc_group<K>(bits, bits.size(), count, table) == (group_measure{group.size(), true, false}));
  RC_ASSERT(extract_fpc_group<K>(bits, count, table) == words);
  const unsigned available = *rc::gen::inRange(0U, group.size());
  window<K> cut;
  cut.append(group.words(), available);
  RC_ASSERT(!measure_fpc_group<K>(cut, available, count, table).fits);
}

RC_GTEST_PROP(unit_core_fpc, group_is_decoded_from_any_window_that_holds_it, ()) {
  check_fpc_group<1>();
  check_fpc_group<2>();
  check_fpc_group<4>();
  check_fpc_group<8>();
}

RC_GTEST_PROP(unit_core_fpc, a_group_with_the_invalid_prefix_is_corrupt, ()) {
  const unsigned count = *rc::gen::inRange(1U, 5U), wrong = *rc::gen::inRange(0U, count);
  window<4> bits;
  for (unsigned i = 0; i < count; ++i) bits.append(i == wrong ? 6 : *rc::gen::element(0, 1, 2, 3, 4, 5, 7), 3);
  while (bits.size() < window_bits(4)) bits.append(1, 1);
  const group_measure group = measure_fpc_group<4>(bits, bits.size(), count, fpc_table{});
  RC_ASSERT(group.fits);
  RC_ASSERT(group.corrupt);
}

// ---------------------------------------------------------------------------------------------------------------
// Classic code

/// The data bits of the shortest token, found by the definition: it tries all patterns.
std::optional<std::uint32_t> data_of(std::uint32_t word, unsigned prefix) {
  const auto number = static_cast<std::int32_t>(word);
  const auto is_between = [](std::int32_t n, unsigned bits) { return n >= -(1 << (bits - 1)) && n < 1 << (bits - 1); };
  const auto lower = static_cast<std::int16_t>(word & 0xffff), upper = static_cast<std::int16_t>(word >> 16);
  switch (prefix) {
    case 1:
      if (is_between(number, 4)) return word & 0xf;
      break;
    case 2:
      if (is_between(number, 8)) return word & 0xff;
      break;
    case 3:
      if (is_between(number, 16)) return word & 0xffff;
      break;
    case 4:
      if (lower == 0) return word >> 16;
      break;
    case 5:
      if (is_between(lower, 8) && is_between(upper, 8)) return (word & 0xff) | (word >> 16 & 0xff) << 8;
      break;
    case 6:
      if (word == (word & 0xff) * 0x01010101U) return word & 0xff;
      break;
    case 7:
      return word;
  }
  return {};
}

RC_GTEST_PROP(unit_core_classic_fpc, word_is_coded_with_the_first_of_its_shortest_tokens, ()) {
  const std::uint32_t word = *rc::gen::suchThat(any_word(), [](std::uint32_t w) { return w != 0; });
  constexpr unsigned Bits[] = {3, 4, 8, 16, 16, 16, 8, 32};
  unsigned best = 7;
  for (unsigned prefix = 7; prefix >= 1; --prefix)
    if (data_of(word, prefix) && Bits[prefix] <= Bits[best]) best = prefix;
  const auto token = encode_classic_word(word);
  RC_ASSERT(token.prefix == best);
  RC_ASSERT(token.bits == Bits[best]);
  RC_ASSERT(token.data == *data_of(word, best));
}

RC_GTEST_PROP(unit_core_classic_fpc, word_is_decoded_regardless_of_the_following_bits, ()) {
  const std::uint32_t word = *any_word();
  const auto token = encode_classic_word(word);
  const auto behind = *any_bits() << token.bits;
  RC_ASSERT(classic_data_bits(token.prefix) == token.bits);
  RC_ASSERT(decode_classic_word(token.prefix, static_cast<std::uint32_t>(token.data | behind)) == word);
}

TEST(unit_core_classic_fpc, selects_a_fixed_token_for_ambiguous_words) {
  const auto prefix = [](std::uint32_t word) { return encode_classic_word(word).prefix; };
  EXPECT_EQ(prefix(0), 0u);
  EXPECT_EQ(prefix(0xffffffff), 1u);  // also four equal bytes
  EXPECT_EQ(prefix(0xffffff80), 2u);
  EXPECT_EQ(prefix(0x7f7f7f7f), 6u);
  EXPECT_EQ(prefix(0xffff8000), 3u);
  EXPECT_EQ(prefix(0x00050000), 4u);  // also two halfwords of a byte each
  EXPECT_EQ(prefix(0x0005ffff), 5u);
  EXPECT_EQ(prefix(0x00800000), 4u);
  EXPECT_EQ(prefix(0x00800001), 7u);
}

TEST(unit_core_classic_fpc, run_token_is_emitted_where_the_run_ends) {
  classic_state state;
  EXPECT_EQ(encode_classic_group<4>({{0, 0, 0, 0}}, 4, false, state).size(), 0u);
  EXPECT_EQ(state.zeros, 4u);
  const auto eight = encode_classic_group<4>({{0, 0, 0, 0}}, 4, false, state);  // the eighth zero ends the run
  EXPECT_EQ(eight.size(), 6u);
  EXPECT_EQ(eight.extract(0, 6), 7u << 3);
  EXPECT_EQ(state.zeros, 0u);
  const auto broken = encode_classic_group<4>({{0, 5, 0, 0}}, 4, false, state);
  EXPECT_EQ(broken.size(), 6u + 7u);
  EXPECT_EQ(broken.extract(0, 13), 0u | 1u << 6 | 5u << 9);
  const auto last = encode_classic_group<4>({{0, 0, 0, 0}}, 1, true, state);
  EXPECT_EQ(last.size(), 6u);
  EXPECT_EQ(last.extract(0, 6), 2u << 3);
  EXPECT_EQ(state.zeros, 0u);
}

TEST(unit_core_classic_fpc, the_longest_group_fills_the_chunk) {
  classic_state state{7};
  EXPECT_EQ(encode_classic_group<2>({{0x12345678, 0x12345678}}, 2, true, state).size(), chunk_bits(2));
  state.zeros = 7;
  EXPECT_EQ(encode_classic_group<8>({{1u << 31 | 1, 1u << 31 | 1, 1u << 31 | 1, 1u << 31 | 1, 1u << 31 | 1,
                                      1u << 31 | 1, 1u << 31 | 1, 1u << 31 | 1}},
                                    8, true, state)
                .size(),
            chunk_bits(8));
}

TEST(unit_core_classic_fpc, run_continues_into_later_groups) {
  window<2> bits;
  bits.append(0u | 4u << 3, 6);  // a run of five zeros
  classic_measure m = measure_classic_group<2>(bits, bits.size(), 2, 5, {});
  EXPECT_EQ(m.size, 6u);
  EXPECT_TRUE(m.fits);
  EXPECT_FALSE(m.corrupt);
  EXPECT_EQ(m.zeros, 3u);
  bits.drop(6);
  m = measure_classic_group<2>(bits, bits.size(), 2, 3, m.next());
  EXPECT_EQ(m.size, 0u);
  EXPECT_TRUE(m.fits);
  EXPECT_EQ(m.zeros, 1u);
  m = measure_classic_group<2>(bits, bits.size(), 1, 1, m.next());
  EXPECT_EQ(m.size, 0u);
  EXPECT_EQ(m.zeros, 0u);
}

TEST(unit_core_classic_fpc, run_longer_than_the_remaining_words_is_corrupt) {
  window<2> bits;
  bits.append(0u | 4u << 3, 6);
  EXPECT_FALSE(measure_classic_group<2>(bits, bits.size(), 2, 5, {}).corrupt);
  EXPECT_TRUE(measure_classic_group<2>(bits, bits.size(), 2, 4, {}).corrupt);
  window<2> later;
  later.append(1u, 7);  // a word, then the run
  later.append(bits);
  EXPECT_FALSE(measure_classic_group<2>(later, later.size(), 2, 6, {}).corrupt);
  EXPECT_TRUE(measure_classic_group<2>(later, later.size(), 2, 5, {}).corrupt);
}

}  // namespace
}  // namespace weft
