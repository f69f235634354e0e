// SPDX-License-Identifier: Apache-2.0
/// Short names for tables of the costs of collectives.
#pragma once

#include <cstddef>

#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/time.h"

namespace weft::schedule {

inline constexpr operation B = operation::Broadcast, S = operation::Scatter;  ///< as in AAB and AAS

inline schedule_cost cost(std::size_t r, std::size_t tco) { return {r, tco}; }

}  // namespace weft::schedule
