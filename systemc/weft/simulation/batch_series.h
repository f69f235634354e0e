// SPDX-License-Identifier: Apache-2.0
/// Means over time and their 95 % intervals, from a single run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/core/types.h"

namespace weft::experiment {

/// The accuracy of a mean: the 95 % interval is mean ± half_width.
struct interval {
  std::optional<double> half_width;
  const char* none = nullptr;  ///< reason for a missing half_width, for display; otherwise null
};

inline constexpr std::uint64_t LeastValues = 320;  ///< fewest values for an interval or a trend

/// The half width of the 95 % interval of the mean of \p batches, which are consecutive in time, or the reason why
/// there is none.
///
/// Adjacent batches are merged, which doubles their length, until von Neumann's ratio finds no correlation between
/// them, and then further, to 16 batches or slightly more. The remaining correlation is too small for a test to detect;
/// it is estimated and corrected as that of an autoregressive process of order 1. The skewness of the batch means is
/// corrected as in Willink (2005). These are the steps of Skart (Tafazzoli, Wilson, Lada, Steiger 2008) for a run of
/// given length. If even 16 batches are correlated, the run is too short and there is no interval.
interval interval_of(const std::vector<double>& batches);

/// The change of a mean over the window.
struct trend {
  bool significant = false;  ///< larger than the chance variation in 999 of 1000 stationary runs
  double first = 0;          ///< mean of the first quarter
  double last = 0;           ///< mean of the last quarter
};

/// The trend of equidistant \p values: the slope of a line through the means of their eighths. Never significant for
/// fewer than eight values.
trend trend_of(const std::vector<double>& values);

/// Sums of values over equal time spans, in bounded memory: spans begin with one cycle each, and adjacent pairs are
/// merged whenever there are more than 1024.
class batch_series {
 public:
  /// \param first first cycle of the window
  explicit batch_series(cycle_t first) : m_first(first) {}

  /// Adds \p value at \p cycle, which must not be before the window. \param is_part whether it belongs to a value that
  /// has been counted, since a small number of values has no interval, in however many parts they are added
  void add(cycle_t cycle, std::uint64_t value, bool is_part = false) {
    std::size_t at = (cycle - m_first) >> m_shift;
    if (at >= m_batches.size()) at = extend(cycle);
    m_batches[at].count += !is_part;
    m_batches[at].sum += value;
  }

  /// Interval of the mean of the values before \p end, the end of the window. There is none if the values fall into
  /// fewer than 16 of the batches, whatever their number, because they are then not independent samples.
  interval interval_of_mean(cycle_t end) const;
  /// Interval of the sum of the values per cycle; none under the same condition.
  interval interval_of_rate(cycle_t end) const;
  /// Interval of the sum of the values per cycle minus that of \p other, which has the same first cycle, from their
  /// difference in each batch. None under the same condition on the values of either.
  interval interval_of_difference(const batch_series& other, cycle_t end) const;
  /// Trend of the mean of the values; never significant for few values.
  trend trend_of_mean(cycle_t end) const;

 private:
  struct batch {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
  };
  std::size_t extend(cycle_t cycle);
  /// The batches that are completely in the window up to \p end.
  std::vector<batch> whole_batches(cycle_t end, cycle_t& width) const;

  cycle_t m_first;
  unsigned m_shift = 0;  ///< a batch has 2^m_shift cycles
  std::vector<batch> m_batches;
};

}  // namespace weft::experiment
