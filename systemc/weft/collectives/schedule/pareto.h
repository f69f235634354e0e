// SPDX-License-Identifier: Apache-2.0
/// Combining schedules with few start-ups or little occupancy; no single one is best for all message lengths.
#pragma once

#include <vector>

#include "weft/collectives/schedule/exact/combined.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Non-dominated schedules, by ascending R, from all combining constructions, from CaDiCaL on small one-port networks,
/// and from groups whose first nodes use these schedules on larger ones. \p p.combining must be set.
/// \throws std::invalid_argument if it is not
std::vector<step_schedule> pareto(const problem& p, const search_control& control, const combined_effort& effort = {});

/// The schedule of the Pareto set with the fewest start-ups.
const method& combining_pareto();

}  // namespace weft::schedule
