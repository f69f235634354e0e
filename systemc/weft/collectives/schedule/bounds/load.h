// SPDX-License-Identifier: Apache-2.0
/// The load argument: messages use channels, and each step provides a limited number of channels.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/bounds/cheapest_ways.h"
#include "weft/collectives/schedule/bounds/traffic.h"

namespace weft::schedule {

/// The cost of a unit of traffic on each channel. Any weights yield a valid bound; the best weights are the dual
/// variables of a flow.
using channel_weights = std::vector<std::uint64_t>;

/// Returns weight 1 for links and weight 0 for injection and ejection channels.
channel_weights on_links(const step_network& network);

/// Returns the minimum cost of \p t over all paths. A personal unit travels from its origin to its receiver, in the way
/// that \p how permits. A shared unit travels to each node from the nearest other node. A summed unit travels from its
/// origin to the nearest other node.
/// \throws std::invalid_argument if there is no path
std::uint64_t least_cost(const step_network& network, const traffic& t, const channel_weights& weights,
                         journey how = journey::Relayed);

/// Returns the total cost of using every channel once per unit of capacity, which is the most that a step can provide.
std::uint64_t cost_of_step(const step_network& network, const channel_weights& weights);

struct load {
  std::uint64_t cost = 0;     ///< total cost of all units of traffic
  std::uint64_t of_step = 1;  ///< cost that all channels provide in one step
  const char* channels = "";  ///< name of the channels counted, for messages
  std::uint64_t steps() const { return divided_up(cost, of_step); }
};

/// Returns the strongest load bound over several choices of weights: all links, all channels, and the links of one kind
/// with cost 0 on all other channels. Two links are of the same kind if the distances from their ends to the nodes, and
/// the numbers of shortest paths, agree. Examples of kinds are the ring links and the cross links of an Octagon, and
/// the levels of a tree. (OCTAGON's formulas count only the ring.)
load heaviest_load(const step_network& network, const traffic& t);

}  // namespace weft::schedule
