// SPDX-License-Identifier: Apache-2.0
/// Exchanges on grids as products of patterns of one dimension.
#pragma once

#include "weft/schedule/method.h"

namespace weft::schedule {

/// `grid_product`.
const method& grid_product();

}  // namespace weft::schedule
