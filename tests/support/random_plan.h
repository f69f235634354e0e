// SPDX-License-Identifier: Apache-2.0
/// Networks of every topology and routing that users can choose, drawn at random from what these say of themselves: a
/// new entry of topology_kinds() or routing_kinds() is drawn as soon as it is there.
#pragma once

#include "support/random.h"
#include <cstdint>
#include <string>

#include "weft/topology/kinds.h"

/// A small network of \p kind with one of its own routings, of 2 to \p most_nodes nodes: keys, routing, and at least
/// the VCs of \p network, which are as many as it takes. It can be made.
weft::network_plan random_plan(dice& d, const weft::topology_kind& kind, std::uint32_t most_nodes,
                               const weft::network_options& network = {});

/// Those that need no file.
std::vector<const weft::topology_kind*> generated_kinds();

/// The plan in a line.
std::string describe(const weft::network_plan& plan);
