// SPDX-License-Identifier: Apache-2.0
/// Registers that combinational processes read.
#pragma once

#include <cstddef>
#include <vector>

#include <systemc>

#include "weft/pin/clock_gate.h"

namespace weft::pin {

/// A register that a combinational process reads. Its signal does not check for multiple writers: the root of the clock
/// tree runs the clocked processes of all modules, so the kernel sees only one writer.
template <typename T>
using register_signal = sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS>;

#ifdef WEFT_SYNTHESIS
template <typename T>
using untraced_register = register_signal<T>;
template <typename T>
using untraced_registers = sc_core::sc_vector<register_signal<T>>;
class untraced_change {
 public:
  explicit untraced_change(const char*) {}
  void triggers(dependent_process&) {}
  void toggle() {}
};
inline sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive, const untraced_change&) { return sensitive; }
#else
/// A register that a combinational process reads, for cases in which a signal would cost too much simulation time. In
/// simulation it is a variable and gives no notification of changes. The module therefore has an untraced_change, which
/// toggles at each step and to which its combinational processes are also sensitive. For synthesis it is a signal. Both
/// behave the same if no step reads a register that it has written.
template <typename T>
class untraced_register {
 public:
  explicit untraced_register(const char* = nullptr) {}
  const T& read() const { return m_value; }
  void write(const T& value) { m_value = value; }
  operator const T&() const { return m_value; }
  untraced_register& operator=(const T& value) {
    m_value = value;
    return *this;
  }

 private:
  T m_value = T();
};
template <typename T>
sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive, const untraced_register<T>&) {
  return sensitive;
}

/// Triggers the combinational processes of a module with untraced registers. They are either processes that are
/// sensitive to it, or the module's dependent process. It is empty for synthesis.
class untraced_change : public register_signal<bool> {
 public:
  using register_signal<bool>::register_signal;
  void triggers(dependent_process& reader) { m_dependent = &reader; }
  void toggle() {
    if (m_dependent != nullptr)
      m_dependent->trigger();
    else
      write(!read());
  }

 private:
  dependent_process* m_dependent = nullptr;
};

/// An array of untraced registers with one name.
template <typename T>
class untraced_registers : public std::vector<untraced_register<T>> {
 public:
  untraced_registers(const char*, std::size_t count) : std::vector<untraced_register<T>>(count) {}
};
#endif

}  // namespace weft::pin
