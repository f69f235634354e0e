// SPDX-License-Identifier: Apache-2.0
/// The floor plan of a network and its power over time, in the formats of HotSpot, a thermal simulator.
#pragma once

#include <string>

#include "weft/report/run_statistics.h"

namespace weft::experiment {

/// The floor plan (.flp): a line `name width height left bottom` for each router, in meters. Each router is a square
/// tile, as wide as output.energy.pitch. Tiles have the places of the layout if it is a grid in
/// which no two routers have the same place; otherwise they fill a square row by row, in the order of their numbers.
std::string floor_plan(const topology& graph, double pitch);

/// The power trace (.ptrace): the names of the tiles, then a line for each interval of the time series with the power
/// of each tile in watts (network_cost::tiles()).
std::string power_trace(const run_summary& r);

}  // namespace weft::experiment
