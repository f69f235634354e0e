// SPDX-License-Identifier: Apache-2.0
/// Ports of modules, single and in rows. In simulation they look up their wires at the end of elaboration, so that they
/// read and write them without virtual calls. A row of ports stores the wires contiguously, and tracks which of them
/// have a strobe asserted. For synthesis they are the ports of SystemC.
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

/// Defines \p set: those of the first \p count ports of \p Type in \p ports that have a strobe asserted. In simulation
/// the row of ports tracks them.
#define WEFT_ASSERTED(set, Type, ports, count) \
  port_set set = 0;                            \
  for (unsigned i = 0; i < (count); ++i) {     \
    Type value;                                \
    value = ports[i].read();                   \
    if (asserted(value) != 0) set |= 1U << i;  \
  }                                            \
  static_assert(true, "takes a semicolon")

#else

/// A signal returns a reference to its value, whose address is constant, so the port requests it once.
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
  wire<T>* m_wire = nullptr;  // null if it is bound to another signal
};

/// A row of at most MaxPorts ports of type \p Port. \p Row::found() receives the channel that each port is bound to.
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
  /// The underlying port of SystemC; operator[] returns an element that reads, writes and binds it.
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

  /// The ports with a strobe asserted.
  port_set asserted() const {
    port_set set = m_asserted;
    WEFT_FOR_MEMBERS(i, m_others, MaxPorts) set |= static_cast<port_set>(is_asserted(*m_value[i])) << i;
    return set;
  }

 private:
  friend base;

  void found(unsigned number, sc_core::sc_signal_in_if<T>& channel) {
    m_value[number] = &channel.read();
    auto* found = dynamic_cast<wire<T>*>(&channel);
    if (found == nullptr || !found->shows_in(m_asserted, number)) m_others |= port_set{1} << number;
  }

  port_set m_asserted = 0;  // ports whose wires report strobes
  port_set m_others = 0;    // all other ports
  const T* m_value[MaxPorts] = {};
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

  wire<T>* m_wire[MaxPorts] = {};  // null if it is bound to another signal
};

#define WEFT_ASSERTED(set, Type, ports, count) port_set set = (ports).asserted()

#endif

}  // namespace weft::pin
