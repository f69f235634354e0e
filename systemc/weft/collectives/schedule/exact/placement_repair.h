// SPDX-License-Identifier: Apache-2.0
/// Finds a placement by tabu search and then repairs it with the solver. The repair is a large neighborhood search
/// (Shaw 1998), in which the solver places the items of a few steps again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/collectives/schedule/exact/placement.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Searches for a placement in \p steps steps. If the result is empty, a placement may exist nevertheless.
/// \param effort limit, ≥ 1; a unit of effort is about a second of work
/// \throws time_is_over
std::optional<std::vector<placed>> find_placement(const placement& p, std::size_t steps, std::size_t effort,
                                                  std::uint64_t seed, const search_control& control);

}  // namespace weft::schedule
