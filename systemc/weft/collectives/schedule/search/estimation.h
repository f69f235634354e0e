// SPDX-License-Identifier: Apache-2.0
/// An estimation-of-distribution algorithm, one of the searches in OCTAGON (section 5).
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the method `estimation`. It is a baseline, which runs only if it is selected by name.
const method& estimation();

}  // namespace weft::schedule
