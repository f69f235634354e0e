// SPDX-License-Identifier: Apache-2.0
/// Division by a value that is not constant at elaboration: quotient and remainder. The simulation uses the processor's
/// division. Synthesis uses comparisons and subtractions, one for each bit of the quotient, because no translator
/// accepts `/` with a variable divisor.
#pragma once

#include <limits>

namespace weft {

/// \tparam Number an unsigned integer
template <typename Number>
struct division {
  Number quotient = 0, remainder = 0;
};

/// Divides \p value by \p divisor ≥ 1, one bit of the quotient after the other, the highest first. The quotient must be
/// below 2^Bits.
template <unsigned Bits, typename Number>
constexpr division<Number> divide_bit_by_bit(Number value, Number divisor) {
  static_assert(Bits <= std::numeric_limits<Number>::digits, "the quotient has at most as many bits as the dividend");
  division<Number> result;
  result.remainder = value;
  for (unsigned bits = Bits; bits > 0; --bits) {
    const unsigned bit = bits - 1;
    if (result.remainder >> bit >= divisor) {  // so shifting the divisor does not overflow
      result.remainder -= divisor << bit;
      result.quotient |= Number(1) << bit;
    }
  }
  return result;
}

/// The quotient \p value / \p divisor, computed by a method that the compiler or translator supports. The arguments
/// have the same limits as in divide_bit_by_bit().
template <unsigned Bits, typename Number>
constexpr Number divide(Number value, Number divisor) {
#ifdef WEFT_SYNTHESIS
  const division<Number> result = divide_bit_by_bit<Bits>(value, divisor);
  return result.quotient;
#else
  return value / divisor;
#endif
}

/// The remainder \p value mod \p divisor. The arguments have the same limits as in divide_bit_by_bit().
template <unsigned Bits, typename Number>
constexpr Number modulo(Number value, Number divisor) {
#ifdef WEFT_SYNTHESIS
  const division<Number> result = divide_bit_by_bit<Bits>(value, divisor);
  return result.remainder;
#else
  return value % divisor;
#endif
}

}  // namespace weft
