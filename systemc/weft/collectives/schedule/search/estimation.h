// SPDX-License-Identifier: Apache-2.0
/// Estimation-of-distribution algorithm, the kind of search that OCTAGON (section 5) uses.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// The method `estimation`, a baseline that runs only by name.
const method& estimation();

}  // namespace weft::schedule
