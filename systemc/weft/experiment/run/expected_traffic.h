// SPDX-License-Identifier: Apache-2.0
/// What can be said of the traffic of a workload without simulating it.
#pragma once

#include <cstddef>
#include <string>

#include "weft/experiment/configuration/configuration.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// Means over all packets, in cycles, of packets that meet no other; the terms of zero_load_latency(). Stages of NICs
/// are not in them.
struct zero_load_parts {
  double injection = 0;      ///< the NIC's register and the channel to the router
  double routers = 0;        ///< pipelines of the routers traversed
  double links = 0;          ///< channels between routers
  double ejection = 0;       ///< the channel to the node
  double serialisation = 0;  ///< flits behind the head

  double sum() const { return injection + routers + links + ejection + serialisation; }
};

struct expected_traffic {
  /// Flits per cycle of each node that sends, all alike, which no network of these channels and this routing exceeds.
  double ideal_throughput = 0;
  std::string limit;  ///< what sets it
  zero_load_parts zero_load;
  std::size_t destinations = 0;  ///< if not 0, means are over packets to so many destinations, not to all
};

/// Of the pattern and the mean packet length of \p c; \p graph is its network, \p uniform its find_loads(). Where
/// routing is adaptive, latencies are as if packets took any of their choices, each as often. There, and where means
/// are of a sample, throughput is bound by the hops of shortest paths, in networks of at most 4,096 nodes. At least one
/// node sends: networks have two or more.
expected_traffic expect_traffic(const configuration& c, const topology& graph, const expected_loads& uniform);

}  // namespace weft::experiment
