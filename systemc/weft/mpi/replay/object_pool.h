// SPDX-License-Identifier: Apache-2.0
/// A pool for millions of short-lived objects. It reuses the object that was released last, because that object is
/// probably in the cache.
#pragma once

#include <deque>
#include <vector>

namespace weft {

template <class T>
class object_pool {
 public:
  /// Returns a new object. Its address stays valid until the object is given back.
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
