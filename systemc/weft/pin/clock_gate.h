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
/// stage, it notifies the event that such a module is sensitive to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string>
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
};

template <typename T>
class wire : public register_signal<T> {
 public:
  using register_signal<T>::register_signal;
  void keeps_awake(gated_clock&, strobes = ~strobes{0}) {}
};

#else

class clock_gate;

/// The output of one gate; a module's clk_i is bound to it.
class gated_clock : public sc_core::sc_prim_channel, public sc_core::sc_signal_in_if<bool> {
 public:
  /// The module whose clk_i is bound to this gate; its clocked() is the process that is sensitive to clk_i.
  template <typename Module>
  void drives(Module& module) {
    m_module = &module;
    m_run = [](void* driven) { static_cast<Module*>(driven)->clocked(); };
  }

  /// Keeps the gate open until as many release() follow.
  void hold();
  void release();

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
  gated_clock(clock_gate& root, std::size_t index)
      : sc_core::sc_prim_channel(sc_core::sc_gen_unique_name("gated_clock")), m_root(root), m_index(index) {}
  sc_core::sc_reset* is_reset() const override { return nullptr; }

  void edge() {
    if (m_run != nullptr)
      m_run(m_module);
    else
      m_posedge.notify();  // immediate: the module runs in this very evaluation phase, without skew against clk_i
  }

  clock_gate& m_root;
  std::size_t m_index;
  unsigned m_holds = 0;
  cycle_t m_alarmed = 0;  // number of the last edge that an alarm gave
  void* m_module = nullptr;
  void (*m_run)(void*) = nullptr;
  bool m_value = true;  // edges only; the level in between is not modelled
  sc_core::sc_event m_posedge;
  sc_core::sc_event m_never;
};

/// The root: one process that clocks the modules whose gates are open.
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
  }

  /// The last gate first: see ~network().
  ~clock_gate() override {
    while (!m_gates.empty()) m_gates.pop_back();
  }

  /// A new gate, closed.
  gated_clock& make_gate() {
    m_gates.push_back(std::unique_ptr<gated_clock>(new gated_clock(*this, m_gates.size())));
    m_open.resize((m_gates.size() + 63) / 64);
    if (!m_gating) m_gates.back()->hold();
    return *m_gates.back();
  }

  /// Clocks \p gate at the edge that begins \p cycle, whatever else happens.
  void wake_at(gated_clock& gate, cycle_t cycle) { m_alarms.emplace(cycle, gate.m_index); }

  /// The cycle that begins at the clock edge being processed: 0 at the first edge without reset. A second reset does
  /// not set it back; time goes on, as observers expect.
  cycle_t beginning() const { return m_edges - 1; }

 private:
  friend class gated_clock;

  void clocked() {
    if (!rst_ni.read()) return;
    ++m_edges;
    for (std::size_t word = 0; word < m_open.size(); ++word) {
      for (std::uint64_t open = m_open[word]; open != 0; open &= open - 1)
        m_gates[word * 64 + static_cast<unsigned>(__builtin_ctzll(open))]->edge();
    }
    while (!m_alarms.empty() && m_alarms.top().first <= beginning()) {
      gated_clock& gate = *m_gates[m_alarms.top().second];
      m_alarms.pop();
      if (gate.m_holds != 0 || gate.m_alarmed == m_edges) continue;  // an open gate has had its edge, as after an alarm
      gate.m_alarmed = m_edges;
      gate.edge();
    }
  }

  using alarm = std::pair<cycle_t, std::size_t>;

  bool m_gating;
  cycle_t m_edges = 0;
  std::vector<std::unique_ptr<gated_clock>> m_gates;
  std::vector<std::uint64_t> m_open;  // bit g: gate g is open
  std::priority_queue<alarm, std::vector<alarm>, std::greater<alarm>> m_alarms;
};

inline void gated_clock::hold() {
  if (m_holds++ == 0) m_root.m_open[m_index / 64] |= std::uint64_t{1} << m_index % 64;
}

inline void gated_clock::release() {
  if (--m_holds == 0) m_root.m_open[m_index / 64] &= ~(std::uint64_t{1} << m_index % 64);
}

/// A wire that can be traced by name, whatever its type.
class traceable {
 public:
  virtual ~traceable() = default;
  /// \p extent of the router that it belongs to
  virtual void trace_into(sc_core::sc_trace_file* file, const trace_extent& extent) const = 0;
};

/// Binds clk_i of \p module to \p clock, which drives it.
template <typename Module>
void drive(Module& module, gated_clock& clock) {
  module.clk_i(clock);
  clock.drives(module);
}

/// A module made of modules that have a gate each.
class gated_unit : public sc_core::sc_module {
 protected:
  explicit gated_unit(sc_core::sc_module_name name) : sc_module(name) {}
  gated_clock& make_gate(clock_gate& clocks) { return clocks.make_gate(); }
};

/// A signal between two modules that keeps them clocked while one of its strobes is asserted.
/// It is written from the process of the clock root, so the kernel could not tell one writer from another: unchecked.
template <typename T>
class wire : public sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS>, public traceable {
  using base = sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS>;

 public:
  using base::base;

  /// \p clock is held while one of the strobes in \p which is asserted.
  void keeps_awake(gated_clock& clock, strobes which = ~strobes{0}) { m_readers.push_back({&clock, which}); }

  void trace_into(sc_core::sc_trace_file* file, const trace_extent& extent) const override {
    trace_within(file, this->m_cur_val, this->name(), extent);
  }

 protected:
  void update() override {
    // An update is requested only where the value has changed, so it need not be compared again.
    const strobes before = asserted(this->m_cur_val);
    this->do_update();
    const strobes now = asserted(this->m_cur_val);
    const strobes changed = before ^ now;
    if (changed == 0) return;
    for (const reader& r : m_readers) {
      if ((changed & r.which) == 0) continue;
      const bool was = (before & r.which) != 0;
      const bool is = (now & r.which) != 0;
      if (is && !was) r.clock->hold();
      if (was && !is) r.clock->release();
    }
  }

 private:
  struct reader {
    gated_clock* clock;
    strobes which;
  };
  std::vector<reader> m_readers;
};

#endif

/// Name of one of several: "router_3".
inline std::string numbered(const char* name, std::size_t i) { return std::string(name) + "_" + std::to_string(i); }

}  // namespace weft::pin
