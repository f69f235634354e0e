// SPDX-License-Identifier: Apache-2.0
/// Offers store-and-forward algorithms as methods for schedules in steps. Each transfer goes from the node at one
/// router to the node at the next router.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the method that uses routes, greedy matching or spanning trees, by construct_forwarding().
const method& store_and_forward();

/// Returns the method that uses all of solve_forwarding(), including CaDiCaL. Proofs of CaDiCaL do not bound schedules
/// in steps, because a transfer of such a schedule may use several links.
const method& store_and_forward_sat();

}  // namespace weft::schedule
