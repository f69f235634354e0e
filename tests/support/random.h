// SPDX-License-Identifier: Apache-2.0
/// Random numbers for tests: repeatable, and from another generator than that of the workloads under test.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

/// The number in WEFT_SEED, else a new one for every process. Tests print the seeds that they use.
std::uint64_t test_seed();

class rng {
 public:
  explicit rng(std::uint64_t seed) : m_engine(seed) {}

  /// An integer \p least … \p most. (Close enough to uniform for tests, and the same with every library.)
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(m_engine() % (std::uint64_t{most} - least + 1));
  }
  /// A number in [0, 1).
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
