// SPDX-License-Identifier: Apache-2.0
/// Draws schedules as SVG.
#pragma once

#include <string>

#include "weft/collectives/schedule/files/ccsched.h"
#include "weft/topology/topology.h"

namespace weft::schedule {

/// Returns a chart of the messages that each node receives, with steps from left to right and nodes from top to bottom.
/// Colors represent origins; in a scatter from one node, they represent destinations. If \p graph, the topology of \p
/// network, is given and both are small enough, the network is drawn below the chart once for each step, with the paths
/// used in the step.
std::string to_svg(const step_network& network, const recorded_schedule& s, const topology* graph);

}  // namespace weft::schedule
