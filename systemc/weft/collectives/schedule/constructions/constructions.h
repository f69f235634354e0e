// SPDX-License-Identifier: Apache-2.0
/// All constructions: methods that find a schedule in milliseconds with little search.
#pragma once

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns all constructions, from the most specialized one to the one that fits every request.
const std::vector<const method*>& constructions();

/// The result of best_construction(): the schedule with the fewest steps among all constructions that fit, and its
/// method. If several schedules have equally few steps, the first counts. The search stops at a schedule of
/// `control.enough` steps. It omits `greedy` if there are more than 20,000 messages and another construction fits.
/// There is no schedule if a receiver cannot be reached, or if time is over.
struct best_result {
  std::optional<step_schedule> found;
  const method* by = nullptr;
};
best_result best_construction(const problem& p, const search_control& control);

}  // namespace weft::schedule
