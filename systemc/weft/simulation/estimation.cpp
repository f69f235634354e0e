// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/estimation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weft::experiment {

namespace {

constexpr unsigned ExactBits = 12;
constexpr std::uint64_t Exact = 1 << ExactBits;
constexpr std::size_t HalfBuckets = Exact / 2;  // for each power of two above Exact

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
  // The tolerance makes 99 % of 100 equal 99, although 0.99 has no exact binary representation.
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
