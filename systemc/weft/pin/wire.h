// SPDX-License-Identifier: Apache-2.0
/// Wires between modules. While one of its strobes is asserted, a wire opens the clock gates of its readers and its
/// writer. It also triggers the dependent process that reads it, and reports its strobes to a row of ports (ports.h).
/// For synthesis a wire is a signal.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <systemc>

#include "weft/core/types.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/registers.h"
#include "weft/pin/signals.h"

namespace weft::pin {

#ifdef WEFT_SYNTHESIS

template <typename T>
class wire : public register_signal<T> {
 public:
  using register_signal<T>::register_signal;
  void enables_clock(gated_clock&, strobes = ~strobes{0}) {}
  void triggers(dependent_process&) {}
};

#else

/// A wire of any type that can be traced by its name.
class traceable {
 public:
  virtual ~traceable() = default;
  /// \param extent ports and VCs of the router that the wire belongs to
  virtual void trace_into(sc_core::sc_trace_file* file, const trace_extent& extent) const = 0;
};

template <typename T>
class wires_of_type;

/// A signal between two modules. The process of the clock root writes all wires, so the kernel cannot distinguish the
/// writers, and checks for multiple writers are disabled.
template <typename T>
class wire final : public sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS>, public traceable {
  using base = sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS>;

 public:
  using base::base;

  /// Holds the gate of \p clock open while one of the strobes in \p which is asserted.
  void enables_clock(gated_clock& clock, strobes which = ~strobes{0}) {
    join(clock.root());
    m_gates.push_back({clock.number(), which});
  }

  /// Makes changes of the wire trigger \p reader, which replaces a process that is sensitive to a port.
  void triggers(dependent_process& reader) {
    join(reader.root());
    m_dependent = &reader;
  }

  /// From now on, bit \p number of \p set is 1 while a strobe is asserted.
  /// \return false if another set is already registered
  bool shows_in(port_set& set, unsigned number) {
    if (m_shown_in != &m_not_shown) return false;
    m_shown_in = &set;
    m_bit = port_set{1} << number;
    show(is_asserted(this->m_cur_val));
    return true;
  }

  const T& read() const override { return this->m_cur_val; }

  void write(const T& value) override {
    if (this->m_new_val == value) return;
    this->m_new_val = value;
    if (m_written) return;
    m_written = true;
    if (m_group != nullptr)
      m_group->add(*this);
    else
      this->request_update();
  }

  const sc_core::sc_event& value_changed_event() const override {
    m_watched = true;
    return base::value_changed_event();
  }
  const sc_core::sc_event& default_event() const override {
    return m_dependent != nullptr ? m_clocks->never() : value_changed_event();
  }
  bool event() const override { return this->simcontext()->event_occurred(m_changed); }

  void trace_into(sc_core::sc_trace_file* file, const trace_extent& extent) const override {
    if constexpr (IsBundle<T>)
      sc_trace(file, this->m_cur_val, this->name(), extent);
    else
      sc_trace(file, this->m_cur_val, this->name());
  }

 protected:
  void update() override { commit(this->simcontext()->change_stamp()); }

 private:
  friend class wires_of_type<T>;

  struct gate {
    std::uint32_t number;
    strobes which;
  };

  /// Updates the value. \p stamp: number of this delta cycle in the kernel
  void commit(sc_dt::uint64 stamp) {
    m_written = false;
    m_changed = stamp;
    const strobes before = asserted(this->m_cur_val);
    if (std::is_same_v<T, bool> || m_watched)
      this->do_update();
    else
      this->m_cur_val = this->m_new_val;
    if (m_dependent != nullptr) m_dependent->trigger();
    const strobes now = asserted(this->m_cur_val);
    if (now != before) update_gates(before, now);
  }

  /// Adds the wire to the group of all wires of its type, which are updated together.
  void join(clock_gate& clocks) {
    m_clocks = &clocks;
    m_group = &clocks.group<wires_of_type<T>>();
  }

  void update_gates(strobes before, strobes now) {
    for (const gate& g : m_gates) {
      const bool was = (before & g.which) != 0, is = (now & g.which) != 0;
      if (is == was) continue;
      if (is)
        m_clocks->hold(g.number);
      else
        m_clocks->release(g.number);
    }
    show(now != 0);
  }

  void show(bool is) { *m_shown_in = (*m_shown_in & ~m_bit) | (is ? m_bit : 0); }

  // The data for writing and updating the wire are here, behind the two values, so that they are on one cache line. The
  // kernel's own copies of these data are not read.
  bool m_written = false;          // written in this delta cycle
  mutable bool m_watched = false;  // its event has been requested
  sc_dt::uint64 m_changed = 0;
  clock_gate* m_clocks = nullptr;
  wires_of_type<T>* m_group = nullptr;
  dependent_process* m_dependent = nullptr;
  std::vector<gate> m_gates;
  port_set* m_shown_in = &m_not_shown;
  port_set m_bit = 0;
  port_set m_not_shown = 0;  // the bits are written here if no set is registered
};

/// The wires of one type below one root of the clock tree. The wires that were written request one update from the
/// kernel together. In this update they are processed one after the other without virtual calls.
template <typename T>
class wires_of_type : public wire_group {
 public:
  void add(wire<T>& written) {
    if (m_written.empty()) request_update();
    m_written.push_back(&written);
  }

 private:
  void update() override {
    const sc_dt::uint64 stamp = simcontext()->change_stamp();
    for (wire<T>* written : m_written) written->commit(stamp);
    m_written.clear();
  }

  std::vector<wire<T>*> m_written;
};

#endif

}  // namespace weft::pin
