// SPDX-License-Identifier: Apache-2.0
/// Schedules as SVG.
#pragma once

#include <string>

#include "weft/schedule/files/ccsched.h"
#include "weft/topology/topology.h"

namespace weft::schedule {

/// A chart, steps across and nodes down, of what each node sends and receives. With \p graph, the network that \p network
/// was made of, and small enough, beside it the network once for each step, with the paths that are taken. Colours stand for
/// origins.
std::string to_svg(const step_network& network, const recorded_schedule& s, const topology* graph);

}  // namespace weft::schedule
