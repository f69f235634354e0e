// SPDX-License-Identifier: Apache-2.0
/// Writes execution traces for training simulators such as ASTRA-sim: Chakra's JSON (MLCommons), which its feeder reads
/// from files that end in `.json`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"

namespace weft::schedule {

/// The trace of each node: a COMM_SEND_NODE for each send and a COMM_RECV_NODE at its receiver, with the same tag. A
/// send waits for the arrival of its chunk and for the previous send on the same link. \param bytes bytes of a chunk.
/// Traces do not contain additions. They contain routes: each send uses one link.
std::vector<std::string> chakra_traces(const forwarding_problem& p, const forwarding_algorithm& a, std::uint64_t bytes);

}  // namespace weft::schedule
