// SPDX-License-Identifier: Apache-2.0
/// A linked queue that allocates no memory, because its elements contain the links.
#pragma once

#include <cstddef>

namespace weft::tlm2 {

/// A FIFO queue. T must have a member T* next, so an element can be in only one queue at a time.
template <typename T>
class chain {
 public:
  bool empty() const { return m_first == nullptr; }
  std::size_t size() const { return m_size; }
  /// The oldest element; null if the queue is empty. The member `next` of an element is the element behind it.
  T* front() const { return m_first; }

  void push_back(T* what) {
    what->next = nullptr;
    (empty() ? m_first : m_last->next) = what;
    m_last = what;
    ++m_size;
  }
  T* pop_front() {
    T* const what = m_first;
    m_first = what->next;
    --m_size;
    return what;
  }
  /// Removes \p what from any position in the queue.
  void remove(T* what) {
    T* before = nullptr;
    for (T* at = m_first; at != what; at = at->next) before = at;
    (before == nullptr ? m_first : before->next) = what->next;
    if (m_last == what) m_last = before;
    --m_size;
  }

 private:
  T* m_first = nullptr;
  T* m_last = nullptr;
  std::size_t m_size = 0;
};

}  // namespace weft::tlm2
