// SPDX-License-Identifier: Apache-2.0
/// All-to-all broadcast that uses several ports of each node.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the construction that `--method gossip` selects.
const method& gossip();

}  // namespace weft::schedule
