// SPDX-License-Identifier: Apache-2.0
/// Greedy matching over time, as in TACOS (Won and others, MICRO 2024).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// In each round, each node matches its incoming links to chunks that it lacks and the sender has, rarest first, with
/// random choice among equals. Returns steps of one round, or nothing if that would take more than \p most rounds. \p p
/// must have no sums.
/// \throws time_is_over
std::optional<forwarding_algorithm> match_over_time(const forwarding_problem& p, std::uint64_t seed, std::size_t most,
                                                    const search_control& control = {});

}  // namespace weft::schedule
