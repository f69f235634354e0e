// SPDX-License-Identifier: Apache-2.0
/// Exchanges on grids as products of one-dimensional patterns.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `grid_product`.
const method& grid_product();

}  // namespace weft::schedule
