// SPDX-License-Identifier: Apache-2.0
/// The argument of ports: a node sends and receives so many units in a step.
#pragma once

#include <cstdint>

#include "weft/schedule/bounds/traffic.h"

namespace weft::schedule {

struct busiest_node {
  node_id node = 0;
  std::uint64_t units = 0;  ///< that it must send or receive
  std::uint64_t ports = 1;  ///< units in a step, ≥ 1
  std::uint64_t steps() const { return divided_up(units, ports); }
};

/// The nodes that take longest to send what starts there, and to receive; of several the first. Nodes without channels
/// count as long as they have nothing to send, or to receive.
/// \throws std::invalid_argument for a node that has, and has no channel for it
busiest_node busiest_sender(const step_network& network, const traffic& t);
busiest_node busiest_receiver(const step_network& network, const traffic& t);

}  // namespace weft::schedule
