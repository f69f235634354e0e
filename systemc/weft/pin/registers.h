// SPDX-License-Identifier: Apache-2.0
/// Registers that a combinational process reads.
#pragma once

#include <cstddef>
#include <vector>

#include <systemc>

#include "weft/pin/clock_gate.h"

namespace weft::pin {

/// A register that a combinational process reads. Unchecked, as a gated clock runs the clocked process that writes it.
template <typename T>
using register_signal = sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS>;

#ifdef WEFT_SYNTHESIS
template <typename T>
using quiet_register = register_signal<T>;
template <typename T>
using quiet_registers = sc_core::sc_vector<register_signal<T>>;
class quiet_change {
 public:
  explicit quiet_change(const char*) {}
  void wakes(follower&) {}
  void toggle() {}
};
inline sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive, const quiet_change&) { return sensitive; }
#else
/// A register that a combinational process reads, where a signal would cost too much: in simulation a variable, of
/// whose change nobody is told. So the module has a quiet_change that toggles at each step, and its combinational
/// processes are sensitive to that, too. Both forms do the same where a step reads no register that it has written.
template <typename T>
class quiet_register {
 public:
  explicit quiet_register(const char* = nullptr) {}
  const T& read() const { return m_value; }
  void write(const T& value) { m_value = value; }
  operator const T&() const { return m_value; }
  quiet_register& operator=(const T& value) {
    m_value = value;
    return *this;
  }

 private:
  T m_value = T();
};
template <typename T>
sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive, const quiet_register<T>&) {
  return sensitive;
}

/// Wakes the combinational processes of a module that has quiet registers: those that are sensitive to it, or the one
/// that follows it. For a translator it is nothing.
class quiet_change : public register_signal<bool> {
 public:
  using register_signal<bool>::register_signal;
  void wakes(follower& reader) { m_follower = &reader; }
  void toggle() {
    if (m_follower != nullptr)
      m_follower->wake();
    else
      write(!read());
  }

 private:
  follower* m_follower = nullptr;
};

/// Several of a name.
template <typename T>
class quiet_registers : public std::vector<quiet_register<T>> {
 public:
  quiet_registers(const char*, std::size_t count) : std::vector<quiet_register<T>>(count) {}
};
#endif

}  // namespace weft::pin
