// SPDX-License-Identifier: Apache-2.0
/// The payload of a flit, in the form in which hardware may copy it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft::pin {

/// Word by word: compilers from SystemC do not know the assignment of std::array.
template <std::size_t Words>
void put_words(std::array<std::uint64_t, Words>& to, const std::array<std::uint64_t, Words>& from) {
  for (unsigned word = 0; word < Words; ++word) to[word] = from[word];
}

}  // namespace weft::pin
