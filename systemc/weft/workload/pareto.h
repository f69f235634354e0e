// SPDX-License-Identifier: Apache-2.0
/// A distribution with a heavy tail.
#pragma once

#include <array>

#include "weft/core/random.h"

namespace weft {

/// The Pareto distribution: P(X > x) = (least / x)^shape for x ≥ least. Its variance is infinite if shape ≤ 2, and its
/// mean if shape ≤ 1.
///
/// X = least · u^(-1/shape) for a uniform u. Mathematical libraries differ in such powers, so this class uses only
/// operations that IEEE 754 rounds exactly, the square root among them. The binary digits of log2 u result from
/// squaring u repeatedly, and X is a product that has one factor for each digit. 40 digits follow the point.
class pareto_distribution {
 public:
  /// \p shape from 0.01 to 10, \p least > 0
  pareto_distribution(double shape, double least);

  /// Consumes one number of \p random. The result may be infinite if the shape is small.
  double operator()(random_stream& random) const;

 private:
  static constexpr unsigned Digits = 40;

  double m_least;
  std::array<double, 64> m_whole;       ///< element e: 2^((e + 1) / shape)
  std::array<double, Digits> m_digits;  ///< element k: 2^(-1 / (shape · 2^(k + 1)))
};

}  // namespace weft
