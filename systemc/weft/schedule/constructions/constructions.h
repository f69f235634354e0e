// SPDX-License-Identifier: Apache-2.0
/// All constructions: ways to a schedule that take milliseconds and search for little.
#pragma once

#include "weft/schedule/method.h"

namespace weft::schedule {

/// Those that suit few requests first, the one that suits all last.
const std::vector<const method*>& constructions();

/// The schedule of the fewest steps among all constructions that fit, the first one of equals, and the name of its
/// method. Stops at `control.enough` steps. Without a schedule where some receiver cannot be reached, or when time is
/// over.
struct best_result {
  std::optional<step_schedule> found;
  const method* by = nullptr;
};
best_result best_construction(const problem& p, const search_control& control);

}  // namespace weft::schedule
