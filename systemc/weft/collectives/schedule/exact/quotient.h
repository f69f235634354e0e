// SPDX-License-Identifier: Apache-2.0
/// Schedules that share symmetries of their network.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Finds schedules that a symmetry group of the network maps to themselves: tabu search and CaDiCaL on the orbits of
/// messages, from the largest group to the unrestricted problem.
const method& quotient();

}  // namespace weft::schedule
