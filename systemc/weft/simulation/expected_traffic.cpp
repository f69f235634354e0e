// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/expected_traffic.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/workload/length.h"
#include "weft/workload/pattern.h"
#include "weft/workload/request_reply.h"

namespace weft::experiment {
namespace {

constexpr std::size_t MaxDistanceNodes = 4096;

/// Traffic in which each sending node sends one flit per cycle or, if nodes have different loads, all nodes do so on
/// average. It has two parts: uniform traffic to all nodes, and flits between pairs of nodes. Only traffic in which all
/// loads are equal has the first part.
class unit_traffic {
 public:
  /// \param has_loads whether the pattern determines the loads of nodes; false for a closed loop
  unit_traffic(const traffic_pattern& pattern, bool to_self, bool has_loads, const topology& t)
      : m_topology(t), m_to_self(to_self), m_loads(t.nodes.size(), 1), m_arriving(t.nodes.size(), 0) {
    if (has_loads)
      for (node_id n = 0; n < t.nodes.size(); ++n) m_loads[n] = pattern.relative_load(n);
    for (node_id n = 0; n < t.nodes.size(); ++n)
      if (pattern.active(n)) m_sources.push_back(n);
    for (const node_id n : m_sources) m_spread = std::min(m_spread, pattern.shares_of(n).spread);
    for (const node_id n : m_sources) {
      const traffic_pattern::shares shares = pattern.shares_of(n);
      for (const auto& to : shares.directed) m_pairs.push_back({n, to.destination, to.of_all * m_loads[n]});
      if (shares.spread > m_spread) add_to_all(n, shares.spread - m_spread);
    }
    for (const sent_flits& pair : m_pairs) m_arriving[pair.destination] += pair.flits;
    add_spread_arrivals();
  }

  const std::vector<node_id>& sources() const { return m_sources; }
  double load_of(node_id source) const { return m_loads[source]; }  ///< flits per cycle
  double all_loads() const {
    double sum = 0;
    for (const node_id n : m_sources) sum += m_loads[n];
    return sum;
  }
  const std::vector<double>& arriving() const { return m_arriving; }  ///< flits per cycle at each node

  /// Flits per cycle on each channel. \param uniform loads of uniform traffic to all other nodes
  expected_loads loads(const expected_loads& uniform) const {
    expected_loads all;
    if (m_spread > 0 && m_topology.nodes.size() > 1) {
      all = uniform;
      for (double& load : all.channels) load *= m_spread * part_that_leaves(m_topology, m_to_self);
    }
    all.channels.resize(m_topology.channels.size());
    if (m_pairs.empty()) return all;
    const std::vector<double> directed = loads_of_pairs(m_topology, m_pairs);
    std::transform(directed.begin(), directed.end(), all.channels.begin(), all.channels.begin(), std::plus<>());
    return all;
  }

  /// Sum over all traffic: flits per cycle times hops of a shortest path.
  double least_hops() const {
    const neighbour_lists neighbours = neighbours_of(m_topology);
    const auto nodes = static_cast<double>(m_topology.nodes.size());
    std::vector<std::vector<std::pair<node_id, double>>> to(m_topology.nodes.size());
    for (const sent_flits& pair : m_pairs) to[pair.source].push_back({pair.destination, pair.flits});
    double sum = 0;
    for (const node_id source : m_sources) {
      const std::vector<std::uint32_t> hops = hops_from(neighbours, routers_of(m_topology.nodes[source]));
      const auto distance = [&](node_id n) { return static_cast<double>(hops_to(m_topology.nodes[n], hops)); };
      for (const auto& [n, flits] : to[source]) sum += flits * distance(n);
      if (m_spread == 0) continue;
      for (node_id n = 0; n < m_topology.nodes.size(); ++n)  // the source itself is 0 hops away
        sum += m_spread * distance(n) / (m_to_self ? nodes : nodes - 1);
    }
    return sum;
  }

 private:
  void add_to_all(node_id source, double flits) {
    for (node_id n = 0; n < m_topology.nodes.size(); ++n)
      if (n != source) m_pairs.push_back({source, n, flits / static_cast<double>(m_topology.nodes.size() - 1)});
  }

