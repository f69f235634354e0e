// SPDX-License-Identifier: Apache-2.0
/// Random orders that are the same with every standard library.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/core/random.h"

namespace weft::schedule {

/// Random numbers of an attempt; they depend only on the seed and the attempt.
class random_order {
 public:
  random_order(std::uint64_t seed, std::uint64_t attempt) : m_seed(splitmix64(seed, attempt)) {}

  std::uint64_t next() { return splitmix64(m_seed, m_drawn++); }

  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[next() % i]);
  }

 private:
  std::uint64_t m_seed;
  std::uint64_t m_drawn = 0;
};

}  // namespace weft::schedule
