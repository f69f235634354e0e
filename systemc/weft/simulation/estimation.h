// SPDX-License-Identifier: Apache-2.0
/// Estimates from the samples of a simulation: histograms and quantiles. For intervals, see batch_series.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::experiment {

/// Histogram of whole numbers. Values below 4096 are counted exactly. Larger values share a bucket if their 12 highest
/// bits are equal, so the error of a percentile is less than 0.05 %. Mean, minimum and maximum are always exact.
class histogram {
 public:
  void add(std::uint64_t value);

  std::uint64_t count() const { return m_count; }
  std::uint64_t min() const { return m_min; }  ///< requires count() > 0, like all following functions
  std::uint64_t max() const { return m_max; }
  double mean() const { return static_cast<double>(m_sum) / static_cast<double>(m_count); }

  /// The smallest value that at least \p percent per cent of all values do not exceed (nearest rank), 0 < percent ≤
  /// 100.
  std::uint64_t percentile(double percent) const;

  struct bins {
    std::uint64_t first = 0;  ///< lower edge of the first bin
    std::uint64_t width = 1;
    std::vector<std::uint64_t> counts;
  };
  /// Divides the values from min() to max() into at most \p most equal bins, whose width is 1, 2 or 5 times a power of
  /// ten.
  bins equal_bins(std::size_t most) const;

 private:
  static std::size_t bucket_of(std::uint64_t value);
  static std::uint64_t lowest_of(std::size_t bucket);

  std::vector<std::uint64_t> m_buckets;
  std::uint64_t m_count = 0;
  std::uint64_t m_sum = 0;
  std::uint64_t m_min = ~std::uint64_t{0};
  std::uint64_t m_max = 0;
};

/// 97.5 % quantile of Student's t, \p degrees ≥ 1. Error below 0.001.
double student_t(std::size_t degrees);

}  // namespace weft::experiment
