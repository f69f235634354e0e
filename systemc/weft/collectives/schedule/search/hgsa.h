// SPDX-License-Identifier: Apache-2.0
/// Hybrid parallel genetic simulated annealing, as in OCTAGON (section 5).
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `hgsa`.
const method& hgsa();

}  // namespace weft::schedule
