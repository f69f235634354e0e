// SPDX-License-Identifier: Apache-2.0
/// Broadcast from one node in the logarithm of the number of nodes.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `halving`.
const method& halving();

}  // namespace weft::schedule
