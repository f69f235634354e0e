// SPDX-License-Identifier: Apache-2.0
/// How much uniform traffic a network can carry, whatever its routers do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// Bounds of the flits that a node sends per cycle, and what sets them.
struct throughput_bound {
  double equal;        ///< all nodes send alike
  double mean;         ///< of all nodes, some of which may send more than others; at least as much
  std::string method;  ///< of the first
};

/// Bounds that hold for any routing: of what nodes inject, of cuts through coordinates, single routers, subtrees and
/// the
/// \p halves given (empty: none), and, where \p mean_distances has an element for each node, of the channels there are
/// for the hops that packets cannot avoid. \p others: nodes that each node sends to, N - 1 or, itself included, N.
throughput_bound bound_throughput(const topology& t, const std::vector<bool>& halves,
                                  const std::vector<double>& mean_distances, double others);

/// The most that nodes can send on average when routing loads channels as \p loads says, by channel and node: a linear
/// program, solved by the simplex method.
double most_throughput(const topology& t, const std::vector<std::vector<double>>& loads);

}  // namespace weft
