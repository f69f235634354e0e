// SPDX-License-Identifier: Apache-2.0
/// Hybrid parallel genetic simulated annealing, one of the searches in OCTAGON (section 5).
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the method that `--method hgsa` selects.
const method& hgsa();

}  // namespace weft::schedule
