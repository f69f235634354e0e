// SPDX-License-Identifier: Apache-2.0
/// Random networks, with every topology and routing that users can select, and with values from the ranges in their
/// descriptions. New entries of topology_kinds() or routing_kinds() are included automatically.
#pragma once

#include "support/random.h"
#include <cstdint>
#include <string>

#include "weft/topology/kinds.h"

/// Returns the plan of a small valid network of \p kind with one of its own routings. It has 2 to \p most_nodes nodes,
/// and at least the number of VCs that the routing requires and that \p network has.
weft::network_plan random_plan(rng& d, const weft::topology_kind& kind, std::uint32_t most_nodes,
                               const weft::network_options& network = {});

/// Returns the kinds of topologies that need no file.
std::vector<const weft::topology_kind*> generated_kinds();

/// Describes the plan in one line.
std::string describe(const weft::network_plan& plan);
