// SPDX-License-Identifier: Apache-2.0
/// A table of outstanding transactions. The key is the tag, which identifies a request in the header of a message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::tlm2 {

/// Tags are assigned in increasing order, so the tags in use are mostly neighbors. The table is as small as it can be
/// without two tags in one place.
template <typename T>
class tag_table {
 public:
  std::size_t size() const { return m_size; }

  /// The entry with \p tag; null if there is none.
  T* find(std::uint16_t tag) {
    if (m_places.empty()) return nullptr;
    place& there = place_of(tag);
    return there.used && there.tag == tag ? &there.what : nullptr;
  }

  /// Adds \p what with \p tag, which must not be in use.
  void enter(std::uint16_t tag, const T& what) {
    while (m_places.empty() || place_of(tag).used) grow();
    place_of(tag) = {what, tag, true};
    ++m_size;
  }

  /// Removes and returns the entry with \p tag, which must be in use.
  T remove(std::uint16_t tag) {
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

  /// The number of places is a power of two.
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
