// SPDX-License-Identifier: Apache-2.0
/// Clock gating: the root of the clock tree, and one gate for each module. Wires open the gates (wire.h).
///
/// A module needs its clock only in three cases: a strobe among its inputs is asserted, because it must read them; a
/// strobe among its outputs is asserted, because it must clear them; or it requests the clock itself. The modules have
/// an ordinary clock port and are unaware of gating. The wires between them hold the gates of their readers and their
/// writer open while a strobe is asserted, so an idle router costs no simulation time. A gate has no delay: a gated
/// edge occurs in the same delta cycle as the edge of the root clock, so gated and ungated modules can be mixed. This
/// code is for simulation only. On a chip, clock-gating cells with the same enable take its place.
///
/// At each edge, the root calls the clocked process of each module with an open gate as a plain function, within its
/// own process. An edge then costs a few nanoseconds instead of an event and a process switch. For a module that is not
/// registered with its gate, such as a plugged-in stage, the gate notifies an event to which that module is sensitive.
/// The root also calls the combinational processes of modules (dependent_process).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include <systemc>

#include "weft/core/types.h"
#include "weft/pin/signals.h"

namespace weft::pin {

#ifdef WEFT_SYNTHESIS

// Translators use no gates: the modules of a unit share one clock.

using gated_clock = sc_core::sc_in<bool>;

class clock_gate {};

class dependent_process {
 public:
  template <typename Module>
  void runs(Module&) {}
};

template <typename Module>
void drive(Module& module, gated_clock& clock) {
  module.clk_i(clock);
}

class gated_unit : public sc_core::sc_module {
 public:
  gated_clock clk_i{"clk_i"};

 protected:
  explicit gated_unit(sc_core::sc_module_name name) : sc_module(name) {}
  gated_clock& make_gate(clock_gate&) { return clk_i; }
  dependent_process& make_dependent_process(clock_gate&) { return m_dependent; }

 private:
  dependent_process m_dependent;
};

#else

class clock_gate;

/// The output of one gate; a module's clk_i is bound to it.
class gated_clock : public sc_core::sc_prim_channel, public sc_core::sc_signal_in_if<bool> {
 public:
  /// Registers \p module, whose clk_i is bound to this gate. At each open edge the root calls its clocked(), the
  /// process that is sensitive to clk_i.
  template <typename Module>
  void drives(Module& module);
  /// Registers a module with WEFT_CLOCKED_PROCESS whose reset is the reset of the root. At each open edge the root
  /// calls its step().
  template <typename Module>
  void steps(Module& module);

  /// Keeps the gate open until release() has been called as many times as hold().
  void hold();
  void release();

  clock_gate& root() const { return m_root; }
  /// Index of this gate among the gates of the root.
  std::uint32_t number() const { return m_number; }

  const sc_core::sc_event& value_changed_event() const override { return m_posedge; }
  const sc_core::sc_event& posedge_event() const override { return m_posedge; }
  const sc_core::sc_event& negedge_event() const override { return m_never; }
  const sc_core::sc_event& default_event() const override { return m_posedge; }
  const bool& read() const override { return m_value; }
  const bool& get_data_ref() const override { return m_value; }
  bool event() const override { return posedge(); }
  bool posedge() const override { return m_posedge.triggered(); }
  bool negedge() const override { return false; }
  const char* kind() const override { return "gated_clock"; }

 private:
  friend class clock_gate;
  gated_clock(clock_gate& root, std::uint32_t number)
      : sc_core::sc_prim_channel(sc_core::sc_gen_unique_name("gated_clock")), m_root(root), m_number(number) {}
  sc_core::sc_reset* is_reset() const override { return nullptr; }

