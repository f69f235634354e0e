// SPDX-License-Identifier: Apache-2.0
/// Computes the run times of schedules of one collective, with and without combining, and the fastest schedule for each
/// message length.
#pragma once

#include <string>
#include <vector>

#include "weft/collectives/schedule/solve.h"
#include "weft/collectives/schedule/time.h"

namespace weft::experiment {

/// A schedule, represented by its cost.
struct timed_schedule {
  std::string method;
  bool combining = false;
  schedule::schedule_cost cost;
};

/// The non-dominated schedules in \p direct and \p combining, by ascending R. Both answers must be for the same
/// problem, without and with combining.
std::vector<timed_schedule> undominated(const schedule::answer& direct, const schedule::answer& combining);

/// The fastest schedule for each of \p lengths, with the times of all schedules, and the lengths at which the fastest
/// changes.
/// \param schedules at least one
std::string times_table(const std::vector<timed_schedule>& schedules, const schedule::time_model& model,
                        const std::vector<double>& lengths);

}  // namespace weft::experiment
