// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/zero_load.h"

#include <stdexcept>

#include "weft/topology/analysis/metrics.h"

namespace weft {

cycle_t zero_load_latency(const topology& t, const router_parameters& router, node_id source, node_id destination,
                          std::uint32_t flits) {
  return zero_load_latency(t, router, source, destination, route_channels(t, source, destination), flits);
}

cycle_t zero_load_latency(const topology& t, const router_parameters& router, node_id source, node_id destination,
                          const std::vector<std::size_t>& channels, std::uint64_t flits) {
  if (flits == 0) throw std::invalid_argument("zero-load latency: flits is 0; expected at least 1");
  const cycle_t in_router = router.pipeline + (router.flow == flow_control::StoreAndForward ? flits - 1 : 0);
  cycle_t cycles = 1 + t.nodes[source].cycles;
  for (const std::size_t c : channels) cycles += in_router + t.channels[c].cycles;
  return cycles + in_router + t.nodes[destination].cycles + flits - 1;
}

unsigned streaming_depth(unsigned crossbar_cycles, unsigned link_cycles) {
  return crossbar_cycles + 2 * link_cycles + 2;
}

}  // namespace weft
