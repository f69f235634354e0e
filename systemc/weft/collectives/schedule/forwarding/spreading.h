// SPDX-License-Identifier: Apache-2.0
/// Solves store-and-forward problems without sums, in which chunks spread from their holders to their receivers.
#pragma once

#include <cstddef>
#include <optional>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/solve.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Does what solve_forwarding() does, for a problem without sums.
forwarding_result solve_spreading(const forwarding_problem& p, const forwarding_question& q,
                                  const search_control& control);

/// Runs only the routes, greedy matching and spanning trees of solve_forwarding(), which take milliseconds. Returns the
/// first result with at most \p enough rounds, otherwise the best result. \p p must have no sums.
std::optional<forwarding_algorithm> construct_forwarding(const forwarding_problem& p, std::size_t enough,
                                                         const search_control& control = {});

}  // namespace weft::schedule
