// SPDX-License-Identifier: Apache-2.0
/// Clock gating: the root of the clock tree, a gate for each module, and wires that open the gates.
///
/// A module needs its clock only while a strobe among its inputs or its outputs is asserted (something to take, or
/// something to take back), or while it asks for its clock itself. The modules know nothing of this: they have a clock
/// port. The wires that connect them hold the gates of their readers and writer open while a strobe on them is
/// asserted. An idle router therefore costs nothing. A gate has no delay: a gated edge comes in the same delta cycle as
/// the edge of the root clock, so gated and ungated modules can be mixed. Simulation only: in silicon these are clock
/// gating cells with the same enable.
///
/// A gate runs the clocked process of the module it drives by a plain call, within the one process of the root: an edge
/// then costs a few nanoseconds instead of an event and a process switch. For a module it does not know, a plugged-in
/// stage, it notifies the event that such a module is sensitive to. In the same way the root calls the combinational
/// process of a module (follower).
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

// A translator sees no gates: the modules of a unit have one clock.

using gated_clock = sc_core::sc_in<bool>;

class clock_gate {};

class follower {
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
  follower& make_follower(clock_gate&) { return m_follower; }

 private:
  follower m_follower;
};

#else

class clock_gate;

/// The output of one gate; a module's clk_i is bound to it.
class gated_clock : public sc_core::sc_prim_channel, public sc_core::sc_signal_in_if<bool> {
 public:
  /// The module whose clk_i is bound to this gate; its clocked() is the process that is sensitive to clk_i.
  template <typename Module>
  void drives(Module& module);
  /// The same for a module with WEFT_CLOCKED_PROCESS, whose reset is that of the root: an edge is a step.
  template <typename Module>
  void steps(Module& module);

  /// Keeps the gate open until as many release() follow.
  void hold();
  void release();

  clock_gate& root() const { return m_root; }
  /// Of the gates of the root.
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
  cycle_t m_alarmed = 0;  // number of the last edge that an alarm gave
  bool m_value = true;    // edges only; the level in between is not modelled
  sc_core::sc_event m_posedge;
  sc_core::sc_event m_never;
};

/// A combinational process that the root runs. It is woken by changes of the wires and registers that it reads, and
/// runs in the next delta cycle, like a method that is sensitive to them.
class follower {
 public:
  /// It is combinational() of \p module.
  template <typename Module>
  void runs(Module& module);
  void wake();

  clock_gate& root() const { return m_root; }

 private:
  friend class clock_gate;
  follower(clock_gate& root, std::uint32_t number) : m_root(root), m_number(number) {}

  clock_gate& m_root;
  const std::uint32_t m_number;
};

/// Wires that are updated together: wire.h has what they are.
class wire_group : public sc_core::sc_prim_channel {
 public:
  wire_group() : sc_core::sc_prim_channel(sc_core::sc_gen_unique_name("wire_group")) {}
  ~wire_group() override = default;
};

