// SPDX-License-Identifier: Apache-2.0
/// Random numbers for tests. They are repeatable, and their generator is not the one that the workloads under test use.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

/// Returns the number in WEFT_SEED. If it is not set, returns a number that is different in every process. Tests print
/// the seeds that they use.
std::uint64_t test_seed();

class rng {
 public:
  explicit rng(std::uint64_t seed) : m_engine(seed) {}

  /// Returns an integer from \p least to \p most. The distribution is sufficiently uniform for tests, and the numbers
  /// are the same with every standard library.
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(m_engine() % (std::uint64_t{most} - least + 1));
  }
  /// Returns a number in [0, 1).
  double unit() { return static_cast<double>(m_engine() >> 11) * 0x1p-53; }
  bool chance(double p) { return unit() < p; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[between(0, static_cast<std::uint32_t>(list.size() - 1))];
  }
  std::uint64_t bits() { return m_engine(); }

 private:
  std::mt19937_64 m_engine;
};
