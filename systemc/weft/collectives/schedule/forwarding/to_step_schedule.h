// SPDX-License-Identifier: Apache-2.0
/// Converts store-and-forward algorithms to schedules in steps, which can be checked, timed and simulated like all
/// other schedules.
#pragma once

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// Converts \p a. Each send of a round becomes a transfer from the node at its router to the node at the next router;
/// its path is an injection channel, one link and an ejection channel. The graph of \p p must be links_of() the
/// topology of \p network. The result is a broadcast if a chunk has several receivers, otherwise a scatter.
/// \throws std::invalid_argument if a router does not have exactly one node, if a node sends or receives more in a
/// round than it has ports, for sums, and for several chunks with the same nodes (C > 1), because a schedule in steps
/// has only one such message
step_schedule to_step_schedule(const step_network& network, const forwarding_problem& p, const forwarding_algorithm& a);

/// Returns the collective that the converted schedule carries out.
/// \throws std::invalid_argument in the same cases as to_step_schedule(). Also throws it unless each sender has either
/// one chunk for all receivers or one chunk for each of them; an alltoallv, for example, has neither
collective collective_of_problem(const step_network& network, const forwarding_problem& p);

}  // namespace weft::schedule
