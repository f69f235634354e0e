// SPDX-License-Identifier: Apache-2.0
/// Converts a schedule in steps to a collective that a network can run.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/send_sequence.h"

namespace weft {

/// Makes one message for each transfer, in the order of \p transfers, which is also the order of each node's send
/// sequence. The step of a message is the step of its transfer. A message waits for the messages that bring its
/// contents. Without barriers between steps, it also waits for everything for which earlier messages of its source
/// wait. Therefore a node always sends in the order of its send sequence.
/// \param requested the collective that the schedule carries out
/// \param flits length of a unit message in flits, ≥ 1
/// \param barriers as in collective_options
/// \throws std::invalid_argument if a node sends data that it has not received in an earlier step, and for more than
/// MaxCollectiveMessages messages or MaxCollectiveOperands operands
collective make_scheduled_collective(const schedule::collective& requested,
                                     const std::vector<schedule::ordered_transfer>& transfers, std::uint32_t nodes,
                                     std::uint32_t flits, bool barriers);

}  // namespace weft
