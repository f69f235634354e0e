// SPDX-License-Identifier: Apache-2.0
/// Finds channels and origins of a scatter that are equivalent, so that the flow bound needs only one of them.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/bounds/traffic.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Colors of channels and of origins, numbered from 0. Color refinement of the linear program of flows cannot
/// distinguish elements of one color (Grohe, Kersting, Mladenov, Selman: Dimension Reduction via Colour Refinement, ESA
/// 2014). The minimum T of the linear program does not change if all channels of one color have the same weight. If a
/// hash collision gave several classes the same color, the bound would be weaker but still valid.
struct flow_colours {
  std::vector<std::size_t> channels;  ///< color of each channel
  std::size_t channel_colours = 0;
  std::vector<std::vector<node_id>> origins;  ///< for each color, the origins that have messages to send
};

/// Computes the colors. If there are more than a few million pairs of origin and channel, each element gets a color of
/// its own.
/// \throws time_is_over
flow_colours find_flow_colours(const step_network& network, const traffic& t, const search_control& control = {});

}  // namespace weft::schedule
