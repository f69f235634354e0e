// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/pareto.h"

#include <cmath>
#include <cstdint>

namespace weft {

namespace {

/// 2^\p exponent by square roots and products. \p exponent ≥ 0.
double power_of_two(double exponent) {
  constexpr int MantissaBits = 52;
  double power = 1;
  for (; exponent >= 1; exponent -= 1) power *= 2;
  double factor = 2;
  for (int bit = 0; bit < MantissaBits; ++bit) {
    factor = std::sqrt(factor);
    exponent *= 2;
    if (exponent < 1) continue;
    exponent -= 1;
    power *= factor;
  }
  return power;
}

}  // namespace

pareto_distribution::pareto_distribution(double shape, double least) : m_least(least) {
  const double base = power_of_two(1 / shape);
  double power = 1;
  for (double& whole : m_whole) whole = power *= base;
  double root = 1 / base;
  for (double& digit : m_digits) digit = root = std::sqrt(root);
}

double pareto_distribution::operator()(random_stream& random) const {
  // u = mantissa · 2^-(zeros + 1) with 1 ≤ mantissa < 2, so -log2 u = zeros + 1 - log2 mantissa.
  const std::uint64_t number = random.next() | 1;
  const int zeros = __builtin_clzll(number);
  double mantissa = static_cast<double>(number << zeros >> 11) * 0x1p-52;
  double value = m_least * m_whole[static_cast<unsigned>(zeros)];
  for (const double factor : m_digits) {
    mantissa *= mantissa;
    if (mantissa < 2) continue;
    mantissa /= 2;
    value *= factor;
  }
  return value;
}

}  // namespace weft
