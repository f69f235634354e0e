// SPDX-License-Identifier: Apache-2.0
/// The channels between two halves of a network.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/topology/analysis/full_grid.h"
#include "weft/topology/topology.h"

namespace weft {

struct bisection {
  std::size_t channels = 0;     ///< from one half to the other, one way; the more where the two ways differ
  bool exact = true;            ///< no other halves have fewer
  std::string method;           ///< which halves, and how they were found
  std::vector<bool> low;        ///< by router, whether it is in the one half; empty where there are no halves
  std::vector<bool> low_nodes;  ///< by node, the same
};

/// Halves with as even a number of nodes as whole routers allow, and the fewest channels between them. A node belongs
/// to its router; one that is joined to several routers is on a side of its own choice, and its channels to routers on
/// the other side count. Routers without nodes fall on either side.
///
/// - A full grid whose sides are all lines or all rings: half of the routers in the order of their coordinates, the
///   longest side's first; proven least by Azizoğlu and Eğecioğlu (2003).
/// - Networks of up to 24 routers, 18 where nodes are joined to several: all partitions.
/// - Others: the best of several partitions by METIS (Karypis and Kumar 1998), evened out, with routers without nodes
///   placed by maximum flow; also of the lower-numbered and the higher-numbered half. No more than an upper bound.
bisection find_bisection(const topology& t, const std::optional<full_grid>& grid);

/// What find_bisection() does with small networks; of at most 24 routers.
bisection search_bisection(const topology& t);
/// What it does with large ones.
bisection partition_bisection(const topology& t);

}  // namespace weft
