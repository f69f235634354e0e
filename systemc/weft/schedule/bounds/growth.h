// SPDX-License-Identifier: Apache-2.0
/// The argument of growth: at first few nodes have anything to send.
#pragma once

#include <cstddef>
#include <string>

#include "weft/schedule/bounds/traffic.h"
#include "weft/schedule/problem.h"

namespace weft::schedule {

struct growth {
  std::size_t steps = 0;
  std::string text;
};

/// Steps until receivers can have got all messages, one by one. In the first step only senders send, so there are no
/// more transfers than flow from them; in each further one the nodes that can have got something send as well, of which
/// those with the most ports are taken to be the first. Receivers take as many as they have ports. The strongest of
/// such bounds for all receivers, and for those alone that need the most steps to receive.
growth growth_of_transfers(const step_network& network, const traffic& t);

/// Steps until what each sender has can have reached all receivers, and until each receiver can have got from all
/// senders, whatever a transfer carries: R of schedules that combine messages.
growth growth_of_reach(const step_network& network, const collective& asked);

}  // namespace weft::schedule
