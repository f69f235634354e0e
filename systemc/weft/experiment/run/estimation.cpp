// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/estimation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weft::experiment {

namespace {

constexpr unsigned ExactBits = 12;
constexpr std::uint64_t Exact = 1 << ExactBits;
constexpr std::size_t HalfBuckets = Exact / 2;  // of each power of two above Exact
constexpr cycle_t Batches = 30;

unsigned bit_width(std::uint64_t value) {
  unsigned bits = 0;
  for (; value > 0; value >>= 1) ++bits;
  return bits;
}

}  // namespace

std::size_t histogram::bucket_of(std::uint64_t value) {
  if (value < Exact) return value;
  const unsigned shift = bit_width(value) - ExactBits;
  return shift * HalfBuckets + (value >> shift);
}

std::uint64_t histogram::lowest_of(std::size_t bucket) {
  if (bucket < Exact) return bucket;
  const std::size_t shift = bucket / HalfBuckets - 1;
  return static_cast<std::uint64_t>(bucket - shift * HalfBuckets) << shift;
}

void histogram::add(std::uint64_t value) {
  const std::size_t bucket = bucket_of(value);
  if (bucket >= m_buckets.size()) m_buckets.resize(bucket + 1);
  ++m_buckets[bucket];
  ++m_count;
  m_sum += value;
  m_min = std::min(m_min, value);
  m_max = std::max(m_max, value);
}

std::uint64_t histogram::percentile(double percent) const {
  // The small slack keeps 99 % of 100 at 99 though 0.99 has no exact binary form.
  const double rank = std::ceil(percent / 100 * static_cast<double>(m_count) - 1e-6);
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < m_buckets.size(); ++bucket) {
    seen += m_buckets[bucket];
    if (seen > 0 && static_cast<double>(seen) >= rank) return std::clamp(lowest_of(bucket), m_min, m_max);
  }
  return m_max;
}

histogram::bins histogram::equal_bins(std::size_t most) const {
  bins result;
  if (m_count == 0) return result;
  const auto needed = [&](std::uint64_t width) { return m_max / width - m_min / width + 1; };
  for (std::uint64_t power = 1; needed(result.width) > most; power *= 10) {
    for (const std::uint64_t digit : {1, 2, 5}) {
      result.width = digit * power;
      if (needed(result.width) <= most) break;
    }
  }
  result.first = m_min / result.width * result.width;
  result.counts.resize(needed(result.width));
  for (std::size_t bucket = 0; bucket < m_buckets.size(); ++bucket)
    if (m_buckets[bucket] > 0)
      result.counts[(std::clamp(lowest_of(bucket), m_min, m_max) - result.first) / result.width] += m_buckets[bucket];
  return result;
}

batch_means::batch_means(cycle_t first, cycle_t cycles)
    : m_first(first), m_width(std::max<cycle_t>(1, (cycles + Batches - 1) / Batches)) {}

void batch_means::cover(cycle_t cycle) {
  while ((cycle - m_first) / m_width >= 2 * Batches) {
    m_width *= 2;
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
}

void batch_means::add(cycle_t cycle, std::uint64_t value) {
  cover(cycle);
  const std::size_t at = (cycle - m_first) / m_width;
  if (at >= m_batches.size()) m_batches.resize(at + 1);
  ++m_batches[at].count;
  m_batches[at].sum += value;
}

std::optional<double> batch_means::half_width_of_mean() const {
  std::vector<double> means;
  for (const batch& b : m_batches)
    if (b.count > 0) means.push_back(static_cast<double>(b.sum) / static_cast<double>(b.count));
  return half_width(means);
}

std::optional<double> batch_means::half_width_of_rate(cycle_t end) const {
  if (end <= m_first) return std::nullopt;
  batch_means whole = *this;
  whole.cover(end - 1);
  std::vector<double> rates;
  for (cycle_t i = 0; i < (end - m_first) / whole.m_width; ++i) {
    const std::uint64_t sum = i < whole.m_batches.size() ? whole.m_batches[i].sum : 0;
    rates.push_back(static_cast<double>(sum) / static_cast<double>(whole.m_width));
  }
  return half_width(rates);
}

std::optional<double> half_width(const std::vector<double>& samples) {
  if (samples.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(samples.size());
  double sum = 0;
  for (const double x : samples) sum += x;
  double squares = 0;
  for (const double x : samples) squares += (x - sum / n) * (x - sum / n);
  return student_t(samples.size() - 1) * std::sqrt(squares / (n - 1) / n);
}

double student_t(std::size_t degrees) {
  constexpr std::array<double, 6> Table = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469};
  if (degrees <= Table.size()) return Table[degrees - 1];
  // Cornish-Fisher expansion around the normal quantile z (Abramowitz and Stegun 26.7.5).
  const double z = 1.959964;
  const auto n = static_cast<double>(degrees);
  const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

}  // namespace weft::experiment