  clock_gate& m_root;
  const std::uint32_t m_number;
  cycle_t m_alarmed = 0;  // number of the last edge that a scheduled edge caused
  bool m_value = true;    // edges only; the level in between is not modeled
  sc_core::sc_event m_posedge;
  sc_core::sc_event m_never;
};

/// A combinational process that the root runs. Changes of the wires and registers that it reads trigger it, and it runs
/// in the next delta cycle, like a method that is sensitive to them.
class dependent_process {
 public:
  /// Creates the process that runs combinational() of \p module.
  template <typename Module>
  void runs(Module& module);
  void trigger();

  clock_gate& root() const { return m_root; }

 private:
  friend class clock_gate;
  dependent_process(clock_gate& root, std::uint32_t number) : m_root(root), m_number(number) {}

  clock_gate& m_root;
  const std::uint32_t m_number;
};

/// Wires that are updated together; see wire.h.
class wire_group : public sc_core::sc_prim_channel {
 public:
  wire_group() : sc_core::sc_prim_channel(sc_core::sc_gen_unique_name("wire_group")) {}
  ~wire_group() override = default;
};

/// The root of the clock tree. One of its processes clocks the modules with open gates; another one runs the dependent
/// processes that were triggered.
class clock_gate : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};

  /// \param gating false: all gates are always open
  clock_gate(sc_core::sc_module_name name, bool gating) : sc_module(name), m_gating(gating) {
    SC_HAS_PROCESS(clock_gate);
    SC_METHOD(clocked);
    sensitive << clk_i.pos();
    dont_initialize();
    SC_METHOD(run_triggered);
    sensitive << m_triggered_event;
    dont_initialize();
  }

  /// Destroys the gates in reverse order, for the reason given at ~network().
  ~clock_gate() override {
    while (!m_gates.empty()) m_gates.pop_back();
  }

  /// Adds a gate, which is closed.
  gated_clock& make_gate() {
    m_gates.push_back(std::unique_ptr<gated_clock>(new gated_clock(*this, static_cast<std::uint32_t>(m_gates.size()))));
    gated_clock& gate = *m_gates.back();
    // The notification is immediate: the module runs in this evaluation phase, without skew against clk_i.
    m_edge_of.push_back({[](void* event) { static_cast<sc_core::sc_event*>(event)->notify(); }, &gate.m_posedge});
    m_holds.push_back(0);
    m_open.resize((m_gates.size() + 63) / 64);
    if (!m_gating) gate.hold();
    return gate;
  }

  dependent_process& make_dependent_process() {
    m_dependents.push_back(std::unique_ptr<dependent_process>(
        new dependent_process(*this, static_cast<std::uint32_t>(m_dependents.size()))));
    m_run_of.emplace_back();
    m_triggered.resize((m_dependents.size() + 63) / 64);
    return *m_dependents.back();
  }

  /// Returns the group of all wires of type \p Group.
  template <typename Group>
  Group& group() {
    std::unique_ptr<wire_group>& found = m_groups[typeid(Group)];
    if (found == nullptr) found = std::make_unique<Group>();
    return static_cast<Group&>(*found);
  }

  /// Keeps gate \p number open until release() has been called as many times as hold().
  void hold(std::uint32_t number) {
    if (m_holds[number]++ == 0) m_open[number / 64] |= std::uint64_t{1} << number % 64;
  }
  void release(std::uint32_t number) {
    if (--m_holds[number] == 0) m_open[number / 64] &= ~(std::uint64_t{1} << number % 64);
  }

  /// Clocks \p gate at the edge that begins \p cycle, even if the gate is closed then.
  void schedule_edge(gated_clock& gate, cycle_t cycle) { m_alarms.emplace(cycle, gate.m_number); }

  /// The cycle that begins at the clock edge being processed; cycle 0 begins at the first edge without reset. A second
  /// reset does not restart the count, because observers expect increasing cycles.
  cycle_t beginning() const { return m_edges - 1; }

  /// An event that is never notified.
  const sc_core::sc_event& never() const { return m_never; }

 private:
  friend class gated_clock;
  friend class dependent_process;

  /// A function with its argument: calls a process of a module, or notifies an event.
  struct call {
    void (*function)(void*);
    void* argument;
    void operator()() const { function(argument); }
  };

  void clocked() {
    if (!rst_ni.read()) return;
    ++m_edges;
    for (std::size_t word = 0; word < m_open.size(); ++word) {
      for (std::uint64_t open = m_open[word]; open != 0; open &= open - 1)
        m_edge_of[word * 64 + static_cast<unsigned>(__builtin_ctzll(open))]();
    }
    while (!m_alarms.empty() && m_alarms.top().first <= beginning()) {
      gated_clock& gate = *m_gates[m_alarms.top().second];
      m_alarms.pop();
      // An open gate already had its edge, as did a gate with an earlier scheduled edge.
      if (m_holds[gate.m_number] != 0 || gate.m_alarmed == m_edges) continue;
      gate.m_alarmed = m_edges;
      m_edge_of[gate.m_number]();
    }
  }

  void run_triggered() {
    m_any_triggered = false;
    for (std::size_t word = 0; word < m_triggered.size(); ++word) {
      for (std::uint64_t triggered = std::exchange(m_triggered[word], 0); triggered != 0; triggered &= triggered - 1)
        m_run_of[word * 64 + static_cast<unsigned>(__builtin_ctzll(triggered))]();
    }
  }

  using alarm = std::pair<cycle_t, std::uint32_t>;

  bool m_gating;
  cycle_t m_edges = 0;
  std::vector<std::unique_ptr<gated_clock>> m_gates;
  std::vector<std::unique_ptr<dependent_process>> m_dependents;
  std::map<std::type_index, std::unique_ptr<wire_group>> m_groups;
  // Indexed by gate or by dependent process. Data that are used together in a cycle are adjacent.
  std::vector<call> m_edge_of;
  std::vector<std::uint32_t> m_holds;
  std::vector<std::uint64_t> m_open;  // bit g: gate g is open
  std::vector<call> m_run_of;
  std::vector<std::uint64_t> m_triggered;  // bit f: dependent process f is triggered
  bool m_any_triggered = false;
  sc_core::sc_event m_triggered_event{"process_triggered"};
  sc_core::sc_event m_never{"never"};
  std::priority_queue<alarm, std::vector<alarm>, std::greater<alarm>> m_alarms;
};

