// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/zero_load.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "weft/core/router_pipeline.h"
#include "weft/topology/analysis/metrics.h"

namespace weft {

cycle_t zero_load_latency(const topology& t, const router_parameters& router, node_id source, node_id destination,
                          std::uint32_t flits) {
  return zero_load_latency(t, router, source, destination, route_channels(t, source, destination), flits);
}

cycle_t zero_load_latency(const topology& t, const router_parameters& router, node_id source, node_id destination,
                          const std::vector<std::size_t>& channels, std::uint64_t flits) {
  if (flits == 0) throw std::invalid_argument("zero-load latency: flits is 0; expected at least 1");
  const bool stores = router.flow == flow_control::StoreAndForward;
  const cycle_t behind_head = flits - 1;
  cycle_t cycles = 1 + t.nodes[source].cycles;
  cycle_t spacing = 1;  // cycles from a flit to the next one at the router
  for (const std::size_t c : channels) {
    const channel& link = t.channels[c];
    if (stores) cycles += behind_head * std::exchange(spacing, link.phits);
    cycles += router.pipeline + link.cycles + link.phits - 1;
  }
  if (stores) return cycles + behind_head * spacing + router.pipeline + t.nodes[destination].cycles + behind_head;
  const double last = serialisation_cycles(t, router, channels, static_cast<double>(behind_head));
  return cycles + router.pipeline + t.nodes[destination].cycles + static_cast<cycle_t>(last);
}

double serialisation_cycles(const topology& t, const router_parameters& router,
                            const std::vector<std::size_t>& channels, double behind_head) {
  const unsigned catches_up = router_pipeline(router).cycles_to_switch();
  double cycles = behind_head;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto routers_behind = static_cast<double>(channels.size() - i);
    cycles = std::max(cycles, behind_head * t.channels[channels[i]].phits - routers_behind * catches_up);
  }
  return cycles;
}

unsigned streaming_depth(unsigned crossbar_cycles, unsigned link_cycles) {
  return crossbar_cycles + 2 * link_cycles + 2;
}

}  // namespace weft
