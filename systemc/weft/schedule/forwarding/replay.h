// SPDX-License-Identifier: Apache-2.0
/// Store-and-forward algorithms as schedules in steps, so that what judges, times and plays those has these, too.
#pragma once

#include "weft/schedule/forwarding/forwarding.h"
#include "weft/schedule/schedule.h"
#include "weft/schedule/step_network.h"

namespace weft::schedule {

/// Each send of a round is a transfer from the node at its router to that at the next: its port, one link, its port.
/// \p p: on links_of() the topology of \p network. As a broadcast of \p asked where a chunk has several receivers,
/// else a scatter.
/// \throws std::invalid_argument where a router has not just one node, a node sends or receives more in a round than
/// it has ports, and for sums and for chunks that are alike: schedules in steps know one message of a kind (C = 1)
step_schedule to_step_schedule(const step_network& network, const forwarding_problem& p, const forwarding_algorithm& a);

/// What such a schedule does. \throws std::invalid_argument as to_step_schedule(), and where the chunks are not one of
/// each sender for all receivers, nor one for each of them: of an alltoallv
collective asked_of(const step_network& network, const forwarding_problem& p);

}  // namespace weft::schedule
