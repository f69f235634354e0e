// SPDX-License-Identifier: Apache-2.0
/// Schedules with the symmetries of their network.
#pragma once

#include "weft/schedule/method.h"

namespace weft::schedule {

/// Schedules that a group of the network's symmetries maps to themselves: tabu search and CaDiCaL on the orbits of
/// messages, the largest group first, the whole problem last.
const method& quotient();

}  // namespace weft::schedule
