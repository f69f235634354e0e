// SPDX-License-Identifier: Apache-2.0
/// Networks that are whole, but too large for the routing that they are to have.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/topology/topology.h"

namespace weft {

/// Thrown by routing functions. What needs no routing can still be said of the network.
class too_large_to_route : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The same of a file, with the network that the file describes: routers, channels and nodes, no routing functions.
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
