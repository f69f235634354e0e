// SPDX-License-Identifier: Apache-2.0
/// Means over time and 95 % intervals of them, from one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/core/types.h"

namespace weft::experiment {

/// How far off a mean may be: the 95 % interval is mean ± half_width.
struct interval {
  std::optional<double> half_width;
  const char* none = nullptr;  ///< why there is no half_width, for people; null where there is one
};

inline constexpr std::uint64_t LeastValues = 320;  ///< of a mean, for its interval and its trend

/// Half the length of the 95 % interval of the mean of \p batches, which follow each other in time, or why it cannot be
/// told.
///
/// Neighbours are merged, twice as long at each step, until von Neumann's ratio finds no correlation between them, and
/// then further, to 16 batches or a few more. What correlation is left is too small for a test to find: it is estimated
/// and taken into account as if the batches were an autoregressive process of order 1; the skewness of their means, as
/// Willink (2005) does. These are the steps of Skart (Tafazzoli, Wilson, Lada, Steiger 2008) for a run of given length.
/// There is no interval where as few as 16 batches are still correlated: the run is too short.
interval interval_of(const std::vector<double>& batches);

/// How a mean changed over the window.
struct trend {
  bool significant = false;  ///< more than chance does in one run of a thousand that is stationary
  double first = 0;          ///< mean of the first quarter
  double last = 0;           ///< of the last
};

/// The trend of \p values at equal distances in time: a line through the means of their eighths has a slope. None for
/// less than eight.
trend trend_of(const std::vector<double>& values);

/// Values added up over equal spans of time, in bounded memory: spans begin with one cycle each and are merged in pairs
/// whenever there are more than 1024 of them.
class batch_series {
 public:
  /// \p first cycle of the window
  explicit batch_series(cycle_t first) : m_first(first) {}

  /// \p value belongs to \p cycle, which is not before the window. \p is_part of a value that has been counted: few
  /// values have no interval, in however many parts they come.
  void add(cycle_t cycle, std::uint64_t value, bool is_part = false) {
    std::size_t at = (cycle - m_first) >> m_shift;
    if (at >= m_batches.size()) at = extend(cycle);
    m_batches[at].count += !is_part;
    m_batches[at].sum += value;
  }

  /// Of the mean of the values before \p end, the end of the window. None where the values fall into fewer than 16 of
  /// the batches that it would be made from, however many they are: they are not independent samples.
  interval interval_of_mean(cycle_t end) const;
  /// Of the sum of the values per cycle; none under the same condition.
  interval interval_of_rate(cycle_t end) const;
  /// Of the sum of the values per cycle, less that of \p other, which has the same first cycle: of their difference in
  /// each batch. None under the same condition on the values of both.
  interval interval_of_difference(const batch_series& other, cycle_t end) const;
  /// Of the mean of the values; never significant for a few values.
  trend trend_of_mean(cycle_t end) const;

 private:
  struct batch {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
  };
  std::size_t extend(cycle_t cycle);
  /// The batches that lie in the window up to \p end as a whole.
  std::vector<batch> whole_batches(cycle_t end, cycle_t& width) const;

  cycle_t m_first;
  unsigned m_shift = 0;  ///< a batch has 2^m_shift cycles
  std::vector<batch> m_batches;
};

}  // namespace weft::experiment
