// SPDX-License-Identifier: Apache-2.0
/// Objects that come and go by the million: those that went are used again, last first, as they are in the cache.
#pragma once

#include <deque>
#include <vector>

namespace weft {

template <class T>
class object_pool {
 public:
  /// A fresh one, which stays where it is until it is given back.
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
