// SPDX-License-Identifier: Apache-2.0
/// Lists that do not allocate memory while they are in use.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::engine {

/// A list with a fixed capacity, which is the maximum number of items that can occur.
template <typename Item>
class bounded_list {
 public:
  explicit bounded_list(std::size_t most)
      : m_items(most + 1),
        m_end(m_items.data()) {}  // one item more, because
                                  // push_if() always writes the
                                  // next item
  bounded_list(const bounded_list&) = delete;
  bounded_list& operator=(const bounded_list&) = delete;

  void push(const Item& item) { *m_end++ = item; }
  void push_if(bool condition, const Item& item) {
    *m_end = item;
    m_end += condition;
  }
  /// Appends \p item if \p is_new is set. Otherwise it replaces the last item by \p item.
  void replace_or_push(bool is_new, const Item& item) {
    m_end += is_new;
    m_end[-1] = item;
  }
  void clear() { m_end = m_items.data(); }
  const Item* begin() const { return m_items.data(); }
  const Item* end() const { return m_end; }
  std::size_t size() const { return static_cast<std::size_t>(end() - begin()); }

 private:
  std::vector<Item> m_items;
  Item* m_end;
};

}  // namespace weft::engine
