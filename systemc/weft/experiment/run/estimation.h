// SPDX-License-Identifier: Apache-2.0
/// Estimates from the samples of a simulation: histograms, means over time, confidence intervals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/core/types.h"

namespace weft::experiment {

/// Counts of whole numbers. Exact below 4096; above, values share a bucket with those that agree in the 12
/// highest bits, an error of less than 0.05 %. Mean, minimum and maximum are exact always.
class histogram {
 public:
  void add(std::uint64_t value);

  std::uint64_t count() const { return m_count; }
  std::uint64_t min() const { return m_min; }  ///< with count() > 0, as all that follow
  std::uint64_t max() const { return m_max; }
  double mean() const { return static_cast<double>(m_sum) / static_cast<double>(m_count); }

  /// The smallest value that at least \p percent per cent of all values do not exceed (nearest rank), 0 <
  /// percent ≤ 100.
  std::uint64_t percentile(double percent) const;

  struct bins {
    std::uint64_t first = 0;  ///< lower edge of the first bin
    std::uint64_t width = 1;
    std::vector<std::uint64_t> counts;
  };
  /// At most \p most equal bins from min to max, their width 1, 2 or 5 times a power of ten.
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

/// A mean over time and how far off it may be: observations are put into batches by the cycle they belong to,
/// the means of batches are taken for independent (Law and Kelton, "Simulation Modeling and
/// Analysis", 9.5.3), and Student's t with one degree of freedom less than there are batches gives the 95 %
/// interval mean ± half_width.
///
/// A window of known length has 30 batches or, if shorter, as many as cycles. Where the end is not known,
/// batches begin with one cycle each and are merged in pairs whenever there are more than 60 of them.
class batch_means {
 public:
  /// The window is [first, first + cycles), or from first without end when \p cycles is 0.
  batch_means(cycle_t first, cycle_t cycles);

  /// \p value belongs to \p cycle, which is not before the window.
  void add(cycle_t cycle, std::uint64_t value);

  /// Of the mean of values; batches without values are left out. None with less than two batches.
  std::optional<double> half_width_of_mean() const;

  /// Of the sum of values per cycle; only batches that lie in the window up to \p end, as a whole, count.
  std::optional<double> half_width_of_rate(cycle_t end) const;

 private:
  /// Merges batches until \p cycle lies in one of the first 60.
  void cover(cycle_t cycle);

  struct batch {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
  };
  cycle_t m_first;
  cycle_t m_width;
  std::vector<batch> m_batches;
};

/// Half width of the 95 % interval of the mean of \p samples by Student's t; none for less than two.
std::optional<double> half_width(const std::vector<double>& samples);

/// 97.5 % quantile of Student's t, \p degrees ≥ 1. Error below 0.001.
double student_t(std::size_t degrees);

}  // namespace weft::experiment
