// SPDX-License-Identifier: Apache-2.0
/// Estimation-of-distribution algorithm, the kind of search that OCTAGON (section 5) uses.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// `estimation`.
const method& estimation();

}  // namespace weft::schedule
