// SPDX-License-Identifier: Apache-2.0
/// Schedules as SVG.
#pragma once

#include <string>

#include "weft/collectives/schedule/files/ccsched.h"
#include "weft/topology/topology.h"

namespace weft::schedule {

/// A chart of the messages that each node receives: steps from left to right, nodes from top to bottom. With \p graph,
/// the topology of \p network, and if both are small enough, the network is drawn below once for each step, with the
/// paths used. Colors represent origins; for a scatter from one node, destinations.
std::string to_svg(const step_network& network, const recorded_schedule& s, const topology* graph);

}  // namespace weft::schedule
