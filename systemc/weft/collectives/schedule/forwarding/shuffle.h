// SPDX-License-Identifier: Apache-2.0
/// Random permutation of a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/core/random.h"

namespace weft::schedule {

/// Shuffles \p list; each order is equally likely.
template <class T>
void shuffle(std::vector<T>& list, random_stream& random) {
  for (std::size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[random.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace weft::schedule
