// SPDX-License-Identifier: Apache-2.0
// LSB-cut: the value of a double of every kind after the cut, and groups as bits.
#include "weft/core/lsb_cut.h"

#include "unit/core/codec_cases.h"
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

double to_double(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint64_t to_bits(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

unsigned any_cut() { return *rc::gen::inRange(0U, MaxCut + 1); }

RC_GTEST_PROP(unit_core_lsb_cut, special_values_are_the_non_normal_doubles, ()) {
  const std::uint64_t value = *any_double();
  RC_ASSERT(is_special(value) == !std::isnormal(to_double(value)));
}

RC_GTEST_PROP(unit_core_lsb_cut, special_values_arrive_exactly, ()) {
  const std::uint64_t value = *rc::gen::suchThat(any_double(), [](std::uint64_t v) { return is_special(v); });
  RC_ASSERT(after_cut(value, any_cut(), true) == value);
}

RC_GTEST_PROP(unit_core_lsb_cut, normal_double_arrives_within_the_error_bound, ()) {
  const std::uint64_t value = *rc::gen::suchThat(any_double(), [](std::uint64_t v) { return !is_special(v); });
  const unsigned n = any_cut();
  const bool exact = *rc::gen::arbitrary<bool>();
  const std::uint64_t after = after_cut(value, n, exact);
  RC_ASSERT(!is_special(after));
  if (n == 0) RC_ASSERT(after == value);
  // The error is at most |x| * 2^(n-53); in the mantissa: |m - m'| ≤ 2^(n-1), as m ≥ 2^52.
  const auto error = static_cast<std::int64_t>(value - after);
  RC_ASSERT(std::abs(error) <= static_cast<std::int64_t>(std::uint64_t{1} << n >> 1));
  RC_ASSERT(value >> 52 == after >> 52);
}

TEST(unit_core_lsb_cut, value_one_reaches_the_error_bound) {
  for (unsigned n = 1; n <= MaxCut; ++n)
    EXPECT_EQ(to_double(after_cut(to_bits(1.), n, true)) - 1., std::ldexp(1., static_cast<int>(n) - 53)) << n;
}

RC_GTEST_PROP(unit_core_lsb_cut, is_idempotent, ()) {
  const std::uint64_t value = *any_double();
  const unsigned n = any_cut();
  const bool exact = *rc::gen::arbitrary<bool>();
  const std::uint64_t once = after_cut(value, n, exact);
  RC_ASSERT(after_cut(once, n, exact) == once);
}

RC_GTEST_PROP(unit_core_lsb_cut, padding_is_the_midpoint_of_the_cut_range, ()) {
  const auto n = *rc::gen::inRange<std::uint64_t>(0, MaxCut + 1);
  RC_ASSERT(cut_padding(n) == (n == 0 ? 0 : std::uint64_t{1} << (n - 1)));
}

TEST(unit_core_lsb_cut, plain_mode_changes_special_values) {
  EXPECT_TRUE(std::isnan(to_double(after_cut(to_bits(std::numeric_limits<double>::infinity()), 28, false))));
  EXPECT_EQ(after_cut(0, 28, false), 0x8000000u);  // a denormal
  EXPECT_EQ(after_cut(to_bits(-0.), 28, true), to_bits(-0.));
}

TEST(unit_core_lsb_cut, integer_bit_patterns_below_2_to_the_52_arrive_exactly) {
  for (const std::uint64_t i : {std::uint64_t{1}, std::uint64_t{123456789}, (std::uint64_t{1} << 52) - 1})
    EXPECT_EQ(after_cut(i, 28, true), i);
  EXPECT_NE(after_cut(std::uint64_t{1} << 52, 28, true), std::uint64_t{1} << 52);
}

TEST(unit_core_lsb_cut, group_has_kept_bits_then_flags_then_cut_bits) {
  const auto words = [](std::uint64_t a, std::uint64_t b) {
    return word_row<4>({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(a >> 32),
                        static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32)});
  };
  const std::uint64_t one = to_bits(1.);
  EXPECT_EQ(encode_lsb_cut_group<4>(words(one, one), 4, 28, true).size(), 72u);
  const auto zero = encode_lsb_cut_group<4>(words(0, one), 4, 28, true);
  EXPECT_EQ(zero.size(), 73u);
  EXPECT_EQ(zero.extract(36, 36), one >> 28);
  EXPECT_EQ(zero.extract(72, 1), 0u);
  const auto two = encode_lsb_cut_group<4>(words(5, 0x7ff0000000000003), 4, 28, true);  // a denormal, a NaN
  EXPECT_EQ(two.size(), 72u + 2 + 56);
  EXPECT_EQ(two.extract(36, 36), 0x7ff000000u);
  EXPECT_EQ(two.extract(72, 2), 3u);
  EXPECT_EQ(two.extract(74, 28), 5u);
  EXPECT_EQ(two.extract(102, 28), 3u);
  EXPECT_EQ(encode_lsb_cut_group<4>(words(5, 7), 4, 28, false).size(), 72u);
  EXPECT_EQ(encode_lsb_cut_group<4>(words(5, 7), 4, 0, true).size(), 128u);
  const auto odd = encode_lsb_cut_group<4>(words(0, 0x99), 3, 28, true);
  EXPECT_EQ(odd.size(), 36u + 1 + 32);
  EXPECT_EQ(odd.extract(37, 32), 0x99u);
  EXPECT_EQ(encode_lsb_cut_group<1>({{1, 0}}, 2, 51, true).size(), 65u);
  EXPECT_EQ(encode_lsb_cut_group<1>({{1, 0}}, 1, 51, true).size(), 32u);
}

template <unsigned K>
void check_cut_group() {
  const unsigned count = *rc::gen::inRange(1U, lsb_cut_group_words(K) + 1), n = any_cut();
  const bool exact = *rc::gen::arbitrary<bool>();
  lsb_cut_words<K> words, expected;
  for (unsigned i = 0; i < count; i += 2) {
    const std::uint64_t value = *any_double(), after = i + 1 < count ? after_cut(value, n, exact) : value;
    for (unsigned half = 0; half < 2 && i + half < count; ++half) {
      words.word[i + half] = static_cast<std::uint32_t>(value >> 32 * half);
      expected.word[i + half] = static_cast<std::uint32_t>(after >> 32 * half);
    }
  }
  window<K> bits;
  const chunk<K> group = encode_lsb_cut_group<K>(words, count, n, exact);
  bits.append(group);
  for (unsigned i = 0; i < 32 * K; i += 32) bits.append(*any_bits(), 32);
  RC_ASSERT(measure_lsb_cut_group<K>(bits, bits.size(), count, n, exact) == (group_measure{group.size(), true, false}));
  RC_ASSERT(extract_lsb_cut_group<K>(bits, count, n, exact) == expected);
  const unsigned available = *rc::gen::inRange(0U, group.size());
  window<K> cut;
  cut.append(group.words(), available);
  RC_ASSERT(!measure_lsb_cut_group<K>(cut, available, count, n, exact).fits);
}

RC_GTEST_PROP(unit_core_lsb_cut, group_is_decoded_from_any_window_that_holds_it, ()) {
  check_cut_group<1>();
  check_cut_group<2>();
  check_cut_group<4>();
  check_cut_group<8>();
}

}  // namespace
}  // namespace weft
