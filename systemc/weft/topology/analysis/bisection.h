// SPDX-License-Identifier: Apache-2.0
/// Finds bisections: divisions of a network into two halves with few channels between them.
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

/// Finds two halves with few channels between them. Their numbers of nodes are as equal as they can be with whole
/// routers: a node belongs to the half of its router. A node with ports at several routers may belong to either half;
/// its channels to routers in the other half count. Routers without nodes may be in either half.
/// - In a full grid whose sides are all lines or all rings, the halves are the first and the second half of the routers
///   in the order of their coordinates, longest side first. Azizoğlu and Eğecioğlu (2003) prove that this is the
///   minimum.
/// - In a network of up to 24 routers (18 if a node is attached to several), all partitions are compared.
/// - In any other network, the result is the best of several partitions by METIS (Karypis and Kumar 1998) and of the
///   split by router number. All are balanced first, and routers without nodes are placed by maximum flow. The number
///   of channels is then only an upper bound of the minimum.
bisection find_bisection(const topology& t, const std::optional<full_grid>& grid);

/// Compares all partitions. find_bisection() calls this function for networks of at most 24 routers.
bisection search_bisection(const topology& t);
/// Searches by heuristics. find_bisection() calls this function for larger networks.
bisection partition_bisection(const topology& t);

}  // namespace weft
