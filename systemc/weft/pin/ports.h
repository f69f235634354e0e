// SPDX-License-Identifier: Apache-2.0
/// Single ports of modules, and rows of ports. In simulation, ports look up their wires at the end of elaboration and
/// then read and write them without virtual calls. A row of ports stores the wires contiguously, and tracks which of
/// them have a strobe asserted. For synthesis, these are the ports of SystemC.
#pragma once

#include <cstddef>

#include <systemc>

#include "weft/core/members.h"
#include "weft/core/types.h"
#include "weft/pin/signals.h"
#include "weft/pin/wire.h"

namespace weft::pin {

#ifdef WEFT_SYNTHESIS

template <typename T>
using in_port = sc_core::sc_in<T>;
template <typename T>
using out_port = sc_core::sc_out<T>;
template <typename T>
using in_ports = sc_core::sc_vector<sc_core::sc_in<T>>;
template <typename T>
using out_ports = sc_core::sc_vector<sc_core::sc_out<T>>;

/// Defines \p set: the numbers of those ports in \p ports, among the first \p count of type \p Type, that have a strobe
/// asserted. In simulation the row of ports tracks them.
#define WEFT_ASSERTED(set, Type, ports, count) \
  port_set set = 0;                            \
  for (unsigned i = 0; i < (count); ++i) {     \
    Type value;                                \
    value = ports[i].read();                   \
    if (asserted(value) != 0) set |= 1U << i;  \
  }                                            \
  static_assert(true, "takes a semicolon")

#else

/// A port that reads a signal by reference. A signal's read() returns a reference to its value, whose address is
/// constant, so the port calls read() only once.
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

template <typename T>
class out_port : public sc_core::sc_out<T> {
 public:
  using sc_core::sc_out<T>::sc_out;
  void write(const T& value) {
    if (m_wire != nullptr)
      m_wire->write(value);
    else
      sc_core::sc_out<T>::write(value);
  }

 protected:
  void end_of_elaboration() override {
    sc_core::sc_out<T>::end_of_elaboration();
    m_wire = dynamic_cast<wire<T>*>(this->get_interface());
  }

 private:
  wire<T>* m_wire = nullptr;  // the wire that the port is bound to; null if it is another signal
};

/// A row of at most MaxSwitchInputs ports of type \p Port. At the end of elaboration, \p Row::found() receives the
/// channel to which each port is bound.
template <typename Row, typename Port>
class port_row {
 public:
  port_row(const char* name, std::size_t count) : m_ports(name, count) {
    for (unsigned i = 0; i < count; ++i) m_ports[i].belongs_to(static_cast<Row&>(*this), i);
  }

  std::size_t size() const { return m_ports.size(); }
  /// Binds the ports one by one to \p channels, which must have the same number of elements.
  template <typename Channels>
  void bind(Channels& channels) {
    m_ports.bind(channels);
  }
  auto begin() { return m_ports.begin(); }
  auto end() { return m_ports.end(); }
  /// The port with number \p number as a port of SystemC. operator[] returns an object that reads, writes and binds it.
  Port& port(std::size_t number) { return m_ports[number]; }

 private:
  class member : public Port {
   public:
    using Port::Port;
    void belongs_to(Row& row, unsigned number) {
      m_row = &row;
      m_number = number;
    }

   protected:
    void end_of_elaboration() override {
      Port::end_of_elaboration();
      m_row->found(m_number, *this->operator->());
    }

   private:
    Row* m_row = nullptr;
    unsigned m_number = 0;
  };

  sc_core::sc_vector<member> m_ports;
};

template <typename T>
class in_ports : public port_row<in_ports<T>, sc_core::sc_in<T>> {
  using base = port_row<in_ports<T>, sc_core::sc_in<T>>;

 public:
  struct element {
    in_ports& row;
    const std::size_t number;
    const T& read() const { return *row.m_value[number]; }
    template <typename Channel>
    void operator()(Channel& channel) const {
      row.port(number)(channel);
    }
  };
  struct const_element {
    const T& value;
    const T& read() const { return value; }
  };

  using base::base;
  element operator[](std::size_t number) { return {*this, number}; }
  const_element operator[](std::size_t number) const { return {*m_value[number]}; }

  /// The numbers of the ports with a strobe asserted.
  port_set asserted() const {
    port_set set = m_asserted;
    WEFT_FOR_MEMBERS(i, m_others, MaxSwitchInputs) set |= static_cast<port_set>(is_asserted(*m_value[i])) << i;
    return set;
  }

 private:
  friend base;

  void found(unsigned number, sc_core::sc_signal_in_if<T>& channel) {
    m_value[number] = &channel.read();
    auto* found = dynamic_cast<wire<T>*>(&channel);
    if (found == nullptr || !found->shows_in(m_asserted, number)) m_others |= port_set{1} << number;
  }

  port_set m_asserted = 0;  // ports with a strobe asserted, among those whose wires report their strobes
  port_set m_others = 0;    // ports whose wires do not report their strobes
  const T* m_value[MaxSwitchInputs] = {};
};

template <typename T>
class out_ports : public port_row<out_ports<T>, out_port<T>> {
  using base = port_row<out_ports<T>, out_port<T>>;

 public:
  struct element {
    out_ports& row;
    const std::size_t number;
    const T& read() const {
      return row.m_wire[number] != nullptr ? row.m_wire[number]->read() : row.port(number).read();
    }
    void write(const T& value) const {
      if (row.m_wire[number] != nullptr)
        row.m_wire[number]->write(value);
      else
        row.port(number).write(value);
    }
    template <typename Channel>
    void operator()(Channel& channel) const {
      row.port(number)(channel);
    }
  };

  using base::base;
  element operator[](std::size_t number) { return {*this, number}; }

 private:
  friend base;

  void found(unsigned number, sc_core::sc_signal_inout_if<T>& channel) {
    m_wire[number] = dynamic_cast<wire<T>*>(&channel);
  }

  wire<T>* m_wire[MaxSwitchInputs] = {};  // the wire that each port is bound to; null if it is another signal
};

#define WEFT_ASSERTED(set, Type, ports, count) port_set set = (ports).asserted()

#endif

}  // namespace weft::pin
