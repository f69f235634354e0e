// SPDX-License-Identifier: Apache-2.0
/// Finds the best six run lengths of table-based FPC for given data. The code length of a word depends only on its
/// leading zeros, so a histogram of leading zeros is sufficient.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/codec.h"

namespace weft {

/// Number of words with each count of leading zeros, 0…32.
using zeros_histogram = std::array<std::uint64_t, 33>;

/// Number of leading zeros of \p word; 32 for the word 0.
constexpr unsigned leading_zeros(std::uint32_t word) {
  return word == 0 ? 32 : static_cast<unsigned>(__builtin_clz(word));
}

/// Number of bits that \p words take if they are coded with \p table.
std::uint64_t fpc_bits(const zeros_histogram& words, const fpc_table& table);

/// The table, among all 906,192 tables, that codes \p words in the fewest bits. Of several such tables it is the one
/// whose longest run is shortest; if several remain, the one whose second-longest run is shortest; and so on.
fpc_table best_fpc_table(const zeros_histogram& words);

}  // namespace weft
