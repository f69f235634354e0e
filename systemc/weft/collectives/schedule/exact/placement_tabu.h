// SPDX-License-Identifier: Apache-2.0
/// Tabu search for a placement: the first phase, whose result the solver repairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/exact/placement.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

struct tabu_outcome {
  std::vector<placed> all;  ///< empty: an item has no path on which its images do not conflict
  std::size_t excess = 0;   ///< total overload of channels; 0: a valid schedule
};

/// Repeatedly moves an item of an overloaded channel to the cheapest step and path that it has not left recently, for
/// \p moves moves, or until no channel is overloaded or \p control is over. Scatter only. \param most_paths paths
/// examined for each item
/// \throws time_is_over before all items have an initial place
tabu_outcome tabu_search(const placement& p, std::size_t steps, std::size_t most_paths, std::size_t moves,
                         std::uint64_t seed, const search_control& control);

}  // namespace weft::schedule
