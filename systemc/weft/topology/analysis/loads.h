// SPDX-License-Identifier: Apache-2.0
/// Where packets go, on average.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// Hops that are followed in about a second.
constexpr std::size_t AffordableSteps = std::size_t{1} << 24;

struct expected_loads {
  std::vector<double>
      channels;             ///< flits per cycle and channel at one flit per cycle and node; see uniform_channel_loads
  double mean_route = 0;    ///< hops
  bool by_formula = false;  ///< of a grid, where no part of it is favoured: all nodes may send as the busiest do
  std::size_t destinations = 0;  ///< that stand for all; 0: all were followed, or a formula gives the loads
};

/// Of uniform traffic to all other nodes. Where following all packets would take more than \p most_steps hops, only
/// those to some destinations are followed, and of many ways only some.
expected_loads find_loads(const topology& t, std::size_t most_steps = AffordableSteps);

/// By following packets also where a formula is known: what the formula is tested against.
expected_loads follow_loads(const topology& t, std::size_t most_steps);

/// What a node sends to another, or to itself.
struct sent_flits {
  node_id source, destination;
  double flits;  ///< per cycle
};

/// Flits per cycle on each channel when nodes send what \p pairs say: the mean over all ways that sources may draw and,
/// where routing is adaptive, over all choices.
std::vector<double> loads_of_pairs(const topology& t, std::vector<sent_flits> pairs);

/// Share of each node's packets that each channel carries: element [channel][node].
std::vector<std::vector<double>> loads_by_source(const topology& t);

}  // namespace weft
