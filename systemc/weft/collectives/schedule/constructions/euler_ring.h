// SPDX-License-Identifier: Apache-2.0
/// All-to-all broadcast by rotation on a ring, which every network contains as an Euler tour.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `euler_ring`.
const method& euler_ring();

}  // namespace weft::schedule
