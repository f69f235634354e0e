// SPDX-License-Identifier: Apache-2.0
/// All-to-all broadcast over several ports.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `gossip`.
const method& gossip();

}  // namespace weft::schedule
