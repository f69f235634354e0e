// SPDX-License-Identifier: Apache-2.0
/// Channels and origins that a scatter uses alike.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/schedule/bounds/traffic.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

/// Colours from 0: channels, and origins, of one colour cannot be told apart by colour refinement of the linear program
/// of flows (Grohe, Kersting, Mladenov, Selman: Dimension Reduction via Colour Refinement, ESA 2014): its least T is
/// the same if channels of one colour have one weight. Coarser colours, as from a collision of hashes, would make the
/// bound weaker, never wrong.
struct flow_colours {
  std::vector<std::size_t> channels;  ///< by channel
  std::size_t channel_colours = 0;
  std::vector<std::vector<node_id>> origins;  ///< of each colour, those with anything to send
};

/// One colour for each, where there are more than some millions of pairs of origin and channel.
/// \throws time_is_over
flow_colours find_flow_colours(const step_network& network, const traffic& t, const search_control& control = {});

}  // namespace weft::schedule
