// SPDX-License-Identifier: Apache-2.0
/// Store-and-forward algorithms as methods for schedules in steps: each transfer goes from the node of a router to that
/// of the next router.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Uses routes, greedy matching or spanning trees: construct_forwarding().
const method& store_and_forward();

/// Uses all of solve_forwarding(), including CaDiCaL. Its refutations are no bounds here, because transfers may go
/// further.
const method& store_and_forward_sat();

}  // namespace weft::schedule
