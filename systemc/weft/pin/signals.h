// SPDX-License-Identifier: Apache-2.0
/// What the wires between the pin-level modules carry: flits and credits; router/router_signals.h has the rest. Each
/// type has `==`, `<<` and sc_trace beside its fields, as sc_signal wants, and asserted(): the strobes among its
/// fields, as bits, which say when a reader has work to do.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <systemc>

#include "weft/core/allocation.h"
#include "weft/core/types.h"
#include "weft/pin/flit_trace.h"

namespace weft::pin {

/// The ports and VCs that a router has: what is traced of wires with fields for as many as there may be.
struct trace_extent {
  unsigned ports = MaxPorts;
  unsigned vcs = MaxVcs;
};

/// Traces \p value, whose fields are the same in every router. Types with a field for each port or VC have their own.
template <typename T>
void trace_within(sc_core::sc_trace_file* file, const T& value, const std::string& name, const trace_extent&) {
  sc_trace(file, value, name);
}

/// The name of number \p i of \p count: all have the same length, so that a viewer sorts them: "port03".
inline std::string indexed(const std::string& name, unsigned i, unsigned count) {
  const std::string digits = std::to_string(i), longest = std::to_string(count - 1);
  return name + std::string(longest.size() - digits.size(), '0') + digits;
}

#ifdef WEFT_SYNTHESIS
template <typename T>
using in_port = sc_core::sc_in<T>;
#else
/// sc_in that reads without virtual calls, a tenth of the instructions of a run: a signal gives a reference to its
/// value, which stays where it is, so it is asked once.
template <typename T>
class in_port : public sc_core::sc_in<T> {
 public:
  using sc_core::sc_in<T>::sc_in;
  const T& read() const { return *m_value; }

 protected:
  void end_of_elaboration() override {
    sc_core::sc_in<T>::end_of_elaboration();
    m_value = &(*this)->read();
  }

 private:
  const T* m_value = nullptr;
};
#endif

/// \p name: what is read from one of several ports, or the record at a place that data name in a memory. In simulation
/// a reference. Translators from SystemC lose the index of what a reference is bound to, and of a record that is copied
/// where it is declared the sizes of its arrays.
#ifdef WEFT_SYNTHESIS
#define WEFT_VALUE(Type, name, value) \
  Type name;                          \
  name = value
#else
#define WEFT_VALUE(Type, name, value) const Type& name = value
#endif

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

/// Wakes the combinational processes of a module that has quiet registers. For a translator it is nothing.
class quiet_change : public register_signal<bool> {
 public:
  using register_signal<bool>::register_signal;
  void toggle() { write(!read()); }
};

/// Several of a name.
template <typename T>
class quiet_registers : public std::vector<quiet_register<T>> {
 public:
  quiet_registers(const char*, std::size_t count) : std::vector<quiet_register<T>>(count) {}
};
#endif

/// Strobes of a wire: bit 0 for a wire with one, more for a bundle.
using strobes = std::uint64_t;

inline strobes asserted(bool value) { return value; }
inline strobes asserted(std::uint8_t) { return 0; }
inline strobes asserted(std::uint32_t) { return 0; }
template <unsigned PayloadBits>
strobes asserted(const flit<PayloadBits>& f) {
  return f.valid;
}

/// A VC of a port, announced for one cycle: a credit that comes back.
struct credit {
  bool valid = false;
  std::uint8_t vc = 0;

  friend bool operator==(const credit& a, const credit& b) { return a.valid == b.valid && a.vc == b.vc; }
  friend std::ostream& operator<<(std::ostream& out, const credit& c) {
    return c.valid ? out << "credit for VC " << unsigned(c.vc) : out << "-";
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const credit& c, const std::string& name) {
    sc_core::sc_trace(file, c.valid, name + ".valid");
    sc_core::sc_trace(file, c.vc, name + ".vc");
  }
  friend strobes asserted(const credit& c) { return c.valid; }
};

}  // namespace weft::pin
