// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/collective_bounds.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/collectives/communication/collective_generators.h"
#include "weft/collectives/communication/collective_hops.h"
#include "weft/collectives/schedule/bounds/load.h"
#include "weft/collectives/schedule/bounds/ports.h"

namespace weft {
namespace {

using schedule::step_network;
using schedule::traffic;

traffic traffic_of(const collective_parameters& p, std::size_t nodes) {
  std::vector<std::uint64_t> units(nodes, 0);
  schedule::node_set receives(nodes, false);
  for (std::size_t s = 0; s < p.sources.size(); ++s) {
    units[p.sources[s]] = std::uint64_t{p.lengths[p.lengths.size() == 1 ? 0 : s]} * p.packets;
  }
  for (const node_id r : p.receivers) receives[r] = true;
  switch (p.operation) {
    case collective_operation::Scatter:
      return {traffic::kind::Personal, std::move(units), std::move(receives)};
    case collective_operation::Reduce:
    case collective_operation::AllReduce:
      return {traffic::kind::Summed, std::move(units), std::move(receives)};
    case collective_operation::Broadcast:
    case collective_operation::Gather:
      break;
  }
  return {traffic::kind::Shared, std::move(units), std::move(receives)};
}

/// Whether a path through a node can be shorter than any path through routers only.
bool nodes_join_routers(const step_network& channels) {
  for (node_id n = 0; n < channels.nodes(); ++n) {
    if (channels.out(n).size() > 1) return true;
  }
  return false;
}

std::uint64_t hops_to_receivers(const collective_parameters& p, const collective_network& network, const traffic& t) {
  collective_parameters all_at_once;
  all_at_once.sources = p.sources;
  all_at_once.packets = p.packets;
  const bool everyone = p.receivers.size() == network.nodes;
  if (everyone && p.lengths.size() == 1 && has_closed_form(all_at_once, network)) {
    return total(collective_hops(all_at_once, network)).hops * p.lengths.front();
  }
  std::uint64_t hops = 0;
  for (const node_id s : p.sources) {
    for (const node_id r : p.receivers) hops += t.units(s) * network.distance(s, r);
  }
  return hops;
}

std::uint64_t flit_hops(const collective_parameters& p, const collective_network& network, const traffic& t,
                        const step_network& channels) {
  if (t.what() == traffic::kind::Personal && !nodes_join_routers(channels)) return hops_to_receivers(p, network, t);
  return schedule::least_cost(channels, t, schedule::on_links(channels));
}

}  // namespace

std::uint64_t collective_floors::cycles() const { return std::max({injection, ejection, cut}); }

collective_floors collective_bounds(const collective_parameters& parameters, const collective_network& network,
                                    const step_network& channels, const std::vector<schedule::node_set>& also) {
  const collective_parameters p = checked(parameters, network);
  if (channels.nodes() != network.nodes) {
    throw std::invalid_argument(fmt::format("channels: they connect {} nodes, expected the {} nodes of the network",
                                            channels.nodes(), network.nodes));
  }
  const traffic t = traffic_of(p, network.nodes);
  collective_floors floors;
  floors.flit_hops = flit_hops(p, network, t, channels);
  floors.injection = schedule::busiest_sender(channels, t).steps();
  floors.ejection = schedule::busiest_receiver(channels, t).steps();
  floors.cut = schedule::narrowest_cut(channels, t, also).steps();
  return floors;
}

}  // namespace weft
