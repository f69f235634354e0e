// SPDX-License-Identifier: Apache-2.0
/// All-to-all broadcast by rotation on a ring. Every network contains such a ring: the Euler tour of a spanning tree.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the construction that `--method euler_ring` selects.
const method& euler_ring();

}  // namespace weft::schedule
