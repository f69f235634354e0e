// SPDX-License-Identifier: Apache-2.0
/// Division by what is not known when hardware is built: quotient and rest. In simulation the processor divides; a
/// translator gets comparisons and subtractions, one for each bit of the quotient, since none takes `/` by data.
#pragma once

namespace weft {

struct division {
  unsigned quotient = 0, rest = 0;
};

/// \p value / \p divisor, bit by bit, the highest first. The quotient must be below 2^Bits; \p divisor ≥ 1.
template <unsigned Bits>
constexpr division divide_bit_by_bit(unsigned value, unsigned divisor) {
  static_assert(Bits < 32, "a divisor shifted by the highest bit must leave a bit of itself");
  division result;
  result.rest = value;
  for (unsigned bits = Bits; bits > 0; --bits) {
    const unsigned bit = bits - 1;
    if (result.rest >> bit >= divisor) {
      result.rest -= divisor << bit;
      result.quotient |= 1U << bit;
    }
  }
  return result;
}

/// The same, in the form that each reader wants.
template <unsigned Bits>
constexpr division divide(unsigned value, unsigned divisor) {
#ifdef WEFT_SYNTHESIS
  return divide_bit_by_bit<Bits>(value, divisor);
#else
  division result;
  result.quotient = value / divisor;
  result.rest = value % divisor;
  return result;
#endif
}

}  // namespace weft
