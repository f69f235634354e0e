// SPDX-License-Identifier: Apache-2.0
/// All-to-all exchanges on hierarchical rings.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the construction that `--method ring_of_groups` selects.
const method& ring_of_groups();

}  // namespace weft::schedule
