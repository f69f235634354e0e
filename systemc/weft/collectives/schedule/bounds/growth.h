// SPDX-License-Identifier: Apache-2.0
/// The growth argument: in the first steps, few nodes have anything to send.
#pragma once

#include <cstddef>
#include <string>

#include "weft/collectives/schedule/bounds/traffic.h"
#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

struct growth {
  std::size_t steps = 0;
  std::string text;
};

/// Minimum number of steps until receivers can have all messages, one per transfer. In the first step only senders
/// send, so there are at most as many transfers as flow from them. In each further step, the nodes that can have
/// received something send as well; nodes with the most ports are assumed to be the first. Receivers accept as many
/// messages as they have ports. Returns the strongest of these bounds, for all receivers and for the subset that needs
/// the most steps to receive.
growth growth_of_transfers(const step_network& network, const traffic& t);

/// Minimum number of steps until the data of each sender can have reached all receivers, and until each receiver can
/// have received from all senders, whatever a transfer carries. Bounds R of schedules that combine messages.
growth growth_of_reach(const step_network& network, const collective& requested);

}  // namespace weft::schedule
