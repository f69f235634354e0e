// SPDX-License-Identifier: Apache-2.0
/// What is under way, by the tag that says in the header of a message whose answer it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::tlm2 {

/// Tags are given in turn, so those in use are mostly neighbours: each has its place in a table of as few places as
/// keep them apart.
template <typename T>
class tag_table {
 public:
  std::size_t size() const { return m_size; }

  /// What was entered with \p tag; null if nothing is.
  T* find(std::uint16_t tag) {
    if (m_places.empty()) return nullptr;
    place& there = place_of(tag);
    return there.used && there.tag == tag ? &there.what : nullptr;
  }

  /// Enters \p what with \p tag, which is not in use.
  void enter(std::uint16_t tag, const T& what) {
    while (m_places.empty() || place_of(tag).used) grow();
    place_of(tag) = {what, tag, true};
    ++m_size;
  }

  /// Takes out what was entered with \p tag, which is in use.
  T take(std::uint16_t tag) {
    place& there = place_of(tag);
    there.used = false;
    --m_size;
    return there.what;
  }

 private:
  struct place {
    T what{};
    std::uint16_t tag = 0;
    bool used = false;
  };

  /// There are a power of two.
  place& place_of(std::uint16_t tag) { return m_places[tag & (m_places.size() - 1)]; }

  void grow() {
    std::vector<place> before(std::max<std::size_t>(8, 2 * m_places.size()));
    before.swap(m_places);
    for (const place& p : before)
      if (p.used) place_of(p.tag) = p;
  }

  std::vector<place> m_places;
  std::size_t m_size = 0;
};

}  // namespace weft::tlm2
