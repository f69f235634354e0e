// SPDX-License-Identifier: Apache-2.0
/// Bisections: two halves of a network and the channels between them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/topology/analysis/full_grid.h"
#include "weft/topology/topology.h"

namespace weft {

struct bisection {
  std::size_t channels = 0;     ///< from one half to the other, in the direction that has more channels
  bool exact = true;            ///< no other pair of halves has fewer channels
  std::string method;           ///< describes the halves and how they were found
  std::vector<bool> low;        ///< for each router, whether it is in the first half; empty if there are no halves
  std::vector<bool> low_nodes;  ///< the same for each node
};

/// Finds two halves with node counts as equal as whole routers allow and with the fewest channels between them. A node
/// belongs to its router. A node with ports at several routers may be on either side, and its channels to routers on
/// the other side count. Routers without nodes fall on either side.
/// - A full grid whose sides are all lines or all rings: the halves are the first and the second half of the routers in
///   the order of their coordinates, longest side first. Azizoğlu and Eğecioğlu (2003) prove that this is the minimum.
/// - Networks of up to 24 routers (18 if a node is attached to several): all partitions are compared.
/// - Other networks: the best of several partitions by METIS (Karypis and Kumar 1998) and of the split by router
///   number. The partitions are balanced first, and routers without nodes are placed by maximum flow. The result is an
///   upper bound only.
bisection find_bisection(const topology& t, const std::optional<full_grid>& grid);

/// Exhaustive search, used by find_bisection() for networks of at most 24 routers.
bisection search_bisection(const topology& t);
/// Heuristic search, used by find_bisection() for larger networks.
bisection partition_bisection(const topology& t);

}  // namespace weft
