// SPDX-License-Identifier: Apache-2.0
/// Converts store-and-forward algorithms to schedules in steps, which can then be checked, timed and simulated like all
/// others.
#pragma once

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// Each send of a round becomes a transfer from the node at its router to the node at the next router: its port, one
/// link, its port. \p p must be on links_of() the topology of \p network. The result is a broadcast if a chunk has
/// several receivers, otherwise a scatter.
/// \throws std::invalid_argument if a router does not have exactly one node, if a node sends or receives more in a
/// round than it has ports, and for sums and equivalent chunks, because schedules in steps have one message of a kind
/// (C = 1)
step_schedule to_step_schedule(const step_network& network, const forwarding_problem& p, const forwarding_algorithm& a);

/// The collective that such a schedule carries out. \throws std::invalid_argument as to_step_schedule(), and if the
/// chunks are neither one of each sender for all receivers nor one for each of them, as for an alltoallv
collective collective_of_problem(const step_network& network, const forwarding_problem& p);

}  // namespace weft::schedule
