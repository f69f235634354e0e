// SPDX-License-Identifier: Apache-2.0
/// The exact method for schedules, by satisfiability.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Encodes the whole problem as clauses for CaDiCaL, and reduces the number of steps until no schedule exists. Scatter:
/// messages travel directly from origin to destination. Broadcast: any node that has a message forwards it.
const method& sat();

}  // namespace weft::schedule
