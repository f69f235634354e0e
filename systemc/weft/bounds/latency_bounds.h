// SPDX-License-Identifier: Apache-2.0
/// Bounds on the latency of regulated flows, by network calculus.
///
/// A packet waits in queues: the source queue of its node, and an input VC in each router on its path. All queues are
/// first in, first out. The worst service time of a packet in a queue follows from the round-robin arbiters of the
/// router, with back-pressure by the queue behind it; the time that it waits behind other packets follows from the
/// rates and bursts of the flows, or from the size of the buffer. docs/03_reference/latency_bounds.md describes
/// the analysis.
///
/// Sources: D. Rahmati et al., "Computing Accurate Performance Bounds for Best Effort Networks-on-Chip", IEEE Trans.
/// Computers 62(3), 2013 (service times with back-pressure and round robin, from the destination back to the source);
/// R. L. Cruz, "A Calculus for Network Delay", IEEE Trans. Information Theory 37(1), 1991 (token buckets, FIFO queues,
/// and bursts that grow with the delay).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"
#include "weft/workload/flows.h"

namespace weft {

/// The bound of one flow, in cycles.
struct flow_bound {
  /// From the creation of a packet to the delivery of its tail, for all packets; no value: there is no bound.
  std::optional<cycle_t> latency;
  std::string why_not;           ///< why there is no bound
  cycle_t zero_load = 0;         ///< latency of a packet in an empty network
  std::size_t routers = 0;       ///< routers on the path; 0: it has no single path
  std::size_t backpressure = 0;  ///< buffers on the path that other packets may fill
};

/// The bounds of \p flows, which are all packets of the network \p graph.
std::vector<flow_bound> bound_latencies(const topology& graph, const router_parameters& router,
                                        const nic_parameters& nic, const std::vector<regulated_flow>& flows);

}  // namespace weft
