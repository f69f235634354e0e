// SPDX-License-Identifier: Apache-2.0
/// The load argument: units need channels, and each step provides a limited number.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/bounds/cheapest_ways.h"
#include "weft/collectives/schedule/bounds/traffic.h"

namespace weft::schedule {

/// Cost of a unit on each channel. These are dual variables of a flow: any weights yield a valid bound.
using channel_weights = std::vector<std::uint64_t>;

/// 1 on links, 0 on channels of nodes.
channel_weights on_links(const step_network& network);

/// Minimum cost of \p t over all paths. Personal units travel from origin to receiver according to \p how. Shared units
/// travel to each node from the nearest other node. Summed units travel from their origins to the nearest other node.
/// \throws std::invalid_argument if there is no path
std::uint64_t least_cost(const step_network& network, const traffic& t, const channel_weights& weights,
                         journey how = journey::Relayed);

/// Total cost of all channels of one step.
std::uint64_t cost_of_step(const step_network& network, const channel_weights& weights);

struct load {
  std::uint64_t cost = 0;     ///< cost of all units
  std::uint64_t of_step = 1;  ///< cost of all channels of one step
  const char* channels = "";  ///< the kind of channels
  std::uint64_t steps() const { return divided_up(cost, of_step); }
};

/// The strongest load bound over: all links; all channels; links of one kind, with cost 0 on other channels. Links are
/// of the same kind if the distances and numbers of shortest paths from their ends to the nodes agree: rings and cross
/// links of an Octagon, levels of a tree. (OCTAGON's formulas count the ring only.)
load heaviest_load(const step_network& network, const traffic& t);

}  // namespace weft::schedule
