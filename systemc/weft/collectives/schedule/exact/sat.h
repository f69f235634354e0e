// SPDX-License-Identifier: Apache-2.0
/// The exact method for schedules, which uses a satisfiability solver.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the method that encodes the whole problem as clauses for CaDiCaL and reduces the number of steps until no
/// schedule exists. In a scatter, messages travel directly from origin to destination. In a broadcast, every node that
/// has a message may forward it.
const method& sat();

}  // namespace weft::schedule
