// SPDX-License-Identifier: Apache-2.0
/// The exact method for schedules, by satisfiability.
#pragma once

#include "weft/schedule/method.h"

namespace weft::schedule {

/// The whole problem as clauses, for CaDiCaL: fewer and fewer steps until none does. Scatter: messages go straight from
/// origin to destination. Broadcast: any node that has a message passes it on.
const method& sat();

}  // namespace weft::schedule
