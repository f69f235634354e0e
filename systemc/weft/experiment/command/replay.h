// SPDX-License-Identifier: Apache-2.0
/// `weft schedule --replay`: a schedule on the network that it is for, measured, beside the model's time and what
/// ordinary algorithms take.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/run/collective_experiment.h"

namespace weft::experiment {

/// One run of a collective.
struct replay_run {
  std::string name;                        ///< "with barriers", "without barriers", …, or the algorithm
  std::string outcome = "complete";        ///< as name_of() has it; "failed" where the run ended with an error
  cycle_t cycles = 0;                      ///< from the creation of the first packet to the arrival of the last
  schedule_figures kept{};                 ///< of a schedule
  std::vector<std::string> explanation{};  ///< of any other outcome, line by line

  bool complete() const { return outcome == "complete"; }
};

/// What the steps of a schedule cost in hardware: t = R ts + m t1 TCO.
struct step_costs {
  double start_up = 0;  ///< ts in cycles, the barrier included
  double per_flit = 0;  ///< t1 in cycles a flit
};

struct replay_report {
  level_kind level = level_kind::Pin;
  std::uint32_t length = 1;  ///< m, flits of a unit message
  std::size_t start_ups = 0, occupancy = 0;
  std::size_t late_steps = 0;  ///< steps that take longer than their slowest packet alone
  replay_run with_barriers{}, twice_as_long{}, without_barriers{};
  std::optional<step_costs> costs{};     ///< from messages of m and 2 m flits; none where one of the runs failed
  std::vector<replay_run> algorithms{};  ///< those that can do the same, in the order of their names' list

  /// Every word arrived, no packet waited for another, every step took what the formula says.
  bool kept() const;

  /// The first run, in the order of the report, that is not complete, such as one that deadlocks; null where all are.
  const replay_run* first_failure() const;
};

/// Plays \p played on the network of \p c at its level, with messages of `schedule.length` flits: with barriers; with
/// messages twice as long; without barriers. Then it plays the algorithms of `weft collective` that can do the same.
/// Each run has a process of its own, \p jobs at a time.
/// \throws configuration_error where the network of \p c cannot play it
replay_report replay(const configuration& c, const played_schedule& played, unsigned jobs, bool shows_progress,
                     const rtl_provider& rtl);

/// For the terminal.
std::string to_table(const replay_report& r);

/// For programs: the cycles of each run, null where it is not complete, beside its outcome.
json to_json(const replay_report& r);

}  // namespace weft::experiment
