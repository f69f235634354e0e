// SPDX-License-Identifier: Apache-2.0
/// Loads of uniform traffic that need no search over all packets. find_loads() uses these functions.
#pragma once

#include <cstddef>
#include <optional>

#include "weft/topology/analysis/loads.h"
#include "weft/topology/topology.h"

namespace weft {

/// Loads of uniform traffic in a grid; nothing for other networks and for adaptive routing. Dimension order, in any
/// order, loads every channel by the traffic within its own dimension. O1TURN does the same for both orders. Valiant's
/// routing equals uniform traffic twice, including traffic from each router to itself.
std::optional<expected_loads> loads_of_grid(const topology& t);

/// Loads of uniform traffic if all packets take a detour over a random node; nothing for other routings. Each of the
/// two parts of their paths is uniform traffic to all nodes, including the node itself, along the same table.
/// \param most_steps limit of follow_loads()
std::optional<expected_loads> loads_of_detours(const topology& t, std::size_t most_steps);

}  // namespace weft