template <typename Module>
void gated_clock::drives(Module& module) {
  m_root.m_edge_of[m_number] = {[](void* driven) { static_cast<Module*>(driven)->clocked(); }, &module};
}

template <typename Module>
void gated_clock::steps(Module& module) {
  m_root.m_edge_of[m_number] = {[](void* driven) { static_cast<Module*>(driven)->step(); }, &module};
}

inline void gated_clock::hold() { m_root.hold(m_number); }
inline void gated_clock::release() { m_root.release(m_number); }

template <typename Module>
void dependent_process::runs(Module& module) {
  m_root.m_run_of[m_number] = {[](void* following) { static_cast<Module*>(following)->combinational(); }, &module};
}

inline void dependent_process::trigger() {
  m_root.m_triggered[m_number / 64] |= std::uint64_t{1} << m_number % 64;
  if (!std::exchange(m_root.m_any_triggered, true)) m_root.m_triggered_event.notify(sc_core::SC_ZERO_TIME);
}

/// Binds clk_i of \p module to \p clock and registers the module with it.
template <typename Module>
void drive(Module& module, gated_clock& clock) {
  module.clk_i(clock);
  clock.steps(module);
}

/// A module that consists of modules with one gate each.
class gated_unit : public sc_core::sc_module {
 protected:
  explicit gated_unit(sc_core::sc_module_name name) : sc_module(name) {}
  gated_clock& make_gate(clock_gate& clocks) { return clocks.make_gate(); }
  dependent_process& make_dependent_process(clock_gate& clocks) { return clocks.make_dependent_process(); }
};

#endif

/// The name of one of several objects: "router_3".
inline std::string numbered(const char* name, std::size_t i) { return std::string(name) + "_" + std::to_string(i); }

}  // namespace weft::pin
