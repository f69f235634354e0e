// SPDX-License-Identifier: Apache-2.0
/// `weft schedule --replay`: simulates a schedule on its network, and compares the measured time with the model and
/// with ordinary algorithms.
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
  std::string outcome = "complete";        ///< as in name_of(); "failed" if the run ended with an error
  cycle_t cycles = 0;                      ///< from the creation of the first packet to the arrival of the last
  schedule_metrics kept{};                 ///< for a schedule
  std::vector<std::string> explanation{};  ///< reasons for any other outcome, line by line

  bool complete() const { return outcome == "complete"; }
};

/// Cost of the steps of a schedule in hardware: t = R ts + m t1 TCO.
struct step_costs {
  double start_up = 0;  ///< ts in cycles, including the barrier
  double per_flit = 0;  ///< t1 in cycles per flit
};

struct schedule_simulation {
  abstraction_level level = abstraction_level::Pin;
  std::uint32_t length = 1;  ///< m, flits of a unit message
  std::size_t start_ups = 0, occupancy = 0;
  std::size_t late_steps = 0;  ///< steps that take longer than their slowest packet alone
  simulated_run with_barriers{}, twice_as_long{}, without_barriers{};
  std::optional<step_costs> costs{};        ///< from messages of m and 2 m flits; nothing if one of the runs failed
  std::vector<simulated_run> algorithms{};  ///< algorithms that can do the same, in the order of their names

  /// Whether every word arrived, no packet waited for another, and every step took the time of the formula.
  bool kept() const;

  /// The first run, in the order of the report, that is not complete, for example because of a deadlock; null if all
  /// are.
  const simulated_run* first_failure() const;
};

/// Simulates \p played on the network of \p c at its level, with messages of `schedule.length` flits: with barriers;
/// with messages twice as long; without barriers. Then simulates the algorithms of `weft collective` that can do the
/// same. Each run has its own process, \p jobs at a time.
/// \throws configuration_error if the network of \p c cannot run the schedule
schedule_simulation simulate_schedule(const configuration& c, const played_schedule& played, unsigned jobs,
                                      bool shows_progress, const rtl_provider& rtl);

/// Table for the terminal.
std::string to_table(const schedule_simulation& r);

/// JSON: the cycles of each run, null if it is not complete, and its outcome.
json to_json(const schedule_simulation& r);

}  // namespace weft::experiment
