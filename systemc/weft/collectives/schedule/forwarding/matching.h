// SPDX-License-Identifier: Apache-2.0
/// Greedy matching over time, the method of TACOS (Won and others, MICRO 2024).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Builds an algorithm round by round. In each round, each node assigns to its incoming links chunks that it lacks and
/// that the sender has. The rarest chunks come first; \p seed decides between equally rare ones. Returns steps of one
/// round each, or nothing if the algorithm would take more than \p most rounds. \p p must have no sums.
/// \throws time_is_over
std::optional<forwarding_algorithm> match_over_time(const forwarding_problem& p, std::uint64_t seed, std::size_t most,
                                                    const search_control& control = {});

}  // namespace weft::schedule
