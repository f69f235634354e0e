// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of combining schedules, whose transfers may carry several messages. R is the number of steps. TCO, the
/// total channel occupancy, is the sum over all steps of the number of messages in the longest transfer. A step with s
/// messages per transfer can be replaced by s steps with one message per transfer on the same paths. Therefore TCO is
/// at least the number of steps of the shortest schedule without combining, and every lower bound of that number also
/// bounds TCO.
#pragma once

#include <cstddef>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// Returns a lower bound of R for combining schedules. In one step, a node can pass on information about a message to
/// at most as many other nodes as the largest number of ports of any node.
std::size_t least_start_ups(const problem& p);

/// Returns a lower bound of TCO for combining schedules of \p start_ups steps, or of any number of steps if \p
/// start_ups is 0. The bound follows from the messages that each node lacks, because they arrive through its ports. For
/// scatter, it also counts hops from node to node. A message that takes h hops uses h of the R steps and one of k ports
/// in each of them, so a sender reaches at most C(R, h) k^h nodes with h hops, and every hop uses ports. On 2^n nodes
/// in n steps, the bound equals FATTREE Table IV.
/// \throws std::invalid_argument for a node that must send or receive but has no channel for it
std::size_t least_occupancy(const problem& p, std::size_t start_ups);

}  // namespace weft::schedule
