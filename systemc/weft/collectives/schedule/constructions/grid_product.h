// SPDX-License-Identifier: Apache-2.0
/// All-to-all exchanges on grids. The schedules are products of one-dimensional patterns.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the construction that `--method grid_product` selects.
const method& grid_product();

}  // namespace weft::schedule
