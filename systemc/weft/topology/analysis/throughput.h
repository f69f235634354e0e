// SPDX-License-Identifier: Apache-2.0
/// Upper bounds on the throughput of uniform traffic, for any routing and for given loads of the channels.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// Upper bounds of the number of flits that a node sends per cycle, and the resource that limits it.
struct throughput_bound {
  double equal;        ///< if all nodes send the same amount
  double mean;         ///< for the mean over all nodes if some may send more than others; at least `equal`
  std::string method;  ///< the resource that limits `equal`
};

/// Flits per cycle that all channels between routers carry together.
double capacity_of_all(const topology& t);

/// The highest quotient of the load and the capacity of a channel; \p loads are those of the first channels.
double highest_utilisation(const topology& t, const std::vector<double>& loads);

/// Bounds that hold for any routing. The limiting resources are injection, cuts through coordinates, single routers,
/// subtrees and the cut between the \p halves, if they are not empty.
/// \param mean_distances mean distance of each node; if not empty, the number of channels divided by the hops that
/// packets cannot avoid is a further bound
/// \param others         number of nodes that each node sends to: N - 1, or N including itself
throughput_bound bound_throughput(const topology& t, const std::vector<bool>& halves,
                                  const std::vector<double>& mean_distances, double others);

/// The maximum mean number of flits that nodes can send per cycle if routing loads channels as \p loads [channel][node]
/// states. It is the optimum of a linear program, found by the simplex method.
double most_throughput(const topology& t, const std::vector<std::vector<double>>& loads);

}  // namespace weft
