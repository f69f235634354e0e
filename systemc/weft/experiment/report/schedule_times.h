// SPDX-License-Identifier: Apache-2.0
/// Times of schedules of one collective, with and without combining, and which is the fastest for which messages.
#pragma once

#include <string>
#include <vector>

#include "weft/schedule/solve.h"
#include "weft/schedule/time.h"

namespace weft::experiment {

/// A schedule that was found, by what it costs.
struct timed_schedule {
  std::string method;
  bool combining = false;
  schedule::schedule_cost cost;
};

/// Those of \p answers that no other dominates, by ascending R. Each answer is to the same question, the first without
/// combining, the second with it.
std::vector<timed_schedule> undominated(const schedule::answer& direct, const schedule::answer& combining);

/// The fastest for each of \p lengths, with the time of each schedule, and the lengths at which the fastest changes.
/// \param schedules at least one
std::string times_table(const std::vector<timed_schedule>& schedules, const schedule::time_model& model,
                        const std::vector<double>& lengths);

}  // namespace weft::experiment
