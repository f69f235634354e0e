// SPDX-License-Identifier: Apache-2.0
/// List scheduling, which fits any request.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the construction that `--method greedy` selects.
const method& greedy();

}  // namespace weft::schedule
