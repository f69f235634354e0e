// SPDX-License-Identifier: Apache-2.0
/// What the ports of a router lead to.
#pragma once

#include <vector>

#include "weft/core/parameters.h"
#include "weft/pin/router/output_depths.h"
#include "weft/topology/topology.h"

namespace weft::pin {

struct router_surroundings {
  std::vector<unsigned> depths;  ///< for each output port, the buffer behind it; see output_depths
  std::vector<unsigned> phits;   ///< for each output port, channel::phits; empty if no channel is narrow
  port_set node_ports = 0;       ///< ports that lead to nodes
};

/// The surroundings of each router of \p graph.
inline std::vector<router_surroundings> surroundings_of(const topology& graph, const router_parameters& parameters,
                                                        const nic_parameters& nics) {
  std::vector<router_surroundings> all;
  for (const router_info& r : graph.routers)
    all.push_back({std::vector<unsigned>(r.ports, output_depths::of_routers(parameters)), {}, 0});
  for (const channel& c : graph.channels) {
    if (c.phits == 1) continue;
    all[c.from.router].phits.resize(graph.routers[c.from.router].ports, 1);
    all[c.from.router].phits[c.from.port] = c.phits;
  }
  for (const node_attachment& node : graph.nodes) {
    for (const port_ref& at : node.ports) {
      all[at.router].node_ports |= 1U << at.port;
      if (!shares_credits_of_node(parameters, nics)) all[at.router].depths[at.port] = nics.credits_for_router();
    }
  }
  return all;
}

}  // namespace weft::pin