  void add_spread_arrivals() {
    const auto nodes = static_cast<double>(m_topology.nodes.size()), sources = static_cast<double>(m_sources.size());
    if (m_to_self || m_topology.nodes.size() == 1) {
      for (double& arriving : m_arriving) arriving += m_spread * sources / nodes;
      return;
    }
    for (double& arriving : m_arriving) arriving += m_spread * sources / (nodes - 1);
    for (const node_id n : m_sources) m_arriving[n] -= m_spread / (nodes - 1);
  }

  const topology& m_topology;
  const bool m_to_self;
  std::vector<node_id> m_sources;
  std::vector<double> m_loads;  ///< by node
  double m_spread = 1;
  std::vector<sent_flits> m_pairs;
  std::vector<double> m_arriving;
};

/// Finds the smallest of several bounds, and the resource that causes it.
class least_bound {
 public:
  explicit least_bound(expected_traffic& e) : m_e(e) {}
  void take(double flits, std::string limit) {
    if (!m_e.limit.empty() && flits >= m_e.ideal_throughput * (1 - 1e-9)) return;
    m_e.ideal_throughput = flits;
    m_e.limit = std::move(limit);
  }

 private:
  expected_traffic& m_e;
};

void bound_by_nodes(const unit_traffic& traffic, bool equal, const topology& t, least_bound& bound) {
  for (const node_id n : traffic.sources())
    bound.take(static_cast<double>(t.nodes[n].ports.size()) / traffic.load_of(n),
               equal ? "a node injects no more" : fmt::format("node {} injects no more", n));
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    if (traffic.arriving()[n] > 0)
      bound.take(static_cast<double>(t.nodes[n].ports.size()) / traffic.arriving()[n],
                 fmt::format("node {} takes no more", n));
  }
}

}  // namespace

expected_traffic expect_traffic(const configuration& c, const topology& graph, const expected_loads& uniform) {
  const traffic_pattern pattern(c.workload.pattern, static_cast<std::uint32_t>(graph.nodes.size()),
                                find_node_placement(graph));
  const bool has_loads = pattern.has_node_loads() && !is_closed_loop(c.workload);
  const unit_traffic traffic(pattern, c.workload.pattern.to_self, has_loads, graph);
  expected_traffic expected;
  if (has_loads && pattern.has_absolute_loads()) expected.offered = pattern.mean_load(0);
  const expected_loads loads = traffic.loads(uniform);
  expected.destinations = loads.destinations;

  least_bound bound(expected);
  bound_by_nodes(traffic, !has_loads, graph, bound);
  const bool adaptive =
      std::any_of(graph.routing.begin(), graph.routing.end(), [](const auto& rule) { return rule.adaptive(); });
  if (adaptive || loads.destinations != 0) {
    const double hops = graph.nodes.size() <= MaxDistanceNodes ? traffic.least_hops() : 0;
    if (hops > 0) bound.take(static_cast<double>(graph.channels.size()) / hops, "links for the hops of all packets");
  } else if (!loads.channels.empty()) {
    const double most = *std::max_element(loads.channels.begin(), loads.channels.end());
    if (most > 0) bound.take(1 / most, "load of the busiest link");
  }

  const double flits = traffic.all_loads();
  zero_load_parts& parts = expected.zero_load;
  for (const node_id n : traffic.sources())
    parts.injection += (1.0 + graph.nodes[n].cycles) * traffic.load_of(n) / flits;
  parts.serialisation = length_distribution(c.workload.length).mean() - 1;
  double routers = 1;  // the first one
  for (std::size_t i = 0; i < loads.channels.size(); ++i) {
    routers += loads.channels[i] / flits;
    parts.links += loads.channels[i] * graph.channels[i].cycles / flits;
  }
  parts.routers = routers * c.router.pipeline;
  if (c.router.flow == flow_control::StoreAndForward) parts.arrival = routers * parts.serialisation;
  for (node_id n = 0; n < graph.nodes.size(); ++n)
    parts.ejection += traffic.arriving()[n] * graph.nodes[n].cycles / flits;
  return expected;
}

}  // namespace weft::experiment
