// SPDX-License-Identifier: Apache-2.0
/// The queues that the packets of flows pass: source queues, and input VCs of routers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/bounds/flow_paths.h"
#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"
#include "weft/workload/flows.h"

namespace weft {

using queue_index = std::uint32_t;
inline constexpr queue_index NoQueue = ~queue_index{0};

/// The passage of a flow through a queue.
struct queue_visit {
  std::size_t flow = 0;
  queue_index queue = 0;
  queue_index next = NoQueue;  ///< the queue behind it; NoQueue: the node that receives the packets
  std::size_t output = 0;      ///< index into queue_network::outputs
  unsigned in_cycles = 0;      ///< from the departure from the queue before to the arrival of a flit; 0: at the source
  unsigned out_cycles = 0;     ///< from the departure to the arrival in the queue behind, or at the node
  unsigned credit_cycles = 0;  ///< from a departure from the queue behind until its credit counts here
  cycle_t switch_wait = 1;     ///< longest time from the request of a flit for the switch to its grant, ≥ 1
  bool unlimited = false;      ///< whether switch_wait has no known limit
};

/// The visits of one queue that compete for an output.
struct output_share {
  queue_index queue = 0;
  std::vector<std::size_t> visits;  ///< indices into queue_network::visits
};

/// A queue and the flows in it.
struct flow_queue {
  bool at_source = false;
  unsigned depth = 0;               ///< in flits; source queues have no limit
  std::vector<std::size_t> visits;  ///< indices into queue_network::visits
};

struct queue_network {
  std::vector<flow_queue> queues;
  std::vector<queue_visit> visits;  ///< flow by flow, in the order of the path
  std::vector<std::size_t> first;   ///< by flow: its first visit; last the number of visits
  /// By output, which is an output VC or, at a node with several source queues, its port: the queues that compete for
  /// it.
  std::vector<std::vector<output_share>> outputs;
};

/// Builds the queues of \p flows, which have the paths \p paths. Flows without a path are left out.
queue_network build_queues(const topology& graph, const router_parameters& router, const nic_parameters& nic,
                           const std::vector<regulated_flow>& flows, const std::vector<flow_path>& paths);

}  // namespace weft
