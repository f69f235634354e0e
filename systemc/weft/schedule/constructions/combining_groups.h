// SPDX-License-Identifier: Apache-2.0
/// Combining all-to-all communication by groups (RINGS, section 3.2, with any schedule between the groups): every group
/// collects what it has at one of its nodes, these exchange it, and spread in their groups what they have got.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "weft/schedule/constructions/combining_relay.h"

namespace weft::schedule {

/// What is asked of the first nodes of groups of \p size of the participants, by their numbers: all to all. Nothing where
/// groups do not come out even, there are fewer than two, or some of the participants do not send or receive.
std::optional<collective> between_groups(const collective& asked, std::size_t size);

/// The schedule of \p p with groups of \p size, whose first nodes carry out \p core: a schedule of between_groups() in
/// the same network. Within groups by halving, of broadcast first by Bruck's doubling.
step_schedule in_groups(const problem& p, round_router& router, std::size_t size, const step_schedule& core);

}  // namespace weft::schedule
