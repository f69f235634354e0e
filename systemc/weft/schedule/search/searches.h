// SPDX-License-Identifier: Apache-2.0
/// All searches: ways to a schedule that look for it until it is found or time is over.
#pragma once

#include "weft/schedule/method.h"

namespace weft::schedule {

/// The strongest first; those of the papers last.
const std::vector<const method*>& searches();

}  // namespace weft::schedule
