// SPDX-License-Identifier: Apache-2.0
/// Store and forward as methods for schedules in steps: each transfer goes from the node of a router to that of the
/// next.
#pragma once

#include "weft/schedule/method.h"

namespace weft::schedule {

/// By routes, greedy matching or spanning trees: construct_forwarding().
const method& store_and_forward();

/// By all of solve_forwarding(), CaDiCaL included. What that refutes is no bound here: transfers may go further.
const method& store_and_forward_sat();

}  // namespace weft::schedule
