// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/batch_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "weft/simulation/estimation.h"

namespace weft::experiment {

namespace {

constexpr std::size_t MostBatches = 1024;
constexpr std::size_t FewestBatches = 16;  ///< for an interval, which uses 16 to 31 batches

constexpr double ShortMemory = 0.5;  ///< Hurst parameter of series that are uncorrelated over long times

constexpr const char* TooFew = "fewer than 320 values";
constexpr const char* HeavyTail = "the load is self-similar, so values may be so large that they have no mean";
constexpr const char* TooShort = "the run is too short: means of its 16th parts still depend on each other";
constexpr const char* TooBunched = "all values fall into fewer than 16 of the parts that the window is cut into";

using batch_list = std::vector<std::optional<double>>;  ///< nothing: the batch contains no value

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Mean of \p values from position \p from to \p to. The positions may be fractional; a partially covered value counts
/// in proportion.
double mean_between(const std::vector<double>& values, double from, double to) {
  double sum = 0;
  for (auto k = static_cast<std::size_t>(from); k < values.size() && static_cast<double>(k) < to; ++k) {
    const auto first = static_cast<double>(k);
    sum += values[k] * (std::min(first + 1, to) - std::max(first, from));
  }
  return sum / (to - from);
}

batch_list merged_in_pairs(const batch_list& batches) {
  batch_list pairs(batches.size() / 2);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::optional<double>&a = batches[2 * i], &b = batches[2 * i + 1];
    if (a || b) pairs[i] = (a.value_or(0) + b.value_or(0)) / 2;
  }
  return pairs;
}

/// The batches as numbers. An empty batch is 0, because it contributes nothing to a sum.
std::vector<double> numbers_of(const batch_list& batches) {
  std::vector<double> numbers;
  numbers.reserve(batches.size());
  for (const std::optional<double>& b : batches) numbers.push_back(b.value_or(0));
  return numbers;
}

struct moments {
  double square = 0;   ///< Σ (x - mean)²
  double cube = 0;     ///< Σ (x - mean)³
  double lagged = 0;   ///< Σ (x - mean)(next - mean)
  double changes = 0;  ///< Σ (next - x)²
};

moments moments_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  moments m;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double d = values[i] - mean;
    m.square += d * d;
    m.cube += d * d * d;
    if (i + 1 == values.size()) break;
    const double next = values[i + 1] - mean;
    m.lagged += d * next;
    m.changes += (next - d) * (next - d);
  }
  return m;
}

/// Von Neumann's test for positive correlation, at a level of 5 %. A stricter level would be harmful, because the runs
/// that pass the test by chance vary little, and their intervals are too narrow.
bool is_uncorrelated(const std::vector<double>& values) {
  constexpr double Quantile = 1.6449;
  const moments m = moments_of(values);
  if (m.square == 0) return true;
  const auto n = static_cast<double>(values.size());
  return 1 - m.changes / (2 * m.square) <= Quantile * std::sqrt((n - 2) / (n * n - 1));
}

/// Student's t, corrected for skewness as in Willink (2005). \p beta = skewness / (6 √n).
double skewed(double t, double beta) {
  if (std::abs(beta) < 1e-6) return t;
  return (std::cbrt(1 + 6 * beta * (t - beta)) - 1) / (2 * beta);
}

/// The variance of the mean of \p n successive means of a series with the Hurst parameter \p hurst, divided by the
/// variance that their deviations from it show: n^(2H - 2) / (1 - n^(2H - 2)) · (n - 1) / n.
double variance_of_mean(double n, double hurst) {
  const double shrinking = std::pow(n, 2 * hurst - 2);
  return shrinking / (1 - shrinking) * (n - 1) / n;
}

double half_width_of(const std::vector<double>& means, double hurst) {
  const moments m = moments_of(means);
  if (m.square == 0) return 0;
  const auto n = static_cast<double>(means.size());
  const double variance = m.square / (n - 1);
  const double correlation = std::max(0.0, m.lagged / m.square);
  const double error = hurst > ShortMemory ? std::sqrt(variance * variance_of_mean(n, hurst))
                                           : std::sqrt(variance / n * (1 + correlation) / (1 - correlation));
  const double skewness = n / ((n - 1) * (n - 2)) * m.cube / (variance * std::sqrt(variance));
  const double beta = skewness / (6 * std::sqrt(n));
  const double t = student_t(means.size() - 1);
  return (skewed(t, beta) - skewed(-t, beta)) / 2 * error;
}

/// Like interval_of() for numbers, but batches may be empty. Empty batches are not samples, so an interval requires
/// FewestBatches batches with values.
interval interval_of(batch_list batches, double hurst) {
  while (batches.size() >= FewestBatches) {
    if (hurst > ShortMemory || is_uncorrelated(numbers_of(batches))) {
      while (batches.size() >= 2 * FewestBatches) batches = merged_in_pairs(batches);
      const auto filled = std::count_if(batches.begin(), batches.end(), [](const auto& b) { return b.has_value(); });
      if (filled < static_cast<std::ptrdiff_t>(FewestBatches)) return {std::nullopt, TooBunched};
      return {half_width_of(numbers_of(batches), hurst), nullptr};
    }
    batches = merged_in_pairs(batches);
  }
  return {std::nullopt, TooShort};
}

}  // namespace

interval interval_of(const std::vector<double>& batches, double hurst) {
  return interval_of(batch_list(batches.begin(), batches.end()), hurst);
}

