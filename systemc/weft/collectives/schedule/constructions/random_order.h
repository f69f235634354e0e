// SPDX-License-Identifier: Apache-2.0
/// Random orders that do not depend on the standard library.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/random.h"
#include "weft/core/shuffle.h"

namespace weft::schedule {

/// Random numbers for one attempt of a search. They depend only on the seed and on the number of the attempt.
class random_order {
 public:
  random_order(std::uint64_t seed, std::uint64_t attempt) : m_seed(splitmix64(seed, attempt)) {}

  /// An integer 0…n-1. \p n ≥ 1.
  std::uint64_t below(std::uint64_t n) { return splitmix64(m_seed, m_drawn++) % n; }

  template <class T>
  void shuffle(std::vector<T>& list) {
    weft::shuffle(list.begin(), list.end(), *this);
  }

 private:
  std::uint64_t m_seed;
  std::uint64_t m_drawn = 0;
};

}  // namespace weft::schedule
