// SPDX-License-Identifier: Apache-2.0
/// Simulated annealing, whose moves change the paths and steps of messages.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the method that `--method annealing` selects.
const method& annealing();

}  // namespace weft::schedule
