// SPDX-License-Identifier: Apache-2.0
/// Both forms of a division give what the processor does.
#include "weft/core/division.h"

#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

TEST(unit_core_division, bit_by_bit_is_that_of_the_processor_for_all_quotients_of_few_bits) {
  constexpr unsigned Bits = 6;
  unsigned compared = 0;
  for (unsigned divisor = 1; divisor <= 70; ++divisor) {
    for (unsigned value = 0; value < divisor << Bits; ++value) {
      const division d = divide_bit_by_bit<Bits>(value, divisor);
      ASSERT_EQ(d.quotient, value / divisor) << value << " / " << divisor;
      ASSERT_EQ(d.rest, value % divisor) << value << " % " << divisor;
      ++compared;
    }
  }
  EXPECT_GT(compared, 150000U);
}

RC_GTEST_PROP(unit_core_division, has_two_forms_that_agree, ()) {
  constexpr unsigned Bits = 20;
  const auto divisor = *rc::gen::inRange(1U, 1U << 12);
  const auto value = *rc::gen::inRange(0U, divisor << Bits);
  const division by_bits = divide_bit_by_bit<Bits>(value, divisor);
  RC_ASSERT(by_bits.quotient == quotient<Bits>(value, divisor));
  RC_ASSERT(by_bits.rest == rest<Bits>(value, divisor));
}

RC_GTEST_PROP(unit_core_division, divides_numbers_of_64_bits, ()) {
  const auto value = *rc::gen::arbitrary<std::uint64_t>(), any = *rc::gen::arbitrary<std::uint64_t>();
  const std::uint64_t divisor = any >> *rc::gen::inRange(0, 63) | 1;
  const division d = divide_bit_by_bit<64>(value, divisor);
  RC_ASSERT(d.quotient == value / divisor);
  RC_ASSERT(d.rest == value % divisor);
}

}  // namespace
}  // namespace weft
