// SPDX-License-Identifier: Apache-2.0
/// A thread for calls that may wait: a method must not make them.
#pragma once

#include <functional>
#include <utility>

#include <sysc/kernel/sc_dynamic_processes.h>
#include <systemc>

namespace weft::tlm2 {

/// Makes one call after the other. It may be created while the simulation runs. If somebody resets its thread or kills
/// it, the next call is made all the same; the call that was under way ends by an sc_unwind_exception.
class blocking_caller final {
 public:
  explicit blocking_caller(std::function<void()> call) : m_call(std::move(call)) { spawn(); }

  /// The call is made in this delta cycle. Not before the one before has returned.
  void start() {
    m_wanted = true;
    if (m_thread.terminated()) spawn();
    m_start.notify();
  }

 private:
  void spawn() {
    m_thread = sc_core::sc_spawn([this] { work(); }, sc_core::sc_gen_unique_name("blocking_caller"));
  }
  void work() {
    for (;;) {
      while (!m_wanted) sc_core::wait(m_start);
      m_wanted = false;
      m_call();
    }
  }

  const std::function<void()> m_call;
  sc_core::sc_process_handle m_thread;
  bool m_wanted = false;
  sc_core::sc_event m_start;
};

}  // namespace weft::tlm2
