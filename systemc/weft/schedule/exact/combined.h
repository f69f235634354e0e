// SPDX-License-Identifier: Apache-2.0
/// Combining schedules of small networks with one port, by satisfiability: of so many steps and so much occupancy.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/schedule/exact/solver.h"
#include "weft/schedule/exact/symmetry.h"
#include "weft/schedule/method.h"
#include "weft/schedule/time.h"

namespace weft::schedule {

/// How hard combined_schedules() tries.
struct combined_effort {
  std::size_t conflicts = 20'000;  ///< of CaDiCaL, for one occupancy and group
  std::size_t failures = 2;        ///< occupancies without an answer, of one R
  std::size_t more_start_ups = 3;  ///< than the least R
  std::size_t largest_group = 8;   ///< elements of a group of symmetries that a schedule is to have
  std::size_t groups = 4;
};

/// Why there is no model of \p p: with more ports than one, or too many messages. Empty where there is.
std::string unfit_for_combined(const problem& p);

/// A schedule of at most \p most. Transfers take some of the shortest paths, all steps of a scatter carry the same, and
/// \p group maps the schedule to itself: that none is found refutes nothing.
std::optional<step_schedule> find_combined(const problem& p, const schedule_cost& most, const symmetry_group& group,
                                           const search_control& control, std::size_t conflicts);

/// Schedules that no other found dominates, by ascending R: for each R from the least, as little occupancy as the effort
/// finds that is below that of those \p known and found before.
std::vector<step_schedule> combined_schedules(const problem& p, const std::vector<schedule_cost>& known,
                                              const search_control& control, const combined_effort& effort = {});

/// The one of fewest start-ups; of those, of least occupancy found.
const method& combining_sat();

}  // namespace weft::schedule
