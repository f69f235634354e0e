// SPDX-License-Identifier: Apache-2.0
/// Implements `weft schedule --replay`: simulates a schedule on its network, and compares the measured time with the
/// model and with other algorithms.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/simulation/collective_experiment.h"
#include "weft/configuration/keys.h"

namespace weft::experiment {

/// One run of a collective.
struct simulated_run {
  std::string name;                        ///< "with barriers", "without barriers", …, or the algorithm
  std::string outcome = "complete";        ///< name of the outcome, or "failed" after an error
  cycle_t cycles = 0;                      ///< from the creation of the first packet to the arrival of the last
  schedule_metrics kept{};                 ///< of the schedule; empty for an algorithm
  std::vector<std::string> explanation{};  ///< lines that explain another outcome than "complete"

  bool complete() const { return outcome == "complete"; }
};

/// Measured cost of the steps of a schedule: the time of a schedule is t = R ts + m t1 TCO, with R steps, messages of m
/// flits and the channel occupancy TCO.
struct step_costs {
  double start_up = 0;  ///< ts in cycles, including the barrier
  double per_flit = 0;  ///< t1 in cycles per flit
};

struct schedule_simulation {
  abstraction_level level = abstraction_level::Pin;
  std::uint32_t length = 1;                  ///< m, flits of a unit message
  std::size_t start_ups = 0, occupancy = 0;  ///< R and TCO of the schedule
  std::size_t late_steps = 0;                ///< steps that took longer than their slowest packet would alone
  simulated_run with_barriers{}, twice_as_long{}, without_barriers{};
  std::optional<step_costs> costs{};        ///< from the runs with m and 2 m flits; nothing if one failed
  std::vector<simulated_run> algorithms{};  ///< algorithms that can perform the same collective

  /// Whether the run with barriers kept the schedule: every word arrived, no packet waited for another, and every step
  /// took as long as its slowest packet would alone.
  bool kept() const;

  /// The first run in the report that did not complete, for example because of a deadlock; null if all completed.
  const simulated_run* first_failure() const;
};

/// Simulates the schedule \p played on the network of \p c, with messages of `schedule.length` flits. It simulates the
/// schedule with barriers, with barriers and messages of twice the length, and without barriers. Then it simulates the
/// algorithms of `weft collective` that can perform the same collective. Each run has its own process; \p jobs run at a
/// time. \throws configuration_error if the network of \p c cannot run the schedule
schedule_simulation simulate_schedule(const configuration& c, const played_schedule& played, unsigned jobs,
                                      bool shows_progress, const rtl_provider& rtl);

/// The results as a table for the terminal.
std::string to_table(const schedule_simulation& r);

/// The results as JSON: the cycles and the outcome of each run. The cycles are null if the run did not complete.
json to_json(const schedule_simulation& r);

}  // namespace weft::experiment
