// SPDX-License-Identifier: Apache-2.0
/// Mean load of the channels.
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

/// Loads of uniform traffic to all other nodes. If tracing all packets takes more than \p most_steps hops, only packets
/// to a sample of the destinations, and only some of many path ids, are traced.
expected_loads find_loads(const topology& t, std::size_t most_steps = AffordableSteps);

/// The same, traced even if a formula exists; tests compare the formula with it.
expected_loads follow_loads(const topology& t, std::size_t most_steps);

/// Traffic from one node to another, or to itself.
struct sent_flits {
  node_id source, destination;
  double flits;  ///< per cycle
};

/// Flits per cycle on each channel when nodes send \p pairs: the mean over all path ids that sources may draw and, with
/// adaptive routing, over all choices.
std::vector<double> loads_of_pairs(const topology& t, std::vector<sent_flits> pairs);

/// Share of each node's packets that each channel carries: element [channel][node].
std::vector<std::vector<double>> loads_by_source(const topology& t);

}  // namespace weft
