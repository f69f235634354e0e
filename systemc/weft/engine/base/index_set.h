// SPDX-License-Identifier: Apache-2.0
/// Sets of indices, such as the NICs with pending work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::engine {

/// A set of numbers below a limit. It is iterated in increasing order, which is efficient even if the set is large and
/// sparse.
class index_set {
 public:
  explicit index_set(std::size_t limit) : m_words((limit + 63) / 64) {}

  /// Inserts \p i. Returns whether it was not a member.
  bool insert(std::size_t i) {
    const std::uint64_t bit = std::uint64_t{1} << i % 64;
    const bool is_new = (m_words[i / 64] & bit) == 0;
    m_words[i / 64] |= bit;
    return is_new;
  }

  /// Calls \p f(i) for every member in increasing order, and removes the member unless \p f returns true. \p f must not
  /// insert members.
  template <typename F>
  void filter(F f) {
    for (std::size_t w = 0; w < m_words.size(); ++w) {
      std::uint64_t staying = m_words[w];
      for (std::uint64_t left = staying; left != 0; left &= left - 1) {
        const auto bit = static_cast<unsigned>(__builtin_ctzll(left));
        staying ^= std::uint64_t{!f(64 * w + bit)} << bit;
      }
      m_words[w] = staying;
    }
  }

 private:
  std::vector<std::uint64_t> m_words;
};

}  // namespace weft::engine
