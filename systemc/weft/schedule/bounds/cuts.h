// SPDX-License-Identifier: Apache-2.0
/// The argument of cuts: what must leave a set of nodes, over the transfers that can leave it in a step.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/schedule/bounds/traffic.h"

namespace weft::schedule {

struct cut {
  node_set inside;             ///< empty: nothing must go anywhere
  std::uint64_t leaving = 0;   ///< units that must go from nodes inside to others
  std::uint64_t channels = 1;  ///< transfers that can, in one step: maximum flow, channels of nodes included
  std::uint64_t steps() const { return divided_up(leaving, channels); }
};

/// Nodes up to which narrowest_cut() tries all sets.
inline constexpr std::size_t AllCutsUpTo = 12;

/// The cut that takes longest. Every set gives a valid bound; of networks of up to AllCutsUpTo nodes all are tried. Of
/// larger ones: the sets of \p also, single nodes, nodes nearer to one end of a link than to the other (rows, subtrees,
/// parts of rings), balls around routers, intervals of node numbers; each and what is left of the network. The best
/// ones are improved node by node. The effort is bounded, so in networks of thousands of nodes only a part is tried.
/// \throws std::invalid_argument where nodes must reach others that they cannot
cut narrowest_cut(const step_network& network, const traffic& t, const std::vector<node_set>& also = {});

}  // namespace weft::schedule
