// SPDX-License-Identifier: Apache-2.0
/// Finds a placement by tabu search, and the solver for what that leaves: a large neighbourhood search (Shaw 1998)
/// whose neighbourhood is all that lies in a few steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/schedule/exact/placement.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

/// A placement in so many steps. \p effort, ≥ 1, is about a second of work; not found within it says nothing.
/// \throws time_is_over
std::optional<std::vector<placed>> find_placement(const placement& p, std::size_t steps, std::size_t effort,
                                                  std::uint64_t seed, const search_control& control);

}  // namespace weft::schedule
