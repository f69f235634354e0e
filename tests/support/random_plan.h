// SPDX-License-Identifier: Apache-2.0
/// Random networks of every topology and routing that users can choose, from the ranges that their descriptions state.
/// New entries of topology_kinds() or routing_kinds() are included automatically.
#pragma once

#include "support/random.h"
#include <cstdint>
#include <string>

#include "weft/topology/kinds.h"

/// A small network of \p kind with one of its own routings, of 2 to \p most_nodes nodes: keys, routing, and the
/// required number of VCs, but at least that of \p network. It is valid.
weft::network_plan random_plan(rng& d, const weft::topology_kind& kind, std::uint32_t most_nodes,
                               const weft::network_options& network = {});

/// The topology kinds that need no file.
std::vector<const weft::topology_kind*> generated_kinds();

/// The plan in one line.
std::string describe(const weft::network_plan& plan);
