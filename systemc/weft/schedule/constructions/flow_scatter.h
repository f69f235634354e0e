// SPDX-License-Identifier: Apache-2.0
/// One to many and many to one with messages of their own, in the fewest steps.
#pragma once

#include "weft/schedule/method.h"

namespace weft::schedule {

/// `flow_scatter`.
const method& flow_scatter();

}  // namespace weft::schedule
