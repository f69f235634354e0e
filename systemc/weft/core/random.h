// SPDX-License-Identifier: Apache-2.0
/// Random numbers that are the same on every machine: a generator, one stream for every node and purpose, and a
/// geometric distribution. The distributions of <random> are not used because each standard library produces different
/// numbers. The code uses no libm and no expression that a compiler might contract to a fused multiply-add.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "weft/core/types.h"

namespace weft {

/// Output number \p index (0 = first) of the generator splitmix64 seeded with \p seed, computed directly. Source:
/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014); constants from S. Vigna,
/// https://prng.di.unimi.it/splitmix64.c (public domain).
constexpr std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The generator xoshiro256**: 256 bits of state, period 2^256 - 1.
/// Source: D. Blackman, S. Vigna, https://prng.di.unimi.it/xoshiro256starstar.c (public domain).
class xoshiro256 {
 public:
  /// \p state must not be all zero.
  explicit constexpr xoshiro256(const std::array<std::uint64_t, 4>& state) : m_s(state) {}

  constexpr std::uint64_t next() {
    const std::uint64_t result = rotate_left(m_s[1] * 5, 7) * 9;
    const std::uint64_t t = m_s[1] << 17;
    m_s[2] ^= m_s[0];
    m_s[3] ^= m_s[1];
    m_s[1] ^= m_s[2];
    m_s[0] ^= m_s[3];
    m_s[2] ^= t;
    m_s[3] = rotate_left(m_s[3], 45);
    return result;
  }

 private:
  static constexpr std::uint64_t rotate_left(std::uint64_t x, unsigned k) { return (x << k) | (x >> (64 - k)); }

  std::array<std::uint64_t, 4> m_s;
};

/// The purpose of a stream of random numbers. The values affect every result: append, never renumber.
enum class stream_purpose : std::uint32_t {
  Injection = 1,
  Destination = 2,
  Length = 3,
  Payload = 4,
  PathId = 5,
  Graph = 6,
  Loss = 7,
  Schedule = 8,
  Traffic = 9,
};

/// The key of a stream: splitmix64 applied three times, so that keys of one seed are uncorrelated.
constexpr std::uint64_t stream_key(std::uint64_t seed, node_id node, stream_purpose purpose) {
  return splitmix64(splitmix64(splitmix64(seed, 0), node), static_cast<std::uint32_t>(purpose));
}

/// Converts a probability to a limit for a 64-bit random number: `number < chance_limit(p)` holds with probability \p p
/// (0 ≤ p < 1), up to 2^-64.
constexpr std::uint64_t chance_limit(double p) { return static_cast<std::uint64_t>(p * 0x1p64); }

/// The random numbers of one node for one purpose. Streams are independent: the draws of one node or purpose never
/// change those of another.
class random_stream {
 public:
  random_stream(std::uint64_t seed, node_id node, stream_purpose purpose)
      : random_stream(stream_key(seed, node, purpose)) {}

  /// 64 random bits.
  std::uint64_t next() { return m_generator.next(); }

