// SPDX-License-Identifier: Apache-2.0
/// Mean load of each channel.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// Number of hops that can be traced in about a second.
constexpr std::size_t AffordableSteps = std::size_t{1} << 24;

struct expected_loads {
  std::vector<double>
      channels;             ///< flits per cycle and channel at one flit per cycle and node; see uniform_channel_loads
  double mean_route = 0;    ///< hops
  bool by_formula = false;  ///< formula of a symmetric grid, in which all nodes may send as much as the busiest
  std::size_t destinations = 0;  ///< number of sampled destinations; 0: all destinations, or a formula
};

/// Loads of uniform traffic from every node to all other nodes. If tracing all packets takes more than \p most_steps
/// hops, the function traces only packets to a sample of the destinations, and only some of the path ids if there are
/// many.
expected_loads find_loads(const topology& t, std::size_t most_steps = AffordableSteps);

/// Computes the loads as find_loads() does, but traces packets even if a formula exists. Tests compare both results.
expected_loads follow_loads(const topology& t, std::size_t most_steps);

/// Traffic from one node to another node or to itself.
struct sent_flits {
  node_id source, destination;
  double flits;  ///< per cycle
};

/// Flits per cycle on each channel if nodes send \p pairs. The result is the mean over all path ids that sources may
/// draw and, with adaptive routing, over all choices.
std::vector<double> loads_of_pairs(const topology& t, std::vector<sent_flits> pairs);

/// For each channel and node, the share of the node's packets that the channel carries: element [channel][node].
std::vector<std::vector<double>> loads_by_source(const topology& t);

}  // namespace weft