/// The root: one process that clocks the modules whose gates are open, one that runs the followers that were woken.
class clock_gate : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};

  /// \param gating false: all gates stand open always
  clock_gate(sc_core::sc_module_name name, bool gating) : sc_module(name), m_gating(gating) {
    SC_HAS_PROCESS(clock_gate);
    SC_METHOD(clocked);
    sensitive << clk_i.pos();
    dont_initialize();
    SC_METHOD(follow);
    sensitive << m_follow;
    dont_initialize();
  }

  /// The last gate first: see ~network().
  ~clock_gate() override {
    while (!m_gates.empty()) m_gates.pop_back();
  }

  /// A new gate, closed.
  gated_clock& make_gate() {
    m_gates.push_back(std::unique_ptr<gated_clock>(new gated_clock(*this, static_cast<std::uint32_t>(m_gates.size()))));
    gated_clock& gate = *m_gates.back();
    // Immediate: the module runs in this very evaluation phase, without skew against clk_i.
    m_edge_of.push_back({[](void* event) { static_cast<sc_core::sc_event*>(event)->notify(); }, &gate.m_posedge});
    m_holds.push_back(0);
    m_open.resize((m_gates.size() + 63) / 64);
    if (!m_gating) gate.hold();
    return gate;
  }

  follower& make_follower() {
    m_followers.push_back(
        std::unique_ptr<follower>(new follower(*this, static_cast<std::uint32_t>(m_followers.size()))));
    m_run_of.emplace_back();
    m_woken.resize((m_followers.size() + 63) / 64);
    return *m_followers.back();
  }

  /// The group of all wires of a type.
  template <typename Group>
  Group& group() {
    std::unique_ptr<wire_group>& found = m_groups[typeid(Group)];
    if (found == nullptr) found = std::make_unique<Group>();
    return static_cast<Group&>(*found);
  }

  /// Keeps gate \p number open until as many release() follow.
  void hold(std::uint32_t number) {
    if (m_holds[number]++ == 0) m_open[number / 64] |= std::uint64_t{1} << number % 64;
  }
  void release(std::uint32_t number) {
    if (--m_holds[number] == 0) m_open[number / 64] &= ~(std::uint64_t{1} << number % 64);
  }

  /// Clocks \p gate at the edge that begins \p cycle, whatever else happens.
  void wake_at(gated_clock& gate, cycle_t cycle) { m_alarms.emplace(cycle, gate.m_number); }

  /// The cycle that begins at the clock edge being processed: 0 at the first edge without reset. A second reset does
  /// not set it back; time goes on, as observers expect.
  cycle_t beginning() const { return m_edges - 1; }

  /// An event that does not happen.
  const sc_core::sc_event& never() const { return m_never; }

 private:
  friend class gated_clock;
  friend class follower;

  /// A process of a module, or the notification of an event.
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
      // An open gate has had its edge, as after an alarm.
      if (m_holds[gate.m_number] != 0 || gate.m_alarmed == m_edges) continue;
      gate.m_alarmed = m_edges;
      m_edge_of[gate.m_number]();
    }
  }

  void follow() {
    m_any_woken = false;
    for (std::size_t word = 0; word < m_woken.size(); ++word) {
      for (std::uint64_t woken = std::exchange(m_woken[word], 0); woken != 0; woken &= woken - 1)
        m_run_of[word * 64 + static_cast<unsigned>(__builtin_ctzll(woken))]();
    }
  }

  using alarm = std::pair<cycle_t, std::uint32_t>;

  bool m_gating;
  cycle_t m_edges = 0;
  std::vector<std::unique_ptr<gated_clock>> m_gates;
  std::vector<std::unique_ptr<follower>> m_followers;
  std::map<std::type_index, std::unique_ptr<wire_group>> m_groups;
  // By number of a gate or a follower: what is needed in a cycle, close together
  std::vector<call> m_edge_of;
  std::vector<std::uint32_t> m_holds;
  std::vector<std::uint64_t> m_open;  // bit g: gate g is open
  std::vector<call> m_run_of;
  std::vector<std::uint64_t> m_woken;  // bit f: follower f
  bool m_any_woken = false;
  sc_core::sc_event m_follow{"follower_woken"};
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
void follower::runs(Module& module) {
  m_root.m_run_of[m_number] = {[](void* following) { static_cast<Module*>(following)->combinational(); }, &module};
}

inline void follower::wake() {
  m_root.m_woken[m_number / 64] |= std::uint64_t{1} << m_number % 64;
  if (!std::exchange(m_root.m_any_woken, true)) m_root.m_follow.notify(sc_core::SC_ZERO_TIME);
}

/// Binds clk_i of \p module to \p clock, which drives it.
template <typename Module>
void drive(Module& module, gated_clock& clock) {
  module.clk_i(clock);
  clock.steps(module);
}

/// A module made of modules that have a gate each.
class gated_unit : public sc_core::sc_module {
 protected:
  explicit gated_unit(sc_core::sc_module_name name) : sc_module(name) {}
  gated_clock& make_gate(clock_gate& clocks) { return clocks.make_gate(); }
  follower& make_follower(clock_gate& clocks) { return clocks.make_follower(); }
};

#endif

/// Name of one of several: "router_3".
inline std::string numbered(const char* name, std::size_t i) { return std::string(name) + "_" + std::to_string(i); }

}  // namespace weft::pin
