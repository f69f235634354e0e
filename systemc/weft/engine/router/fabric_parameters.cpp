// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/router/fabric_parameters.h"

#include <algorithm>

#include "weft/core/router_pipeline.h"
#include "weft/core/vc_classes.h"
#include "weft/engine/base/vc_numbering.h"

namespace weft::engine {

namespace {

std::size_t nic_ports_of(const topology& graph) {
  std::size_t count = 0;
  for (const node_attachment& n : graph.nodes) count += n.ports.size();
  return count;
}

router_id in_whole_regions(std::size_t count) {
  return static_cast<router_id>((count + RegionRouters - 1) / RegionRouters * RegionRouters);
}

unsigned most_ports(const topology& graph) {
  unsigned most = 1;
  for (const router_info& r : graph.routers) most = std::max(most, r.ports);
  return most;
}

cycle_t lookahead_of(const topology& graph) {
  unsigned least = fabric_parameters::MostCyclesAtOnce;
  for (const channel& c : graph.channels) least = std::min(least, 1 + c.cycles);
  for (const node_attachment& n : graph.nodes) least = std::min(least, 1 + n.cycles);
  return least;
}

/// Number of slots for heads in a FIFO: one for each packet that can have a flit in it, and one for a packet that got
/// its VC and waits for a credit. For a NIC that accepts everything: one for each head that can be in flight to it, and
/// for those that routers send in the cycles that they are ahead of the NIC.
unsigned slots_of(const topology& graph, const router_parameters& parameters) {
  constexpr unsigned Allocation = 3;  // one cycle for each allocator, and one for the packet that begins
  const auto ahead = static_cast<unsigned>(lookahead_of(graph));
  unsigned most = parameters.depth + 1;
  for (const node_attachment& n : graph.nodes)
    most = std::max(most, Allocation + router_pipeline(parameters).crossbar_cycles() + n.cycles + ahead);
  return 1U << bits_for(most);
}

unsigned longest_of(const topology& graph) {
  unsigned most = 1;
  for (const channel& c : graph.channels) most = std::max(most, c.cycles + c.phits - 1);
  for (const node_attachment& n : graph.nodes) most = std::max(most, n.cycles);
  return most;
}

bool is_uniform(const topology& graph) {
  const unsigned most = longest_of(graph);
  const auto is_longest = [most](const auto& c) { return c.cycles == most; };
  return std::all_of(graph.channels.begin(), graph.channels.end(), is_longest) &&
         std::all_of(graph.nodes.begin(), graph.nodes.end(), is_longest);
}

}  // namespace

fabric_parameters::fabric_parameters(const topology& graph, const router_parameters& parameters,
                                     const nic_parameters& nic)
    : routers(graph.routers.size()),
      nic_ports(nic_ports_of(graph)),
      first_nic(in_whole_regions(graph.routers.size())),
      ports(most_ports(graph)),
      vcs(parameters.vcs),
      class_vcs(vcs_of_class(parameters)),
      depth(parameters.depth),
      sharing(sharing_of(parameters)),
      ejection_depth(nic.credits_for_router()),
      nodes_share(shares_credits_of_node(parameters, nic)),
      slots(slots_of(graph, parameters)),
      rules(output_vc_rules_of(parameters)),
      vc_allocator(parameters.vc_allocator),
      switch_allocator(parameters.switch_allocator),
      speculation(parameters.speculation),
      priority(parameters.priority),
      starvation_guard(parameters.starvation_guard),
      hold_switch(parameters.hold_switch),
      input_speedup(parameters.input_speedup),
      stores_packets(parameters.flow == flow_control::StoreAndForward),
      routes_on_arrival(parameters.lookahead_routing),
      same_cycle(router_pipeline(parameters).sa_follows_va_in_a_cycle()),
      cycles_to_switch(router_pipeline(parameters).cycles_to_switch()),
      stages(router_pipeline(parameters).crossbar_cycles()),
      longest(longest_of(graph)),
      uniform(is_uniform(graph)),
      narrow(has_narrow_channels(graph)),
      lookahead(lookahead_of(graph)) {}

}  // namespace weft::engine
