// SPDX-License-Identifier: Apache-2.0
/// Cycle engines in the simulated time of SystemC. One process runs them all, in the cycles in which something happens
/// and in no others.
///
/// Cycle c begins at c periods and ends at c + 1. It is simulated at its end: its events are reported then, and packets
/// for cycle c must be sent before c periods have passed.
#pragma once

#include <functional>
#include <vector>

#include <systemc>

#include "weft/engine/model.h"

namespace weft::tlm2 {

class engine_clock : public sc_core::sc_module {
 public:
  /// \p stride: cycles that are simulated at once, at the end of the last, where something happens in every one. Each
  /// costs a process less; their observers hear of them as much later. 1 for networks that others wait for, more where
  /// a workload is all there is.
  /// \throws std::invalid_argument for a period or stride of zero
  engine_clock(const sc_core::sc_module_name& name, const sc_core::sc_time& period, cycle_t stride = 1);

  /// Runs \p model, which has not begun, too. Before the simulation starts.
  void add(engine::driven_model& model) { m_models.push_back(&model); }

  /// Called after cycles were simulated.
  void after_cycles(std::function<void()> call) { m_after = std::move(call); }

  /// The first cycle that begins after the present time, whatever other processes have done by now: that in which a
  /// packet wanted now is created.
  cycle_t next_cycle() const { return present() + 1; }

  /// The cycle that runs at \p time.
  cycle_t cycle_at(const sc_core::sc_time& time) const { return time.value() / m_period.value(); }

  /// Time at which \p cycle begins.
  sc_core::sc_time begin_of(cycle_t cycle) const { return sc_core::sc_time::from_value(cycle * m_period.value()); }

  /// A source has a packet that it did not have; the engine has been told by ask_again(). The clock runs again when the
  /// first cycle is over in which something happens. From after_cycles() this need not be called.
  void wake();

  /// Engines that sleep come to the present cycle, so that what they say is up to date. Not from after_cycles().
  void catch_up();

  const sc_core::sc_time& period() const { return m_period; }

 private:
  cycle_t present() const { return cycle_at(sc_core::sc_time_stamp()); }
  void step();

  const sc_core::sc_time m_period;
  const cycle_t m_stride;
  std::vector<engine::driven_model*> m_models;
  std::function<void()> m_after = [] {};
  bool m_ran = false;    ///< cycles for which m_after has not been called
  bool m_steps = false;  ///< step() is under way
  sc_core::sc_event m_next{"next"};
};

}  // namespace weft::tlm2
