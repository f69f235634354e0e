// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of combining schedules. A step of s messages can be replaced by s steps of one message on the same
/// paths. Therefore TCO is at least the number of steps of the shortest schedule without combining, and at least every
/// lower bound of that number.
#pragma once

#include <cstddef>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// Lower bound of R of a combining schedule: a node that has information on a message can pass it on, in one step, to
/// at most as many others as the largest number of ports of a node.
std::size_t least_start_ups(const problem& p);

/// Lower bound of TCO of a combining schedule of \p start_ups steps; 0: of any number of steps. Messages that a node
/// lacks arrive through its ports. For scatter, hops from node to node are also counted: a choice of h steps, with a
/// port in each, leads from a sender to at most one node, so at most C(R, h) k^h of its messages take h hops, and hops
/// use ports (equal to FATTREE Table IV on 2^n nodes in n steps). \throws std::invalid_argument for a node that must
/// send or receive but has no channel for it
std::size_t least_occupancy(const problem& p, std::size_t start_ups);

}  // namespace weft::schedule
