// SPDX-License-Identifier: Apache-2.0
/// Properties of the traffic of a workload that need no simulation.
#pragma once

#include <cstddef>
#include <string>

#include "weft/configuration/configuration.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// Parts of the zero-load latency, means over all packets in cycles, for packets that meet no others: the terms of
/// zero_load_latency(). Excludes stages of NICs.
struct zero_load_parts {
  double injection = 0;      ///< register of the NIC and channel to the router
  double routers = 0;        ///< pipelines of the routers traversed
  double links = 0;          ///< channels between routers
  double ejection = 0;       ///< channel to the node
  double serialisation = 0;  ///< flits behind the head

  double sum() const { return injection + routers + links + ejection + serialisation; }
};

struct expected_traffic {
  /// Upper bound in flits per cycle and sending node, equal for all, that no network with these channels and this
  /// routing exceeds.
  double ideal_throughput = 0;
  std::string limit;  ///< the resource that limits it
  zero_load_parts zero_load;
  std::size_t destinations = 0;  ///< if not 0, means are over packets to this many sampled destinations
};

/// Computes the properties from the pattern and the mean packet length of \p c. \p graph is its network, \p uniform its
/// find_loads(). With adaptive routing, latencies assume that packets take each of their choices equally often. In this
/// case, and if means are from a sample, throughput is bounded by the hops of shortest paths, in networks of at most
/// 4,096 nodes. At least one node sends, because networks have two or more.
expected_traffic expect_traffic(const configuration& c, const topology& graph, const expected_loads& uniform);

}  // namespace weft::experiment
