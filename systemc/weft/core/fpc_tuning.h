// SPDX-License-Identifier: Apache-2.0
/// The best six run lengths of FPC by table for given data. How many bits a word takes depends on its leading zeros
/// only, so a histogram of them says all about the data.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/codec.h"

namespace weft {

/// Words by their number of leading zeros, 0…32.
using zeros_histogram = std::array<std::uint64_t, 33>;

/// 32 for 0.
constexpr unsigned leading_zeros(std::uint32_t word) {
  return word == 0 ? 32 : static_cast<unsigned>(__builtin_clz(word));
}

/// Bits of all words in code.
std::uint64_t fpc_bits(const zeros_histogram& words, const fpc_table& table);

/// The table with the fewest bits: none of the 906,192 has fewer. Of equals the one whose longest run is the shortest,
/// then the one whose second longest is, and so on.
fpc_table best_fpc_table(const zeros_histogram& words);

}  // namespace weft
