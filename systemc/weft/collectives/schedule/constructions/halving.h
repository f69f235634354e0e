// SPDX-License-Identifier: Apache-2.0
/// Broadcast from one node. The number of steps is close to the logarithm of the number of nodes.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the construction that `--method halving` selects.
const method& halving();

}  // namespace weft::schedule
