// SPDX-License-Identifier: Apache-2.0
/// The argument of load: units need channels, each step has so many.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/schedule/bounds/cheapest_ways.h"
#include "weft/schedule/bounds/traffic.h"

namespace weft::schedule {

/// What a unit costs on each channel, by channel. The dual of a flow: any weights give a valid bound.
using channel_weights = std::vector<std::uint64_t>;

/// The least that \p t costs, whatever the paths: Personal units go from origin to receiver, as \p how says; of Shared
/// ones, all that a node gets comes from the nearest other node, at least; Summed ones go from their origins to the
/// nearest other node.
/// \throws std::invalid_argument where no path leads
std::uint64_t least_cost(const step_network& network, const traffic& t, const channel_weights& weights,
                         journey how = journey::Relayed);

/// What all channels cost that a step has.
std::uint64_t cost_of_step(const step_network& network, const channel_weights& weights);

struct load {
  std::uint64_t cost = 0;     ///< of all units
  std::uint64_t of_step = 1;  ///< of all channels of one step
  const char* channels = "";  ///< of which kind
  std::uint64_t steps() const { return divided_up(cost, of_step); }
};

/// The strongest load of: all links; all channels; links of one kind, the other channels free. Links are of a kind if
/// nodes lie to their ends in the same ways, by distance and number of shortest paths: rings and cross links of an
/// Octagon, levels of a tree. (OCTAGON's formulas count the ring alone.)
load heaviest_load(const step_network& network, const traffic& t);

}  // namespace weft::schedule
