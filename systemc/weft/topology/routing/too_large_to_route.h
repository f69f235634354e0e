// SPDX-License-Identifier: Apache-2.0
/// Exceptions for networks that are well formed but too large for their routing.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/topology/topology.h"

namespace weft {

/// Thrown by routing functions for a network that is too large. The network remains usable for analyses that need no
/// routing.
class too_large_to_route : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Thrown by file readers if the network of a file is too large to route. Contains the network that the file describes:
/// routers, channels and nodes, without routing functions.
class unrouted_network : public input_error {
 public:
  unrouted_network(std::vector<diagnostic> found, topology graph)
      : input_error(std::move(found)), m_graph(without_routing(std::move(graph))) {}
  const topology& graph() const { return *m_graph; }

 private:
  static std::shared_ptr<const topology> without_routing(topology graph) {
    graph.algorithm.clear();
    graph.routing.assign(graph.routers.size(), route_rule());
    return std::make_shared<const topology>(std::move(graph));
  }

  std::shared_ptr<const topology> m_graph;
};

}  // namespace weft
