// SPDX-License-Identifier: Apache-2.0
#include "weft/bounds/latency_bounds.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "weft/bounds/delay_analysis.h"
#include "weft/bounds/flow_paths.h"
#include "weft/bounds/queue_network.h"
#include "weft/core/router_pipeline.h"

namespace weft {

namespace {

/// Why the analysis does not apply to the links, routers or NICs of a network; empty if it does.
std::string unsupported_choice(const topology& graph, const router_parameters& router, const nic_parameters& nic) {
  if (has_narrow_channels(graph)) return "links are narrower than flits";
  if (router.flow != flow_control::Wormhole) return "the routers reserve buffers for whole packets";
  if (!(router.vc_allocator == allocator_parameters() && router.switch_allocator == allocator_parameters()))
    return "the analysis is for the default allocators only";
  if (router.speculation != speculation_kind::None) return "the routers are speculative";
  if (router.priority != priority_kind::None) return "flits have priorities";
  if (router.hold_switch || router.input_speedup != 1) return "the switch has another rule than the default";
  if (shares_buffer(router)) return "the VCs of a port share their buffer";
  if (router.reallocation != vc_reallocation::AfterTail || router.busy_when_full || router.prefer_empty)
    return "output VCs have another rule than the default";
  if (nic.credits_for_router() != 0) return "nodes have ejection buffers";
  if (nic.compression.enabled() || nic.coding.enabled) return "NICs have stages that change packets";
  return {};
}

}  // namespace

std::vector<flow_bound> bound_latencies(const topology& graph, const router_parameters& router,
                                        const nic_parameters& nic, const std::vector<regulated_flow>& flows) {
  const wiring wires(graph);
  std::vector<flow_path> paths;
  std::vector<flow_bound> bounds(flows.size());
  std::string no_bound = unsupported_choice(graph, router, nic);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    paths.push_back(find_flow_path(graph, wires, router, flows[f]));
    if (!paths[f].why_not.empty() && no_bound.empty())
      no_bound = fmt::format("flow {} has no single path: {}", flows[f].name, paths[f].why_not);
    bounds[f].routers = paths[f].hops.size();
    if (paths[f].hops.empty()) continue;
    cycle_t cycles = 1 + paths[f].in_cycles + flows[f].flits - 1;
    for (const flow_hop& hop : paths[f].hops) cycles += router.pipeline + hop.out_cycles;
    bounds[f].zero_load = cycles;
  }
  const auto none = [&](const std::string& why) {
    for (flow_bound& b : bounds) b.why_not = why;
    return bounds;
  };
  if (!no_bound.empty()) return none(no_bound);
  const queue_network network = build_queues(graph, router, nic, flows, paths);
  delay_analysis analysis(network, flows, router);
  if (analysis.has_ring()) return none("packets can wait for each other in a ring");
  analysis.run();
  const bool unlimited =
      std::any_of(network.visits.begin(), network.visits.end(), [](const queue_visit& v) { return v.unlimited; });
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const double latency = analysis.latency_of(f);
    bounds[f].backpressure = analysis.backpressure_of(f);
    if (std::isfinite(latency))
      bounds[f].latency = static_cast<cycle_t>(std::floor(latency + 1e-6));
    else if (unlimited)
      bounds[f].why_not =
          "an input port has three VCs in use, and the analysis has no limit for how often two of them are served "
          "before the third";
    else
      bounds[f].why_not =
          "its source queue may grow without limit, because the packets of its node arrive faster than "
          "their worst service permits; increase network.router.depth, or lower rates and bursts on the path";
  }
  return bounds;
}

}  // namespace weft
