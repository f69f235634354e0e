// SPDX-License-Identifier: Apache-2.0
/// Writes execution traces for training simulators such as ASTRA-sim, in the JSON form of MLCommons Chakra. ASTRA-sim
/// reads this form from files whose names end in `.json`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"

namespace weft::schedule {

/// Returns one trace for each node. Each send is a COMM_SEND_NODE at the sender and a COMM_RECV_NODE with the same tag
/// at the receiver. A send waits for the arrival of its chunk and for the previous send on the same link. Each send
/// uses one link, so the traces contain the routes. They do not contain the additions of sums.
/// \param bytes size of a chunk in bytes
std::vector<std::string> chakra_traces(const forwarding_problem& p, const forwarding_algorithm& a, std::uint64_t bytes);

}  // namespace weft::schedule
