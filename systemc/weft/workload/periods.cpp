// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/periods.h"

#include <algorithm>

#include "weft/workload/pareto.h"

namespace weft {

namespace {

class geometric_periods final : public on_off_periods {
 public:
  geometric_periods(double on, double off) : m_on(1 / on), m_off(1 / off) {}

  cycle_t on(random_stream& random) const override { return 1 + m_on(random); }
  cycle_t off(random_stream& random) const override { return 1 + m_off(random); }
  cycle_t rest_of_on(random_stream& random) const override { return on(random); }
  cycle_t rest_of_off(random_stream& random) const override { return off(random); }

 private:
  geometric_distribution m_on, m_off;  // cycles after the first one
};

/// The Pareto distribution of \p shape has the mean shape / (shape - 1) times its least value.
double least_of_mean(double mean, double shape) { return mean * (shape - 1) / shape; }

cycle_t whole_cycles(double length) {
  constexpr double Forever = 1e18;
  return static_cast<cycle_t>(std::min(length, Forever));
}

/// A length x with a heavy tail. It is rounded to ⌊x⌋ or ⌊x⌋ + 1, with probabilities that keep the mean.
class heavy_length {
 public:
  heavy_length(double mean, double shape)
      : m_shape(shape), m_least(least_of_mean(mean, shape)), m_length(shape, m_least), m_rest(shape - 1, m_least) {}

  cycle_t operator()(random_stream& random) const {
    const double length = m_length(random);
    const cycle_t whole = whole_cycles(length);
    return whole + random.chance(length - static_cast<double>(whole));
  }

  /// The rest of a length that contains a given cycle. Before rounding, its density is P(X > x) / mean: uniform up to
  /// the least length, with the probability (shape - 1) / shape, and above it a Pareto distribution of shape - 1.
  /// Rounding lengths at random makes P(rest = n) the integral of this density from n - 1 to n.
  cycle_t rest(random_stream& random) const {
    if (!random.chance((m_shape - 1) / m_shape)) return 1 + whole_cycles(m_rest(random));
    const double uniform = static_cast<double>(random.next() >> 11) * 0x1p-53;
    return 1 + whole_cycles(m_least * uniform);
  }

 private:
  double m_shape, m_least;
  pareto_distribution m_length, m_rest;
};

class heavy_periods final : public on_off_periods {
 public:
  heavy_periods(double on, double off, double shape) : m_on(on, shape), m_off(off, shape) {}

  cycle_t on(random_stream& random) const override { return m_on(random); }
  cycle_t off(random_stream& random) const override { return m_off(random); }
  cycle_t rest_of_on(random_stream& random) const override { return m_on.rest(random); }
  cycle_t rest_of_off(random_stream& random) const override { return m_off.rest(random); }

 private:
  heavy_length m_on, m_off;
};

double shape_of(const injection_parameters& p) { return 3 - 2 * p.hurst; }

}  // namespace

double least_mean_period(const injection_parameters& p) {
  return p.kind == injection_kind::SelfSimilar ? 1 / least_of_mean(1, shape_of(p)) : 1;
}

std::unique_ptr<const on_off_periods> make_periods(const injection_parameters& p, double on, double off) {
  if (p.kind == injection_kind::SelfSimilar) return std::make_unique<const heavy_periods>(on, off, shape_of(p));
  return std::make_unique<const geometric_periods>(on, off);
}

}  // namespace weft
