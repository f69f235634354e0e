// SPDX-License-Identifier: Apache-2.0
/// Combining all-to-all communication by groups (RINGS, section 3.2, with any schedule between the groups): every group
/// collects its messages at one of its nodes, these nodes exchange them, and each distributes the result in its group.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "weft/collectives/schedule/constructions/combining_relay.h"

namespace weft::schedule {

/// The request for the first nodes of groups of \p size participants, by number: all to all. Nothing if groups are not
/// equal, if there are fewer than two, or if some participants do not send or receive.
std::optional<collective> between_groups(const collective& requested, std::size_t size);

/// The schedule of \p p with groups of \p size, whose first nodes carry out \p core: a schedule of between_groups() in
/// the same network, in which each message takes a single path. Uses halving within groups; before a broadcast,
/// doubling.
step_schedule in_groups(const problem& p, round_router& router, std::size_t size, const step_schedule& core);

}  // namespace weft::schedule
