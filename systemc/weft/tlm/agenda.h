// SPDX-License-Identifier: Apache-2.0
/// A list of actions to be executed at a later time, or immediately after the current call.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <systemc>

namespace weft::tlm2 {

/// Executes actions at their times. Actions of the same time are executed in the order in which they were added.
class agenda : public sc_core::sc_module {
 public:
  explicit agenda(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(agenda);
    SC_METHOD(work);
    sensitive << m_due;
    dont_initialize();
  }

  void schedule(const sc_core::sc_time& delay, std::function<void()> action) {
    m_entries.push_back({sc_core::sc_time_stamp() + delay, m_count++, std::move(action)});
    std::push_heap(m_entries.begin(), m_entries.end(), std::greater<>());
    m_due.notify(delay);
  }

 private:
  void work() {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    while (!m_entries.empty() && m_entries.front().due <= now) {
      std::pop_heap(m_entries.begin(), m_entries.end(), std::greater<>());
      const std::function<void()> action = std::move(m_entries.back().action);
      m_entries.pop_back();
      action();
    }
    if (!m_entries.empty()) m_due.notify(m_entries.front().due - now);
  }

  struct entry {
    sc_core::sc_time due;
    std::uint64_t number;
    std::function<void()> action;
    bool operator>(const entry& other) const { return due != other.due ? due > other.due : number > other.number; }
  };

  std::vector<entry> m_entries;  ///< a heap with the next entry in front
  std::uint64_t m_count = 0;
  sc_core::sc_event m_due{"due"};
};

}  // namespace weft::tlm2
