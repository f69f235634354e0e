// SPDX-License-Identifier: Apache-2.0
/// A thread that makes calls which may wait, on behalf of a method process, which must not wait.
#pragma once

#include <functional>
#include <utility>

#include <sysc/kernel/sc_dynamic_processes.h>
#include <systemc>

namespace weft::tlm2 {

/// Makes calls one after the other. It may be created during the simulation. If another process resets or kills its
/// thread, the interrupted call ends with an sc_unwind_exception; later calls are still made.
class blocking_caller final {
 public:
  explicit blocking_caller(std::function<void()> call) : m_call(std::move(call)) { spawn(); }

  /// Makes the call in this delta cycle. The previous call must have returned.
  void start() {
    m_call_pending = true;
    if (m_thread.terminated()) spawn();
    m_start.notify();
  }

 private:
  void spawn() {
    m_thread = sc_core::sc_spawn([this] { work(); }, sc_core::sc_gen_unique_name("blocking_caller"));
  }
  void work() {
    for (;;) {
      while (!m_call_pending) sc_core::wait(m_start);
      m_call_pending = false;
      m_call();
    }
  }

  const std::function<void()> m_call;
  sc_core::sc_process_handle m_thread;
  bool m_call_pending = false;
  sc_core::sc_event m_start;
};

}  // namespace weft::tlm2
