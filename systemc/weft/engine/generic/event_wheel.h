// SPDX-License-Identifier: Apache-2.0
/// Events that happen within a bounded number of cycles, by cycle.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/core/types.h"

namespace weft::engine {

template <typename Event>
class event_wheel {
 public:
  /// \param reach maximum number of cycles from the earliest pending event to a new one
  explicit event_wheel(cycle_t reach) {
    std::size_t slots = 1;
    while (slots <= reach) slots *= 2;
    m_slots.resize(slots);
  }

  void add(cycle_t cycle, const Event& event) {
    m_slots[cycle & (m_slots.size() - 1)].push_back(event);
    ++m_pending;
  }
  /// The events of \p cycle, in the order in which they were added.
  const std::vector<Event>& at(cycle_t cycle) const { return m_slots[cycle & (m_slots.size() - 1)]; }
  /// Removes the events of \p cycle.
  void clear(cycle_t cycle) {
    std::vector<Event>& slot = m_slots[cycle & (m_slots.size() - 1)];
    m_pending -= slot.size();
    slot.clear();
  }
  /// Number of events that have not been removed.
  std::size_t pending() const { return m_pending; }

  /// Calls \p f(cycle, event) for all pending events, the earliest of which is in cycle \p first or later.
  template <typename F>
  void for_each(cycle_t first, F f) const {
    for (cycle_t cycle = first; cycle < first + m_slots.size(); ++cycle)
      for (const Event& event : at(cycle)) f(cycle, event);
  }

 private:
  std::vector<std::vector<Event>> m_slots;
  std::size_t m_pending = 0;
};

}  // namespace weft::engine
