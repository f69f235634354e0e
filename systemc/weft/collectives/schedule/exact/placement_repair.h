// SPDX-License-Identifier: Apache-2.0
/// Finds a placement by tabu search, then repairs it with the solver: a large neighborhood search (Shaw 1998) whose
/// neighborhood is the contents of a few steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/collectives/schedule/exact/placement.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Finds a placement in \p steps steps. One unit of \p effort (≥ 1) is about a second of work. No result within the
/// effort is no proof.
/// \throws time_is_over
std::optional<std::vector<placed>> find_placement(const placement& p, std::size_t steps, std::size_t effort,
                                                  std::uint64_t seed, const search_control& control);

}  // namespace weft::schedule
