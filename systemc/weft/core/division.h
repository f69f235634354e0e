// SPDX-License-Identifier: Apache-2.0
/// Division by what is not known when hardware is built: quotient and rest. In simulation the processor divides; a
/// translator gets comparisons and subtractions, one for each bit of the quotient, since none takes `/` by data.
#pragma once

#include <limits>

namespace weft {

/// \tparam Number an unsigned integer
template <typename Number>
struct division {
  Number quotient = 0, rest = 0;
};

/// \p value / \p divisor, bit by bit, the highest first. The quotient must be below 2^Bits; \p divisor ≥ 1.
template <unsigned Bits, typename Number>
constexpr division<Number> divide_bit_by_bit(Number value, Number divisor) {
  static_assert(Bits <= std::numeric_limits<Number>::digits, "no quotient has more bits than what is divided");
  division<Number> result;
  result.rest = value;
  for (unsigned bits = Bits; bits > 0; --bits) {
    const unsigned bit = bits - 1;
    if (result.rest >> bit >= divisor) {  // so the divisor has room for the shift
      result.rest -= divisor << bit;
      result.quotient |= Number(1) << bit;
    }
  }
  return result;
}

/// \p value / \p divisor, in the form that each reader wants. The bounds are those of divide_bit_by_bit().
template <unsigned Bits, typename Number>
constexpr Number quotient(Number value, Number divisor) {
#ifdef WEFT_SYNTHESIS
  const division<Number> result = divide_bit_by_bit<Bits>(value, divisor);
  return result.quotient;
#else
  return value / divisor;
#endif
}

/// \p value mod \p divisor, likewise.
template <unsigned Bits, typename Number>
constexpr Number rest(Number value, Number divisor) {
#ifdef WEFT_SYNTHESIS
  const division<Number> result = divide_bit_by_bit<Bits>(value, divisor);
  return result.rest;
#else
  return value % divisor;
#endif
}

}  // namespace weft
