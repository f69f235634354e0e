// SPDX-License-Identifier: Apache-2.0
/// The cut argument: the number of units that must leave a set of nodes, divided by the number of transfers that can
/// leave the set in a step.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/bounds/traffic.h"

namespace weft::schedule {

struct cut {
  node_set inside;             ///< the set of nodes; empty if no unit has to move
  std::uint64_t leaving = 0;   ///< units that must travel from the set to other nodes
  std::uint64_t channels = 1;  ///< transfers that can leave the set in a step, by maximum flow
  std::uint64_t steps() const { return divided_up(leaving, channels); }
};

/// Up to this number of nodes, narrowest_cut() examines all sets of nodes.
inline constexpr std::size_t AllCutsUpTo = 12;

/// Returns the cut that requires the most steps. Every set yields a valid bound. In networks of up to AllCutsUpTo
/// nodes, all sets are examined. In larger networks, the following sets and their complements are examined: the sets in
/// \p also, single nodes, nodes that are nearer to one end of a link than to the other (such as rows, subtrees, and
/// parts of rings), balls around routers, and intervals of node numbers. The best of them are improved by moving single
/// nodes. The effort is limited, so networks of thousands of nodes are examined only in part.
/// \throws std::invalid_argument if a node must reach a node to which no path leads, and for sets of the wrong size
cut narrowest_cut(const step_network& network, const traffic& t, const std::vector<node_set>& also = {});

}  // namespace weft::schedule
