// SPDX-License-Identifier: Apache-2.0
/// Sets of small numbers, such as the numbers of the entries of an XOR decoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::engine {

/// A set of numbers below a limit with a fast search for its lowest member.
class number_set {
 public:
  explicit number_set(std::size_t limit) : m_words((limit + 63) / 64) {}

  void insert(unsigned i) { m_words[i / 64] |= std::uint64_t{1} << i % 64; }
  void erase(unsigned i) { m_words[i / 64] &= ~(std::uint64_t{1} << i % 64); }
  bool contains(unsigned i) const { return m_words[i / 64] >> i % 64 & 1; }

  static constexpr unsigned None = ~0U;
  /// Returns the lowest member, or None if the set is empty.
  unsigned lowest() const {
    for (std::size_t w = 0; w < m_words.size(); ++w)
      if (m_words[w] != 0) return static_cast<unsigned>(64 * w) + static_cast<unsigned>(__builtin_ctzll(m_words[w]));
    return None;
  }

 private:
  std::vector<std::uint64_t> m_words;
};

}  // namespace weft::engine
