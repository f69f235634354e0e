// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/send_sequence.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "weft/topology/analysis/zero_load.h"

namespace weft::schedule {
namespace {

/// Assigns ports and channels of a topology to the transfers of one step.
class step_router {
 public:
  step_router(const topology& t, const step_network& network) : m_topology(t), m_network(network) {}

  transfer_route route(const transfer& t) {
    transfer_route route;
    for (const channel_id id : t.path) {
      const step_channel& c = m_network.channels()[id];
      if (c.members.empty()) continue;  // a channel of a node, or between a node's hub and a router
      route.channels.push_back(c.members.at(m_used[id]++));
    }
    const vertex_id first = m_network.channels()[t.path[first_router(t.path)]].to;
    const vertex_id last = m_network.channels()[t.path[last_router(t.path)]].from;
    route.out = free_port(t.from, first, m_sending, "send");
    route.in = free_port(t.to, last, m_receiving, "receive");
    return route;
  }

 private:
  using port_list = std::set<std::pair<node_id, std::size_t>>;

  bool is_router(vertex_id v) const { return v >= m_network.nodes() && v < m_network.nodes() + m_network.routers(); }

  /// Returns the index of the channel that enters the first router, or of the channel that leaves the last router.
  std::size_t first_router(const channel_path& path) const {
    std::size_t i = 0;
    while (!is_router(m_network.channels()[path[i]].to)) ++i;
    return i;
  }
  std::size_t last_router(const channel_path& path) const {
    std::size_t i = path.size() - 1;
    while (!is_router(m_network.channels()[path[i]].from)) --i;
    return i;
  }

  std::size_t free_port(node_id node, vertex_id router, port_list& taken, const char* verb) const {
    const std::vector<port_ref>& ports = m_topology.nodes[node].ports;
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (m_network.router(ports[p].router) == router && taken.insert({node, p}).second) return p;
    }
    const auto there = static_cast<std::size_t>(std::count_if(
        ports.begin(), ports.end(), [&](const port_ref& p) { return m_network.router(p.router) == router; }));
    throw std::invalid_argument(
        fmt::format("node {0} must {1} {2} packets at once at {3}, but has {4} port{5} there; set nic.ports to "
                    "{2}",
                    node, verb, there + 1, m_network.name(router), there, there == 1 ? "" : "s"));
  }

  const topology& m_topology;
  const step_network& m_network;
  std::map<channel_id, std::size_t> m_used;
  port_list m_sending, m_receiving;
};

}  // namespace

std::vector<transfer_route> routes_of(const topology& t, const step_network& network, const step& s) {
  step_router router(t, network);
  std::vector<transfer_route> routes;
  for (const transfer& one : s) routes.push_back(router.route(one));
  return routes;
}

std::vector<ordered_transfer> in_order(const topology& t, const step_network& network, const step_schedule& s) {
  std::vector<ordered_transfer> all;
  for (std::size_t i = 0; i < s.steps.size(); ++i) {
    std::vector<transfer_route> routes = routes_of(t, network, s.steps[i]);
    for (std::size_t j = 0; j < routes.size(); ++j) all.push_back({i, &s.steps[i][j], std::move(routes[j])});
  }
  std::stable_sort(all.begin(), all.end(), [](const ordered_transfer& a, const ordered_transfer& b) {
    return std::tie(a.step, a.what->from, a.route.out) < std::tie(b.step, b.what->from, b.route.out);
  });
  return all;
}

void set_send_sequences(topology& t, const std::vector<ordered_transfer>& transfers, unsigned vcs) {
  t.algorithm = "programme";
  t.routing.assign(t.routers.size(), source_rule{first_vcs(vcs)});
  for (node_attachment& node : t.nodes) node.path_ids = path_selector();
  for (const ordered_transfer& one : transfers) {
    std::vector<unsigned> ports;
    for (const std::size_t c : one.route.channels) ports.push_back(t.channels[c].from.port);
    ports.push_back(t.nodes[one.what->to].ports[one.route.in].port);
    try {
      t.nodes[one.what->from].path_ids.send_sequence.push_back(
          {static_cast<std::uint32_t>(one.route.out), source_path::pack(ports)});
    } catch (const std::length_error& e) {
      throw std::invalid_argument(fmt::format("step {}: the path from node {} to node {} turns too often: {}",
                                              one.step + 1, one.what->from, one.what->to, e.what()));
    }
  }
}

cycle_t latency_alone(const topology& t, const router_parameters& router, const ordered_transfer& transfer,
                      std::uint64_t flits) {
  return zero_load_latency(t, router, transfer.what->from, transfer.what->to, transfer.route.channels, flits);
}

}  // namespace weft::schedule
