// SPDX-License-Identifier: Apache-2.0
/// Solves problems without sums, in which chunks spread from their holders.
#pragma once

#include <cstddef>
#include <optional>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/solve.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Solves a problem without sums as solve_forwarding() does.
forwarding_result solve_spreading(const forwarding_problem& p, const forwarding_question& q,
                                  const search_control& control);

/// The routes, greedy matching and spanning trees of solve_forwarding() only, which take milliseconds. Returns the best
/// result, or the first with at most \p enough rounds. \p p must have no sums
std::optional<forwarding_algorithm> construct_forwarding(const forwarding_problem& p, std::size_t enough,
                                                         const search_control& control = {});

}  // namespace weft::schedule
