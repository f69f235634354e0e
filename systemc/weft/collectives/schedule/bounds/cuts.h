// SPDX-License-Identifier: Apache-2.0
/// The cut argument: the units that must leave a set of nodes, divided by the transfers that can leave it in a step.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/bounds/traffic.h"

namespace weft::schedule {

struct cut {
  node_set inside;             ///< empty: no unit has to move
  std::uint64_t leaving = 0;   ///< units that must travel from nodes inside to other nodes
  std::uint64_t channels = 1;  ///< transfers possible in one step: the maximum flow, which includes channels of nodes
  std::uint64_t steps() const { return divided_up(leaving, channels); }
};

/// Maximum number of nodes for which narrowest_cut() examines all sets.
inline constexpr std::size_t AllCutsUpTo = 12;

/// The cut with the most steps. Every set yields a valid bound. In networks of up to AllCutsUpTo nodes, all sets are
/// examined. In larger ones: the sets in \p also, single nodes, nodes nearer to one end of a link than to the other
/// (rows, subtrees, parts of rings), balls around routers, intervals of node numbers, and the complement of each. The
/// best sets are improved by moving single nodes. The effort is limited, so networks of thousands of nodes are examined
/// only in part.
/// \throws std::invalid_argument if nodes must reach others that they cannot reach, and for sets of the wrong size
cut narrowest_cut(const step_network& network, const traffic& t, const std::vector<node_set>& also = {});

}  // namespace weft::schedule
