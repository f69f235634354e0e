// SPDX-License-Identifier: Apache-2.0
/// The payload of a flit, in the form in which hardware may copy it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>

namespace weft::pin {

/// Word by word: compilers from SystemC do not know the assignment of std::array.
template <std::size_t Words>
void put_words(std::array<std::uint64_t, Words>& to, const std::array<std::uint64_t, Words>& from) {
  for (unsigned word = 0; word < Words; ++word) to[word] = from[word];
}

/// The payload of a flit in a memory.
template <std::size_t Words>
struct stored_payload {
  std::array<std::uint64_t, Words> word;

  stored_payload() {
    for (unsigned i = 0; i < Words; ++i) word[i] = 0;
  }

  friend bool operator==(const stored_payload& a, const stored_payload& b) { return a.word == b.word; }
  friend std::ostream& operator<<(std::ostream& out, const stored_payload& p) {
    for (unsigned i = 0; i < Words; ++i) out << (i == 0 ? "" : " ") << p.word[i];
    return out;
  }
};

}  // namespace weft::pin
