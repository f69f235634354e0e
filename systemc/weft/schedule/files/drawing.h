// SPDX-License-Identifier: Apache-2.0
/// Schedules as SVG.
#pragma once

#include <string>

#include "weft/schedule/files/ccsched.h"
#include "weft/topology/topology.h"

namespace weft::schedule {

/// A chart, steps across and nodes down, of what each node receives. With \p graph, the network that \p network was
/// made of, and where they are small enough, below it the network once for each step, with the paths that are taken.
/// Colours stand for origins; of a scatter from one node, for destinations.
std::string to_svg(const step_network& network, const recorded_schedule& s, const topology* graph);

}  // namespace weft::schedule
