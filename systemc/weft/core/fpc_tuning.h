// SPDX-License-Identifier: Apache-2.0
/// Finds the best six run lengths of table-based FPC for given data. The code length of a word depends only on its
/// leading zeros, so a histogram of leading zeros is sufficient.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/codec.h"

namespace weft {

/// Number of words by their count of leading zeros, 0…32.
using zeros_histogram = std::array<std::uint64_t, 33>;

/// Leading zeros of \p word; 32 for 0.
constexpr unsigned leading_zeros(std::uint32_t word) {
  return word == 0 ? 32 : static_cast<unsigned>(__builtin_clz(word));
}

/// Total bits of all coded words.
std::uint64_t fpc_bits(const zeros_histogram& words, const fpc_table& table);

/// The table with the fewest bits among all 906,192 tables. Ties go to the shortest longest run, then to the shortest
/// second-longest run, and so on.
fpc_table best_fpc_table(const zeros_histogram& words);

}  // namespace weft
