// SPDX-License-Identifier: Apache-2.0
/// Estimates means over time and their 95 % intervals from a single run.
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

/// Estimates the 95 % interval of the mean of \p batches, which are consecutive in time, or returns the reason why
/// there is no interval.
///
/// Adjacent batches are merged in pairs until von Neumann's ratio finds no correlation between them. They are then
/// merged further, until 16 to 31 batches remain. The remaining correlation is too small for a test to detect; it is
/// estimated and corrected as in an autoregressive process of order 1. The skewness of the batch means is corrected as
/// in Willink (2005). These are the steps of Skart (Tafazzoli, Wilson, Lada, Steiger 2008) for a run of given length.
/// If batches are still correlated when fewer than 32 remain, the run is too short and there is no interval.
///
/// If \p hurst, the Hurst parameter H of the batches, is above 1/2, no test could find uncorrelated batches, because
/// self-similar series are correlated over all times. They are then merged until 16 to 31 remain, and the interval is
/// that of a self-similar series: the variance of the mean of n batches is n^(2H - 2) times that of a batch, not 1 / n
/// times (Beran 1994).
interval interval_of(const std::vector<double>& batches, double hurst = 0.5);

/// The change of a mean over the window.
struct trend {
  bool significant = false;  ///< larger than the chance variation in 999 of 1000 stationary runs
  double first = 0;          ///< mean of the first quarter
  double last = 0;           ///< mean of the last quarter
};

/// Finds the trend of equidistant \p values. The values are divided into eight equal parts, and a line is fitted to the
/// means of the parts. The trend is never significant for fewer than eight values.
trend trend_of(const std::vector<double>& values);

/// Sums of values over batches, which are equal time spans. Memory is bounded: batches have one cycle at first, and
/// adjacent batches are merged in pairs whenever there would be more than 1024.
class batch_series {
 public:
  /// \param first first cycle of the window \param hurst Hurst parameter for interval_of()
  explicit batch_series(cycle_t first, double hurst = 0.5) : m_first(first), m_hurst(hurst) {}

  /// Adds \p value at \p cycle, which must not be before the window. \param is_part whether this is a further part of a
  /// value that has been counted. The number of values decides whether there is an interval, so a value in several
  /// parts must count once
  [[gnu::always_inline]] void add(cycle_t cycle, std::uint64_t value, bool is_part = false) {
    std::size_t at = (cycle - m_first) >> m_shift;
    if (at >= m_batches.size()) at = extend(cycle);
    m_batches[at].count += !is_part;
    m_batches[at].sum += value;
  }

  /// Interval of the mean of the values before \p end, the end of the window. There is no interval if there are fewer
  /// than LeastValues values, or if they fall into fewer than 16 batches, because they are then not independent
  /// samples. There is none if the Hurst parameter is above 1/2: latencies then depend on the lengths of bursts, whose
  /// variance is infinite, so that mean and variance of the latencies may be infinite, too.
  interval interval_of_mean(cycle_t end) const;
  /// Interval of the sum of the values per cycle. There is no interval if there are too few
  /// values, as in interval_of_mean().
  interval interval_of_rate(cycle_t end) const;
  /// Interval of the difference between the sums of values per cycle of this series and of \p other. It is computed
  /// from the difference in each batch, so both series must have the same first cycle. There is no interval if either
  /// series has fewer than LeastValues values.
  interval interval_of_difference(const batch_series& other, cycle_t end) const;
  /// Trend of the mean of the values. It is never significant for fewer than LeastValues values.
  trend trend_of_mean(cycle_t end) const;

 private:
  struct batch {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
  };
  std::size_t extend(cycle_t cycle);
  /// The batches that lie completely in the window up to \p end. \p width receives their length in cycles.
  std::vector<batch> whole_batches(cycle_t end, cycle_t& width) const;

  cycle_t m_first;
  double m_hurst;
  unsigned m_shift = 0;  ///< a batch has 2^m_shift cycles
  std::vector<batch> m_batches;
};

}  // namespace weft::experiment
