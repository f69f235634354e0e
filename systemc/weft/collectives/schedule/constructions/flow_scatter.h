// SPDX-License-Identifier: Apache-2.0
/// Personalized one-to-many and many-to-one communication in the fewest steps.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `flow_scatter`.
const method& flow_scatter();

}  // namespace weft::schedule
