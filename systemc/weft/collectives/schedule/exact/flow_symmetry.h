// SPDX-License-Identifier: Apache-2.0
/// Equivalence classes of the channels and origins of a scatter.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/bounds/traffic.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Color classes, from 0: channels, and origins, of one color cannot be distinguished by color refinement of the linear
/// program of flows (Grohe, Kersting, Mladenov, Selman: Dimension Reduction via Colour Refinement, ESA 2014). Its
/// minimum T is the same if channels of one color have the same weight. Coarser colors, for example from a hash
/// collision, would make the bound weaker but never wrong.
struct flow_colours {
  std::vector<std::size_t> channels;  ///< by channel
  std::size_t channel_colours = 0;
  std::vector<std::vector<node_id>> origins;  ///< for each color, the origins that have anything to send
};

/// Gives each element its own color if there are more than a few million pairs of origin and channel.
/// \throws time_is_over
flow_colours find_flow_colours(const step_network& network, const traffic& t, const search_control& control = {});

}  // namespace weft::schedule
