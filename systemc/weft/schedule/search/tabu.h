// SPDX-License-Identifier: Apache-2.0
/// Tabu search: an item of a conflict goes where it costs least and where it was not just now.
#pragma once

#include "weft/schedule/method.h"

namespace weft::schedule {

/// `tabu`.
const method& tabu();

}  // namespace weft::schedule
