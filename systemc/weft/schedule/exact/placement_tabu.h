// SPDX-License-Identifier: Apache-2.0
/// Tabu search for a placement: the first phase, which leaves what the solver has to repair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/schedule/exact/placement.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

struct tabu_outcome {
  std::vector<placed> all;  ///< empty: an item has no path on which its images do not meet
  std::size_t excess = 0;   ///< by how much channels are overloaded; 0: a schedule
};

/// Moves an item of an overloaded channel to the step and path that cost least and were not left just now, \p moves
/// times, or until nothing is overloaded or \p control is over. Scatter only. \p most_paths of each item.
/// \throws time_is_over before all items have a first place
tabu_outcome tabu_search(const placement& p, std::size_t steps, std::size_t most_paths, std::size_t moves,
                         std::uint64_t seed, const search_control& control);

}  // namespace weft::schedule
