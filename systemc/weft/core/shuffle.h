// SPDX-License-Identifier: Apache-2.0
/// Random permutation of a range. Not std::shuffle(), because each standard library draws other numbers.
#pragma once

#include <cstdint>
#include <utility>

namespace weft {

/// Shuffles the elements from \p first to \p last; each order is equally likely. \p random has a function below(n) like
/// that of random_stream, which draws an integer 0…n-1.
template <class Iterator, class Random>
void shuffle(Iterator first, Iterator last, Random& random) {
  for (auto n = last - first; n > 1; --n) std::swap(first[n - 1], first[random.below(static_cast<std::uint32_t>(n))]);
}

}  // namespace weft
