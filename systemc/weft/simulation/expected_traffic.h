// SPDX-License-Identifier: Apache-2.0
/// Computes properties of the traffic of a workload without simulation.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// The parts of the zero-load latency, which packets have if they meet no other packets. They are the terms of
/// zero_load_latency(), as means over all packets in cycles. The stages of NICs are not included.
struct zero_load_parts {
  double injection = 0;      ///< register of the NIC and channel to the router
  double routers = 0;        ///< pipelines of the routers traversed
  double arrival = 0;        ///< with store and forward: arrival of the flits behind the head in each of these routers
  double links = 0;          ///< channels between routers
  double ejection = 0;       ///< channel to the node
  double serialisation = 0;  ///< flits behind the head

  double sum() const { return injection + routers + arrival + links + ejection + serialisation; }
};

struct expected_traffic {
  /// Upper bound of the throughput of a network with these channels and this routing, in flits per cycle. It is the
  /// load of each sending node or, with a matrix or several traffics, the mean load of all nodes.
  double ideal_throughput = 0;
  std::optional<double> offered;  ///< mean load of all nodes if a matrix or several traffics give it
  std::string limit;              ///< the resource that limits the throughput
  zero_load_parts zero_load;
  /// Several traffics: the names of those that are no closed loops, and their zero-load latencies in cycles.
  std::vector<std::pair<std::string, double>> of_traffics;
  std::size_t destinations = 0;  ///< number of sampled destinations in the means; 0: all
};

/// Computes the properties from the patterns and the mean packet lengths of \p c. Of several traffics, only those that
/// are no closed loops count; has_pattern() must hold for \p c. \p graph is the network of \p c, and
/// \p uniform the result of find_loads() for this network. With adaptive routing, latencies assume that packets take
/// each of their choices equally often. With adaptive routing or sampled destinations, the bound of the throughput
/// follows from the hops of shortest paths, in networks of at most 4,096 nodes. At least one node sends, because a
/// network has at least two nodes.
expected_traffic expect_traffic(const configuration& c, const topology& graph, const expected_loads& uniform);

}  // namespace weft::experiment
