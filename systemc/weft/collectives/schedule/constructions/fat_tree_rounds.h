// SPDX-License-Identifier: Apache-2.0
/// All-to-all exchanges on fat trees, in rounds that are permutations of the nodes.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the construction that `--method fat_tree_rounds` selects.
const method& fat_tree_rounds();

}  // namespace weft::schedule
