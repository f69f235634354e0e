// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of combining schedules. A step of s messages can be made in s steps of one message on the same paths;
/// so TCO is also at least the steps of any schedule without combining, and every lower bound of those.
#pragma once

#include <cstddef>

#include "weft/schedule/problem.h"

namespace weft::schedule {

/// R of a combining schedule: a node that knows of one message makes as many others know of it as the most ports that a
/// node has.
std::size_t least_start_ups(const problem& p);

/// TCO of a combining schedule of \p start_ups steps, 0: of any number. What a node lacks comes in by its ports. Of
/// scatter, by hops from node to node: h of the steps, and a port in each, lead from a sender to one node at most, so
/// that no more than C(R, h) k^h of its messages take h hops, and hops in all take ports (equal to FATTREE Table IV on
/// 2^n nodes in n steps). \throws std::invalid_argument for a node that must send or receive, and has no channel for it
std::size_t least_occupancy(const problem& p, std::size_t start_ups);

}  // namespace weft::schedule