  /// An integer 0…n-1, uniformly distributed. \p n ≥ 1.
  /// Source: D. Lemire, "Fast random integer generation in an interval" (2019), algorithm 5, on 32 bits.
  std::uint32_t below(std::uint32_t n) {
    assert(n >= 1);
    std::uint64_t product = (next() >> 32) * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t surplus = (0u - n) % n;  // 2^32 mod n: this many draws would bias the result
      while (static_cast<std::uint32_t>(product) < surplus) product = (next() >> 32) * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// True with probability \p p, 0…1. Consumes one number of the stream for any p.
  bool chance(double p) {
    const std::uint64_t number = next();
    return p >= 1 || number < chance_limit(p);
  }

 private:
  explicit random_stream(std::uint64_t key)
      : m_generator({splitmix64(key, 0), splitmix64(key, 1), splitmix64(key, 2), splitmix64(key, 3)}) {}

  xoshiro256 m_generator;
};

/// The number of failures before the first success, when each attempt succeeds with probability p.
///
/// The usual formula, floor(log u / log q) with q = 1 - p, differs between math libraries. This algorithm needs none.
/// The binary digits of a geometric variable are independent, because P(n) = p q^n is a product over the digits of n:
/// digit k is 1 with probability q^(2^k) / (1 + q^(2^k)). So for a small p the lowest digits are drawn one by one. The
/// remaining digits form a geometric variable with a larger p. Usually one random number determines it, by a table of
/// 256 columns (Walker's alias method); the last column means that 255 attempts failed and that the remainder is drawn
/// again. The result is exact up to the rounding of the probabilities for p down to 1e-17; for smaller p it has about
/// 58 bits. Source of the table: A. J. Walker (1977), built as by M. D. Vose (1991).
class geometric_distribution {
 public:
  /// \p p in (0, 1].
  explicit geometric_distribution(double p) {
    assert(p > 0 && p <= 1);
    // Both q^(2^k) and its complement are kept, because 1 - q loses a small p and q*q cannot restore it.
    double complement = p;
    double power = 1 - p;
    while (complement < LeastOfTable && m_digits < m_limits.size()) {
      m_limits[m_digits++] = chance_limit(power / (1 + power));
      complement = complement * (2 - complement);
      power = complement < 0.5 ? 1 - complement : power * power;
    }
    if (complement < LeastOfTable)
      fill_table(LeastOfTable, 1 - LeastOfTable);
    else
      fill_table(complement, power);
  }

  std::uint64_t operator()(random_stream& random) const {
    random_stream local = random;  // a local copy stays in registers: random and the table might alias
    std::uint64_t n = 0;
    for (;;) {
      const std::uint64_t number = local.next();
      const std::uint64_t column = number >> 56, entry = m_table[column];
      const std::uint64_t drawn = number << 8 < entry ? column : entry & Last;
      n += drawn;
      if (drawn != Last) break;
    }
    for (unsigned k = m_digits; k-- > 0;) n = 2 * n + (local.next() < m_limits[k]);
    random = local;
    return n;
  }

 private:
  static constexpr unsigned Columns = 256, Last = Columns - 1;
  static constexpr double LeastOfTable = 1. / 64;  ///< with a smaller p the last column would be drawn too often

  /// Fills the alias table: each column yields its own number with some probability, otherwise that of another column,
  /// so that every number gets its correct probability.
  void fill_table(double p, double q) {
    std::array<double, Columns> left;  ///< remaining probability of each number, in units of a column
    double chance = Columns * p, rest = Columns;
    for (unsigned n = 0; n < Last; ++n) {
      left[n] = chance;
      rest = rest * q;
      chance = chance * q;
    }
    left[Last] = rest;
    std::array<unsigned, Columns> small, large;
    unsigned small_count = 0, large_count = 0;
    for (unsigned n = 0; n < Columns; ++n) (left[n] < 1 ? small[small_count++] : large[large_count++]) = n;
    while (small_count > 0 && large_count > 0) {
      const unsigned from = small[--small_count], to = large[large_count - 1];
      m_table[from] = static_cast<std::uint64_t>(left[from] * 0x1p56) << 8 | to;
      left[to] = left[to] - (1 - left[from]);
      if (left[to] < 1) {
        small[small_count++] = to;
        --large_count;
      }
    }
    // Columns left over by rounding yield their own number.
    while (large_count > 0) keep(large[--large_count]);
    while (small_count > 0) keep(small[--small_count]);
  }
  void keep(unsigned column) { m_table[column] = ~std::uint64_t{Last} | column; }

  /// For each column, the probability of its own number (56 bits) and the other number that it may yield.
  std::array<std::uint64_t, Columns> m_table{};
  std::array<std::uint64_t, 52> m_limits{};  ///< limits of the probability that digit k is 1
  unsigned m_digits = 0;
};

}  // namespace weft
