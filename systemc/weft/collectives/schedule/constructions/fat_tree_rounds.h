// SPDX-License-Identifier: Apache-2.0
/// Exchanges on fat trees in rounds of permutations.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `fat_tree_rounds`.
const method& fat_tree_rounds();

}  // namespace weft::schedule
