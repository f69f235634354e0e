// SPDX-License-Identifier: Apache-2.0
/// Exchanges on hierarchical rings.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `ring_of_groups`.
const method& ring_of_groups();

}  // namespace weft::schedule
