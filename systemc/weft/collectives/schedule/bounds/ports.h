// SPDX-License-Identifier: Apache-2.0
/// Lower bound from the ports: a node sends and receives a limited number of units in a step.
#pragma once

#include <cstdint>

#include "weft/collectives/schedule/bounds/traffic.h"

namespace weft::schedule {

struct busiest_node {
  node_id node = 0;
  std::uint64_t units = 0;  ///< that the node must send or receive
  std::uint64_t ports = 1;  ///< units that the ports carry in a step, ≥ 1
  std::uint64_t steps() const { return divided_up(units, ports); }
};

/// The nodes that need the most steps to send or receive their units; the first of several. Nodes without channels are
/// ignored unless they have units to send or receive.
/// \throws std::invalid_argument for a node that has units but no channel for them
busiest_node busiest_sender(const step_network& network, const traffic& t);
busiest_node busiest_receiver(const step_network& network, const traffic& t);

}  // namespace weft::schedule
