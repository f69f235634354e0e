// SPDX-License-Identifier: Apache-2.0
/// The port argument: a node can send and receive only a limited number of units in a step.
#pragma once

#include <cstdint>

#include "weft/collectives/schedule/bounds/traffic.h"

namespace weft::schedule {

struct busiest_node {
  node_id node = 0;
  std::uint64_t units = 0;  ///< units that the node must send or receive
  std::uint64_t ports = 1;  ///< units that its ports carry in a step, ≥ 1
  std::uint64_t steps() const { return divided_up(units, ports); }
};

/// Returns the node that needs the most steps to send its units (busiest_sender()) or to receive them
/// (busiest_receiver()). If several need equally many steps, returns the first. A node without channels is ignored if
/// it has no units to send or receive.
/// \throws std::invalid_argument for a node that has units but no channel for them
busiest_node busiest_sender(const step_network& network, const traffic& t);
busiest_node busiest_receiver(const step_network& network, const traffic& t);

}  // namespace weft::schedule
