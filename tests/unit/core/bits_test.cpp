// SPDX-License-Identifier: Apache-2.0
// Bit strings, compared with the simplest model: std::vector<bool>.
#include "weft/core/bits.h"

#include <sstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/core/bits.h"
#include "weft/core/flit.h"

namespace weft {
namespace {

constexpr unsigned Capacity = 150;  // two whole words and a part of one
using string_t = bit_string<Capacity>;
using plain = std::vector<bool>;

/// \p s in the form of the plain model. Also asserts that all bits above its size are 0.
plain to_plain(const string_t& s) {
  RC_ASSERT(!s.any_from(s.size()));
  plain bits;
  for (unsigned i = 0; i < s.size(); ++i) bits.push_back(s.extract(i, 1) != 0);
  return bits;
}

/// Appends a random value to both strings.
void append_some(string_t& s, plain& expected) {
  const unsigned count = *rc::gen::inRange(0U, std::min(64U, Capacity - s.size()) + 1);
  const auto value = *rc::gen::arbitrary<std::uint64_t>();
  s.append(value, count);
  for (unsigned i = 0; i < count; ++i) expected.push_back((value >> i & 1) != 0);
}

TEST(unit_core_bits, low_bits_masks_from_0_to_64_bits) {
  EXPECT_EQ(low_bits(0), 0u);
  EXPECT_EQ(low_bits(5), 31u);
  EXPECT_EQ(low_bits(63), ~std::uint64_t{0} >> 1);
  EXPECT_EQ(low_bits(64), ~std::uint64_t{0});
}

TEST(unit_core_bits, works_in_constant_expressions) {
  constexpr auto Bits = [] {
    bit_string<70> s;
    s.append(0x7f, 4);
    s.append(~std::uint64_t{0}, 64);
    s.drop(3);
    return s;
  }();
  static_assert(Bits.size() == 65 && Bits.word(0) == ~std::uint64_t{0} && Bits.word(1) == 1);
  SUCCEED();
}

RC_GTEST_PROP(unit_core_bits, append_and_drop_behave_like_a_queue, ()) {
  string_t s;
  plain expected;
  for (unsigned step = 0; step < 30; ++step) {
    append_some(s, expected);
    if (*rc::gen::arbitrary<bool>()) {
      const unsigned count = *rc::gen::inRange(0U, s.size() + 1);
      s.drop(count);
      expected.erase(expected.begin(), expected.begin() + count);
    }
    RC_ASSERT(to_plain(s) == expected);
    RC_ASSERT(s.empty() == expected.empty());
  }
}

RC_GTEST_PROP(unit_core_bits, appends_another_bit_string, ()) {
  string_t all;
  plain expected;
  append_some(all, expected);
  bit_string<70> tail;
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned count = *rc::gen::inRange(0U, 36U);
    const auto value = *rc::gen::arbitrary<std::uint64_t>();
    tail.append(value, count);
    for (unsigned bit = 0; bit < count; ++bit) expected.push_back((value >> bit & 1) != 0);
  }
  all.append(tail);
  RC_ASSERT(to_plain(all) == expected);
}

RC_GTEST_PROP(unit_core_bits, extract_reads_any_field_and_pads_with_zeros, ()) {
  string_t s;
  plain bits;
  for (unsigned i = 0; i < 3; ++i) append_some(s, bits);
  const unsigned offset = *rc::gen::inRange(0U, Capacity + 80), count = *rc::gen::inRange(0U, 65U);
  std::uint64_t expected = 0;
  for (unsigned i = 0; i < count; ++i)
    if (offset + i < bits.size() && bits[offset + i]) expected |= std::uint64_t{1} << i;
  RC_ASSERT(s.extract(offset, count) == expected);
}

RC_GTEST_PROP(unit_core_bits, any_from_ignores_bits_before_the_offset, ()) {
  const unsigned at = *rc::gen::inRange(0U, Capacity), offset = *rc::gen::inRange(0U, Capacity + 80);
  string_t s;
  for (unsigned i = 0; i < at; ++i) s.append(0, 1);
  s.append(1, 1);
  RC_ASSERT(s.any_from(offset) == (offset <= at));
}

TEST(unit_core_bits, equality_requires_equal_length_and_bits) {
  string_t a, b;
  a.append(5, 3);
  b.append(5, 4);
  EXPECT_NE(a, b);
  a.append(0, 1);
  EXPECT_EQ(a, b);
  a.append(1, 1);
  b.append(0, 1);
  EXPECT_NE(a, b);
}

TEST(unit_core_bits, prints_as_a_verilog_literal) {
  const auto text = [](const string_t& s) {
    std::ostringstream out;
    out << s;
    return out.str();
  };
  string_t s;
  EXPECT_EQ(text(s), "0'h0");
  s.append(0x1f, 5);
  EXPECT_EQ(text(s), "5'h1f");
  s.append(0x123456789abcdef0, 64);
  s.drop(5);
  s.append(10, 4);
  EXPECT_EQ(text(s), "68'ha123456789abcdef0");
}

TEST(unit_core_bits, chunk_and_window_sizes_have_known_values) {
  EXPECT_EQ(chunk_bits(1), 65u);
  EXPECT_EQ(chunk_bits(2), 76u);
  EXPECT_EQ(chunk_bits(4), 146u);
  EXPECT_EQ(chunk_bits(8), 286u);
  EXPECT_EQ(window_bits(2), 140u);
}

TEST(unit_core_bits, words_survive_packing_into_a_flit) {
  const word_row<4> words({0x22222222, 0x11111111, 0x44444444, 0x33333333});
  flit<128> f;
  put_words(f, words);
  EXPECT_THAT(f.payload, testing::ElementsAre(0x1111111122222222, 0x3333333344444444));
  EXPECT_EQ(words_of(f), words);
  flit<32> narrow;
  put_words(narrow, word_row<1>({7}));
  EXPECT_THAT(narrow.payload, testing::ElementsAre(7));
  EXPECT_EQ(words_of(narrow), word_row<1>({7}));
}

}  // namespace
}  // namespace weft
