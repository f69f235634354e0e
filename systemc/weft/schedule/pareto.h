// SPDX-License-Identifier: Apache-2.0
/// Combining schedules with as few start-ups, or as little occupancy, as was found: none is best for messages of all
/// lengths.
#pragma once

#include <vector>

#include "weft/schedule/exact/combined.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

/// Those that no other found dominates, by ascending R, from all combining constructions, from CaDiCaL on small networks
/// with one port, and from these between groups on larger ones. \p p.combining is to be set.
/// \throws std::invalid_argument if it is not
std::vector<step_schedule> pareto(const problem& p, const search_control& control, const combined_effort& effort = {});

/// Of the Pareto set the one of fewest start-ups.
const method& combining_pareto();

}  // namespace weft::schedule
