// SPDX-License-Identifier: Apache-2.0
/// All constructions: methods that find a schedule in milliseconds with little search.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Ordered from the most specialized construction to the one that fits every request.
const std::vector<const method*>& constructions();

/// The schedule with the fewest steps among all constructions that fit, the first of equals, and its method. Stops at
/// `control.enough` steps. Omits `greedy` for more than 20,000 messages if another construction fits. Contains no
/// schedule if a receiver cannot be reached, or time is over.
struct best_result {
  std::optional<step_schedule> found;
  const method* by = nullptr;
};
best_result best_construction(const problem& p, const search_control& control);

}  // namespace weft::schedule
