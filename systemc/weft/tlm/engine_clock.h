// SPDX-License-Identifier: Apache-2.0
/// Runs cycle engines in the simulated time of SystemC. One process runs all engines, and only in cycles in which
/// something happens.
///
/// Cycle c begins at c clock periods and ends at c + 1 clock periods. The engines simulate it at its end and then
/// report its events. A packet for cycle c must be sent before cycle c begins.
#pragma once

#include <functional>
#include <vector>

#include <systemc>

#include "weft/engine/model.h"

namespace weft::tlm2 {

class engine_clock : public sc_core::sc_module {
 public:
  /// \p stride: number of cycles that are simulated together, at the end of the last one, if something happens in every
  /// cycle. A larger stride saves process activations, but observers receive the events later. Use 1 if other modules
  /// wait for the network; use more if the simulation contains nothing but the network and its workload.
  /// \throws std::invalid_argument for a period or stride of zero
  engine_clock(const sc_core::sc_module_name& name, const sc_core::sc_time& period, cycle_t stride = 1);

  /// Adds \p model, which has not been run. To be called before the simulation starts.
  void add(engine::driven_model& model) { m_models.push_back(&model); }

  /// Sets the function that the clock calls after it has simulated cycles.
  void after_cycles(std::function<void()> call) { m_after = std::move(call); }

  /// The cycle in which a packet sent now is created: the first cycle that begins after the present time. It does not
  /// depend on the order of processes.
  cycle_t next_cycle() const { return present() + 1; }

  /// The cycle that contains \p time.
  cycle_t cycle_at(const sc_core::sc_time& time) const { return time.value() / m_period.value(); }

  /// Time at which \p cycle begins.
  sc_core::sc_time begin_of(cycle_t cycle) const { return sc_core::sc_time::from_value(cycle * m_period.value()); }

  /// Notifies the clock that a source has a new packet, after reschedule_source() has notified the engine. The clock
  /// then runs again at the end of the first cycle in which something happens. Within after_cycles() this call is not
  /// needed.
  void schedule_next();

  /// Advances idle engines to the present cycle, so that their state is up to date. Must not be called from
  /// after_cycles().
  void catch_up();

  const sc_core::sc_time& period() const { return m_period; }

 private:
  cycle_t present() const { return cycle_at(sc_core::sc_time_stamp()); }
  void step();

  const sc_core::sc_time m_period;
  const cycle_t m_stride;
  std::vector<engine::driven_model*> m_models;
  std::function<void()> m_after = [] {};
  bool m_ran = false;    ///< m_after has yet to be called for simulated cycles
  bool m_steps = false;  ///< step() is running
  sc_core::sc_event m_next{"next"};
};

}  // namespace weft::tlm2
