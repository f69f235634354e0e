// SPDX-License-Identifier: Apache-2.0
/// The lengths of the on and off periods of a node.
///
/// Geometric periods have no memory. Periods with a heavy tail follow a Pareto distribution of shape α = 3 - 2 H, where
/// 1/2 < H < 1, so their variance is infinite. The load of a source with such periods is asymptotically self-similar
/// with the Hurst parameter H (Taqqu, Willinger, Sherman 1997): the variance of its mean over n cycles falls as n^(2H -
/// 2), not as 1 / n.
#pragma once

#include <memory>

#include "weft/core/random.h"
#include "weft/core/types.h"
#include "weft/workload/parameters.h"

namespace weft {

/// The lengths of on and off periods in cycles, ≥ 1.
class on_off_periods {
 public:
  virtual ~on_off_periods() = default;
  virtual cycle_t on(random_stream& random) const = 0;
  virtual cycle_t off(random_stream& random) const = 0;
  /// The remaining length, in cycle 0, of a period that began earlier, if the process is stationary.
  virtual cycle_t rest_of_on(random_stream& random) const = 0;
  virtual cycle_t rest_of_off(random_stream& random) const = 0;
};

/// Whether a process of kind \p kind has on and off periods, and therefore injection_parameters::peak.
inline bool has_periods(injection_kind kind) {
  return kind == injection_kind::OnOff || kind == injection_kind::SelfSimilar;
}

/// The smallest possible mean length of a period of \p parameters. It is above one cycle for a heavy tail, because the
/// shortest period has one cycle.
double least_mean_period(const injection_parameters& parameters);

/// The periods of \p parameters with the mean lengths \p on and \p off, which are at least least_mean_period().
std::unique_ptr<const on_off_periods> make_periods(const injection_parameters& parameters, double on, double off);

}  // namespace weft
