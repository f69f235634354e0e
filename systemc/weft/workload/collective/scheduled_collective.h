// SPDX-License-Identifier: Apache-2.0
/// A schedule in steps as a collective that a network plays.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/schedule/programme.h"
#include "weft/schedule/schedule.h"
#include "weft/workload/collective/collective.h"

namespace weft {

/// One message for each of \p transfers, in their order, which is that of the programme of each node. Its step is the
/// schedule's. A message waits for those that bring what is in it. Without barriers between steps it also waits for all
/// that earlier messages of its source wait for, so that a node sends in the order of its programme in any case.
/// \param asked what the schedule carries out
/// \param flits length of a unit message, ≥ 1
/// \param barriers as in collective_options
/// \throws std::invalid_argument if a node sends what it has not received in an earlier step, and for more than
/// MaxCollectiveMessages or operands
collective make_scheduled_collective(const schedule::collective& asked,
                                     const std::vector<schedule::ordered_transfer>& transfers, std::uint32_t nodes,
                                     std::uint32_t flits, bool barriers);

}  // namespace weft
