// SPDX-License-Identifier: Apache-2.0
/// Tabu search: moves an item of a conflict to the cheapest position that it has not had recently.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `tabu`.
const method& tabu();

}  // namespace weft::schedule
