// SPDX-License-Identifier: Apache-2.0
/// Both forms of a division give the result of the processor's division.
#include "weft/core/division.h"

#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

TEST(unit_core_division, bit_by_bit_division_is_exact_for_all_6_bit_quotients) {
  constexpr unsigned Bits = 6;
  unsigned compared = 0;
  for (unsigned divisor = 1; divisor <= 70; ++divisor) {
    for (unsigned value = 0; value < divisor << Bits; ++value) {
      const division d = divide_bit_by_bit<Bits>(value, divisor);
      ASSERT_EQ(d.quotient, value / divisor) << value << " / " << divisor;
      ASSERT_EQ(d.remainder, value % divisor) << value << " % " << divisor;
      ++compared;
    }
  }
  EXPECT_GT(compared, 150000U);
}

RC_GTEST_PROP(unit_core_division, bit_by_bit_and_operator_division_agree, ()) {
  constexpr unsigned Bits = 20;
  const auto divisor = *rc::gen::inRange(1U, 1U << 12);
  const auto value = *rc::gen::inRange(0U, divisor << Bits);
  const division by_bits = divide_bit_by_bit<Bits>(value, divisor);
  RC_ASSERT(by_bits.quotient == divide<Bits>(value, divisor));
  RC_ASSERT(by_bits.remainder == modulo<Bits>(value, divisor));
}

RC_GTEST_PROP(unit_core_division, divides_64_bit_numbers, ()) {
  const auto value = *rc::gen::arbitrary<std::uint64_t>(), any = *rc::gen::arbitrary<std::uint64_t>();
  const std::uint64_t divisor = any >> *rc::gen::inRange(0, 63) | 1;
  const division d = divide_bit_by_bit<64>(value, divisor);
  RC_ASSERT(d.quotient == value / divisor);
  RC_ASSERT(d.remainder == value % divisor);
}

}  // namespace
}  // namespace weft
