// SPDX-License-Identifier: Apache-2.0
/// Finds schedules that have symmetries of their network.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns a method that finds schedules which a symmetry group of the network maps to themselves. It uses tabu search
/// and CaDiCaL on the orbits of messages. It begins with the largest group and ends with the unrestricted problem.
const method& quotient();

}  // namespace weft::schedule
