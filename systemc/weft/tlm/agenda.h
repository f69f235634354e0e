// SPDX-License-Identifier: Apache-2.0
/// Actions for a later time, or for right after the present call.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include <systemc>

namespace weft::tlm2 {

/// Entries of one time are done in the order in which they came.
class agenda : public sc_core::sc_module {
 public:
  explicit agenda(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(agenda);
    SC_METHOD(work);
    sensitive << m_due;
    dont_initialize();
  }

  void after(const sc_core::sc_time& delay, std::function<void()> action) {
    m_entries.emplace(std::pair(sc_core::sc_time_stamp() + delay, m_count++), std::move(action));
    m_due.notify(delay);
  }

 private:
  void work() {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    while (!m_entries.empty() && m_entries.begin()->first.first <= now) {
      const std::function<void()> action = std::move(m_entries.begin()->second);
      m_entries.erase(m_entries.begin());
      action();
    }
    if (!m_entries.empty()) m_due.notify(m_entries.begin()->first.first - now);
  }

  std::map<std::pair<sc_core::sc_time, std::uint64_t>, std::function<void()>> m_entries;
  std::uint64_t m_count = 0;
  sc_core::sc_event m_due{"due"};
};

}  // namespace weft::tlm2