trend trend_of(const std::vector<double>& values) {
  constexpr std::size_t Parts = 8;
  constexpr double Quantile = 5.9588;  // 99.95 % quantile of Student's t with Parts - 2 degrees of freedom
  if (values.size() < Parts) return {};
  const double size = static_cast<double>(values.size()) / Parts;
  std::array<double, Parts> part{};
  for (std::size_t i = 0; i < Parts; ++i)
    part[i] = mean_between(values, static_cast<double>(i) * size, static_cast<double>(i + 1) * size);
  const double mean = std::accumulate(part.begin(), part.end(), 0.0) / Parts;
  double times = 0, squares = 0, both = 0;
  for (std::size_t i = 0; i < Parts; ++i) {
    const double t = static_cast<double>(i) - (Parts - 1) / 2.0, d = part[i] - mean;
    times += t * t;
    squares += d * d;
    both += t * d;
  }
  const double slope = both / times;
  const double rest = std::max(0.0, squares - slope * both);  // residual of the line fit
  const bool significant = squares > 0 && std::abs(slope) > Quantile * std::sqrt(rest / (Parts - 2) / times);
  return {significant, (part[0] + part[1]) / 2, (part[Parts - 2] + part[Parts - 1]) / 2};
}

std::size_t batch_series::extend(cycle_t cycle) {
  while ((cycle - m_first) >> m_shift >= MostBatches) {
    ++m_shift;
    for (std::size_t i = 0; i < m_batches.size(); ++i) {
      const batch b = m_batches[i];
      if (i % 2 == 0) {
        m_batches[i / 2] = b;
      } else {
        m_batches[i / 2].count += b.count;
        m_batches[i / 2].sum += b.sum;
      }
    }
    m_batches.resize((m_batches.size() + 1) / 2);
  }
  const std::size_t at = (cycle - m_first) >> m_shift;
  if (at >= m_batches.size()) m_batches.resize(at + 1);
  return at;
}

std::vector<batch_series::batch> batch_series::whole_batches(cycle_t end, cycle_t& width) const {
  if (end <= m_first) return {};
  batch_series covering = *this;
  covering.extend(end - 1);
  width = cycle_t{1} << covering.m_shift;
  covering.m_batches.resize((end - m_first) >> covering.m_shift);
  return std::move(covering.m_batches);
}

interval batch_series::interval_of_mean(cycle_t end) const {
  if (m_hurst > ShortMemory) return {std::nullopt, HeavyTail};
  cycle_t width = 1;
  const std::vector<batch> whole = whole_batches(end, width);
  double count = 0, sum = 0;
  for (const batch& b : whole) {
    count += static_cast<double>(b.count);
    sum += static_cast<double>(b.sum);
  }
  if (count < LeastValues) return {std::nullopt, TooFew};
  // The mean is a ratio of two sums. To first order, it varies like the mean of the numbers in `batches`.
  const double mean = sum / count, values_each = count / static_cast<double>(whole.size());
  batch_list batches(whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (whole[i].count > 0)
      batches[i] = (static_cast<double>(whole[i].sum) - mean * static_cast<double>(whole[i].count)) / values_each;
  return interval_of(std::move(batches), m_hurst);
}

interval batch_series::interval_of_rate(cycle_t end) const {
  cycle_t width = 1;
  batch_list batches;
  std::uint64_t count = 0;
  for (const batch& b : whole_batches(end, width)) {
    count += b.count;
    batches.emplace_back();
    if (b.sum > 0) batches.back() = static_cast<double>(b.sum) / static_cast<double>(width);
  }
  if (count < LeastValues) return {std::nullopt, TooFew};
  return interval_of(std::move(batches), m_hurst);
}

interval batch_series::interval_of_difference(const batch_series& other, cycle_t end) const {
  cycle_t width = 1, other_width = 1;
  const std::vector<batch> more = whole_batches(end, width), less = other.whole_batches(end, other_width);
  // Values after the end may have widened the batches of only one of the two series.
  const cycle_t common = std::max(width, other_width);
  const std::size_t each = common / width, other_each = common / other_width;
  batch_list batches;
  std::uint64_t count = 0, other_count = 0;
  for (std::size_t i = 0; (i + 1) * each <= more.size() && (i + 1) * other_each <= less.size(); ++i) {
    double difference = 0;
    bool is_filled = false;
    const auto add = [&](const batch& b, double sign, std::uint64_t& values) {
      difference += sign * static_cast<double>(b.sum);
      is_filled |= b.sum > 0;
      values += b.count;
    };
    for (std::size_t k = i * each; k < (i + 1) * each; ++k) add(more[k], 1, count);
    for (std::size_t k = i * other_each; k < (i + 1) * other_each; ++k) add(less[k], -1, other_count);
    batches.emplace_back();
    if (is_filled) batches.back() = difference / static_cast<double>(common);
  }
  if (std::min(count, other_count) < LeastValues) return {std::nullopt, TooFew};
  return interval_of(std::move(batches), m_hurst);
}

trend batch_series::trend_of_mean(cycle_t end) const {
  cycle_t width = 1;
  const std::vector<batch> whole = whole_batches(end, width);
  std::uint64_t count = 0;
  std::vector<double> means;
  // The spans divide the window and not the list of values. Spans without values provide no information and are
  // skipped.
  constexpr std::size_t Spans = 64;
  const std::size_t size = whole.size() / Spans;
  for (std::size_t i = 0; size > 0 && i < Spans; ++i) {
    batch all;
    for (std::size_t k = i * size; k < (i + 1) * size; ++k) {
      all.count += whole[k].count;
      all.sum += whole[k].sum;
    }
    count += all.count;
    if (all.count > 0) means.push_back(static_cast<double>(all.sum) / static_cast<double>(all.count));
  }
  return count < LeastValues ? trend{} : trend_of(means);
}

}  // namespace weft::experiment
