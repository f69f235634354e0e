// SPDX-License-Identifier: Apache-2.0
/// Pool for millions of short-lived objects. It reuses released objects, last released first, because these are in the
/// cache.
#pragma once

#include <deque>
#include <vector>

namespace weft {

template <class T>
class object_pool {
 public:
  /// A new object, whose address stays valid until it is given back.
  T* take() {
    if (m_free.empty()) return &m_all.emplace_back();
    T* const object = m_free.back();
    m_free.pop_back();
    return object;
  }

  void give_back(T* object) {
    *object = T();
    m_free.push_back(object);
  }

 private:
  std::deque<T> m_all;
  std::vector<T*> m_free;
};

}  // namespace weft
