// SPDX-License-Identifier: Apache-2.0
/// A thread for calls that may wait: a method must not make them.
#pragma once

#include <functional>
#include <utility>

#include <systemc>

namespace weft::tlm {

/// Makes one call after the other.
class blocking_caller final : public sc_core::sc_module {
 public:
  blocking_caller(const sc_core::sc_module_name& name, std::function<void()> call)
      : sc_module(name), m_call(std::move(call)) {
    SC_HAS_PROCESS(blocking_caller);
    SC_THREAD(work);
  }

  /// The call is made in this delta cycle. Not before the one before has returned.
  void start() {
    m_wanted = true;
    m_start.notify();
  }

 private:
  void work() {
    for (;;) {
      while (!m_wanted) wait(m_start);
      m_wanted = false;
      m_call();
    }
  }

  const std::function<void()> m_call;
  bool m_wanted = false;
  sc_core::sc_event m_start{"start"};
};

}  // namespace weft::tlm
