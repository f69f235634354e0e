// SPDX-License-Identifier: Apache-2.0
/// Simulated annealing over paths and steps.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `annealing`.
const method& annealing();

}  // namespace weft::schedule
