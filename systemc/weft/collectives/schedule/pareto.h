// SPDX-License-Identifier: Apache-2.0
/// The Pareto set of combining schedules. Some have few start-ups and others little occupancy; no single one is the
/// fastest for all message lengths.
#pragma once

#include <vector>

#include "weft/collectives/schedule/exact/combined.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns non-dominated schedules by ascending R. They come from all combining constructions, from CaDiCaL on small
/// one-port networks and, on larger networks, from groups whose first nodes exchange by such a schedule.
/// \param p must combine messages (`p.combining`)
/// \throws std::invalid_argument if \p p does not combine messages
std::vector<step_schedule> pareto(const problem& p, const search_control& control, const combined_effort& effort = {});

/// Returns the method that finds the schedule of the Pareto set with the fewest start-ups.
const method& combining_pareto();

}  // namespace weft::schedule
