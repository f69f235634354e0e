// SPDX-License-Identifier: Apache-2.0
/// Tabu search for a placement. It is the first phase of the search; the solver repairs its result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/exact/placement.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

struct tabu_outcome {
  std::vector<placed> all;  ///< the placed items; empty if an item has no path on which its images do not conflict
  std::size_t excess = 0;   ///< total overload of all channels; 0 for a valid schedule
};

/// Repeatedly moves an item of an overloaded channel to the cheapest step and path that it has not left recently. Ends
/// after \p moves moves, when no channel is overloaded, or when \p control is over. For scatter only.
/// \param most_paths maximum number of paths that are examined for each item
/// \throws time_is_over if \p control is over before all items are placed
tabu_outcome tabu_search(const placement& p, std::size_t steps, std::size_t most_paths, std::size_t moves,
                         std::uint64_t seed, const search_control& control);

}  // namespace weft::schedule
