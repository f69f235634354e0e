// SPDX-License-Identifier: Apache-2.0
/// All-to-all communication with combined messages by groups (RINGS, section 3.2, but with any schedule between the
/// groups). Every group collects its messages at one of its nodes, these nodes exchange the messages, and each of them
/// distributes the result in its group.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "weft/collectives/schedule/constructions/combining_relay.h"

namespace weft::schedule {

/// Returns the request that the first nodes of all groups carry out: all to all. Groups consist of \p size participants
/// with consecutive numbers. Returns nothing if the groups are not equal, if there are fewer than two groups, or if
/// some participants do not send or do not receive.
std::optional<collective> between_groups(const collective& requested, std::size_t size);

/// Returns the schedule of \p p with groups of \p size participants. Within groups it uses halving and, before a
/// broadcast, doubling.
/// \param core the schedule of the first nodes, which carries out between_groups() in the same network; each message
/// must take a single path
step_schedule in_groups(const problem& p, round_router& router, std::size_t size, const step_schedule& core);

}  // namespace weft::schedule
