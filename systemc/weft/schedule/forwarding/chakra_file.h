// SPDX-License-Identifier: Apache-2.0
/// Execution traces for simulators of training, such as ASTRA-sim: Chakra's JSON (MLCommons), as its feeder reads files
/// that end in `.json`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/schedule/forwarding/forwarding.h"

namespace weft::schedule {

/// The trace of each node: a COMM_SEND_NODE for each send, a COMM_RECV_NODE where it arrives, both with the same tag.
/// A send waits for what brings its chunk, and for the send before it on the same link. \p bytes: of a chunk. That
/// sums are added up is not in a trace. Routes are: each send goes over one link.
std::vector<std::string> chakra_traces(const forwarding_problem& p, const forwarding_algorithm& a, std::uint64_t bytes);

}  // namespace weft::schedule
