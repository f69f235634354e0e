// SPDX-License-Identifier: Apache-2.0
/// The growth argument: in the first steps, only few nodes have anything to send.
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

/// Returns a lower bound of the number of steps until the receivers can have all messages, if each transfer carries one
/// message. In the first step, only senders send, so the number of transfers is at most the maximum flow from them. In
/// each further step, the nodes that can have received something also send; the bound assumes that the nodes with the
/// most ports are the first. A receiver accepts as many messages per step as it has ports. The result is the stronger
/// of two bounds: for all receivers, and for the subset of receivers that need the most steps to receive their
/// messages.
growth growth_of_transfers(const step_network& network, const traffic& t);

/// Returns a lower bound of the number of steps R, also for schedules that combine messages. It is the number of steps
/// until the data of each sender can have reached all receivers, and until each receiver can have received from all
/// senders, however much a transfer carries.
growth growth_of_reach(const step_network& network, const collective& requested);

}  // namespace weft::schedule
