// SPDX-License-Identifier: Apache-2.0
/// Scatter from one node, and its reverse from several nodes to one, in the fewest possible steps.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the construction that `--method flow_scatter` selects.
const method& flow_scatter();

}  // namespace weft::schedule
