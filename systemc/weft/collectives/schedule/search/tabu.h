// SPDX-License-Identifier: Apache-2.0
/// Tabu search. It moves an item that is in a conflict to the cheapest position that the item has not had recently.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the method that `--method tabu` selects.
const method& tabu();

}  // namespace weft::schedule
