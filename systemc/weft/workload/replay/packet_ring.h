// SPDX-License-Identifier: Apache-2.0
/// Things that are numbered as they come and are over in almost that order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// \tparam T has a pointer `of`, which is null of what is over
template <class T>
class packet_ring {
 public:
  std::uint64_t next() const { return m_first + m_count; }  ///< the number of what is added next

  void add(T what) {
    if (m_count == m_slots.size()) grow();
    slot(next()) = std::move(what);
    ++m_count;
  }

  /// Null if it is over, or was never there.
  T* find(std::uint64_t number) {
    if (number < m_first || number >= next()) return nullptr;
    T& found = slot(number);
    return found.of == nullptr ? nullptr : &found;
  }

  void remove(std::uint64_t number) {
    slot(number).of = nullptr;
    for (; m_count > 0 && slot(m_first).of == nullptr; --m_count) ++m_first;
  }

 private:
  T& slot(std::uint64_t number) { return m_slots[number & (m_slots.size() - 1)]; }

  void grow() {
    std::vector<T> larger(m_slots.empty() ? 16 : 2 * m_slots.size());
    for (std::uint64_t number = m_first; number < next(); ++number)
      larger[number & (larger.size() - 1)] = std::move(slot(number));
    m_slots = std::move(larger);
  }

  std::vector<T> m_slots;  ///< a power of two of them
  std::uint64_t m_first = 0;
  std::size_t m_count = 0;
};

}  // namespace weft
