// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/expected_traffic.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/topology/analysis/throughput.h"
#include "weft/topology/analysis/zero_load.h"
#include "weft/workload/length.h"
#include "weft/workload/pattern.h"
#include "weft/workload/traffic_loads.h"
#include "weft/workload/workload.h"

namespace weft::experiment {
namespace {

constexpr std::size_t MaxDistanceNodes = 4096;
constexpr double Rounding = 1e-9;

/// One traffic of a workload.
struct traffic_part {
  std::string name;  ///< empty if it is the only one
  traffic_pattern pattern;
  bool to_self;
  double mean_length;         ///< of packets, in flits
  std::vector<double> loads;  ///< by node, flits per cycle
};

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Flits per cycle that nodes send to each other, in all parts together: uniform traffic, which all nodes send, and
/// flits between pairs of nodes.
class unit_traffic {
 public:
  unit_traffic(const std::vector<const traffic_part*>& parts, const topology& t)
      : m_topology(t),
        m_to_self(parts.size() == 1 && parts.front()->to_self),
        m_loads(t.nodes.size()),
        m_arriving(t.nodes.size()) {
    std::vector<double> spread(t.nodes.size());
    for (const traffic_part* const part : parts) add(*part, spread);
    for (node_id n = 0; n < t.nodes.size(); ++n)
      if (m_loads[n] > 0) m_sources.push_back(n);
    m_spread = *std::min_element(spread.begin(), spread.end());
    for (node_id n = 0; n < t.nodes.size(); ++n)
      if (spread[n] > m_spread * (1 + Rounding)) add_to_all(n, spread[n] - m_spread, m_to_self);
    for (const sent_flits& pair : m_pairs) m_arriving[pair.destination] += pair.flits;
    add_spread_arrivals();
  }

  const std::vector<node_id>& sources() const { return m_sources; }
  double load_of(node_id source) const { return m_loads[source]; }  ///< flits per cycle
  double all_loads() const { return sum_of(m_loads); }
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

  /// serialisation_cycles() of packets with \p behind_head further flits, mean over all packets. In large networks, the
  /// mean of uniform traffic is over some of the destinations.
  double mean_serialisation(const router_parameters& router, double behind_head) const {
    constexpr std::size_t MostPairs = std::size_t{1} << 20;
    if (!has_narrow_channels(m_topology)) return behind_head;
    const std::size_t nodes = m_topology.nodes.size(), stride = (nodes * nodes + MostPairs - 1) / MostPairs;
    double sum = 0, flits = 0;
    const auto add_pair = [&](node_id source, node_id destination, double share) {
      sum += share *
             serialisation_cycles(m_topology, router, route_channels(m_topology, source, destination), behind_head);
      flits += share;
    };
    for (const sent_flits& pair : m_pairs) add_pair(pair.source, pair.destination, pair.flits);
    const double to_each = m_spread * static_cast<double>(stride) / static_cast<double>(nodes - !m_to_self);
    for (const node_id source : m_sources)
      for (node_id n = source % stride; m_spread > 0 && n < nodes; n += static_cast<node_id>(stride))
        if (n != source || m_to_self) add_pair(source, n, to_each);
    return flits > 0 ? sum / flits : behind_head;
  }

 private:
  /// \param spread receives the flits to all other nodes, by source
  void add(const traffic_part& part, std::vector<double>& spread) {
    for (node_id n = 0; n < m_topology.nodes.size(); ++n) {
      if (part.loads[n] == 0) continue;
      m_loads[n] += part.loads[n];
      const traffic_pattern::shares shares = part.pattern.shares_of(n);
      for (const auto& to : shares.directed) m_pairs.push_back({n, to.destination, to.of_all * part.loads[n]});
      if (part.to_self && !m_to_self)
        add_to_all(n, shares.spread * part.loads[n], true);
      else
        spread[n] += shares.spread * part.loads[n];
    }
  }

  void add_to_all(node_id source, double flits, bool to_self) {
    const std::size_t destinations = m_topology.nodes.size() - !to_self;
    for (node_id n = 0; n < m_topology.nodes.size(); ++n)
      if (to_self || n != source) m_pairs.push_back({source, n, flits / static_cast<double>(destinations)});
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
  double m_spread = 0;
  std::vector<sent_flits> m_pairs;
  std::vector<double> m_arriving;
};

/// Finds the smallest of several bounds, and the resource that causes it.
class least_bound {
 public:
  explicit least_bound(expected_traffic& e) : m_e(e) {}
  void take(double flits, std::string limit) {
    if (!m_e.limit.empty() && flits >= m_e.ideal_throughput * (1 - Rounding)) return;
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

/// \p t with the loads of its nodes. \param load_of the load of an active source
template <class LoadOf>
traffic_part part_of(const traffic_parameters& t, const std::string& name, const topology& graph, LoadOf load_of) {
  const auto nodes = static_cast<std::uint32_t>(graph.nodes.size());
  traffic_part part{name,
                    {t.pattern, nodes, find_node_placement(graph)},
                    t.pattern.to_self,
                    length_distribution(t.length).mean(),
                    std::vector<double>(nodes)};
  const std::vector<bool> is_source = source_flags(t, nodes);
  for (node_id n = 0; n < nodes; ++n)
    if (is_source[n] && part.pattern.active(n)) part.loads[n] = load_of(part.pattern, n);
  return part;
}

/// The only traffic of a workload: each sending node sends one flit per cycle. If a matrix gives nodes different loads,
/// they do so on average.
traffic_part only_part_of(const workload_parameters& w, const topology& graph) {
  return part_of(w, "", graph,
                 [&w](const traffic_pattern& pattern, node_id n) { return reacts(w) ? 1 : pattern.relative_load(n); });
}

/// Those of several traffics that are no closed loops. \param sum receives their mean load over all nodes
std::vector<traffic_part> parts_of(const workload_parameters& w, const topology& graph, double& sum) {
  std::vector<traffic_part> parts;
  const auto nodes = static_cast<double>(graph.nodes.size());
  sum = 0;
  for (const named_traffic& t : scaled_traffics(w, static_cast<std::uint32_t>(graph.nodes.size()))) {
    if (reacts(t)) continue;
    parts.push_back(part_of(t, t.name, graph, [&t](const traffic_pattern& pattern, node_id n) {
      return pattern.load_of(n, t.injection.load);
    }));
    sum += sum_of(parts.back().loads) / nodes;
  }
  return parts;
}

/// The zero-load latency of \p part, whose flits per cycle on each channel are \p loads.
zero_load_parts zero_load_of(const traffic_part& part, const unit_traffic& traffic, const expected_loads& loads,
                             const router_parameters& router, const topology& graph) {
  const double flits = traffic.all_loads();
  zero_load_parts parts;
  for (const node_id n : traffic.sources())
    parts.injection += (1.0 + graph.nodes[n].cycles) * traffic.load_of(n) / flits;
  const bool stores = router.flow == flow_control::StoreAndForward;
  const double behind_head = part.mean_length - 1;
  parts.serialisation = stores ? behind_head : traffic.mean_serialisation(router, behind_head);
  double routers = 1, arrivals = 1;  // the first router, which flits reach one per cycle
  for (std::size_t i = 0; i < loads.channels.size(); ++i) {
    const channel& link = graph.channels[i];
    routers += loads.channels[i] / flits;
    arrivals += loads.channels[i] * link.phits / flits;
    parts.links += loads.channels[i] * (link.cycles + link.phits - 1) / flits;
  }
  parts.routers = routers * router.pipeline;
  if (stores) parts.arrival = arrivals * behind_head;
  for (node_id n = 0; n < graph.nodes.size(); ++n)
    parts.ejection += traffic.arriving()[n] * graph.nodes[n].cycles / flits;
  return parts;
}

void add_share(zero_load_parts& sum, const zero_load_parts& part, double share) {
  sum.injection += share * part.injection;
  sum.routers += share * part.routers;
  sum.arrival += share * part.arrival;
  sum.links += share * part.links;
  sum.ejection += share * part.ejection;
  sum.serialisation += share * part.serialisation;
}

/// Sets the upper bound of the throughput, and the resource that limits it.
void bound_throughput(expected_traffic& expected, const unit_traffic& traffic, const expected_loads& loads, bool equal,
                      const topology& graph) {
  least_bound bound(expected);
  bound_by_nodes(traffic, equal, graph, bound);
  const bool adaptive =
      std::any_of(graph.routing.begin(), graph.routing.end(), [](const auto& rule) { return rule.adaptive(); });
  if (adaptive || loads.destinations != 0) {
    const double hops = graph.nodes.size() <= MaxDistanceNodes ? traffic.least_hops() : 0;
    if (hops > 0) bound.take(capacity_of_all(graph) / hops, "links for the hops of all packets");
  } else if (!loads.channels.empty()) {
    const double most = highest_utilisation(graph, loads.channels);
    if (most > 0) bound.take(1 / most, "load of the busiest link");
  }
}

/// Sets the zero-load latency: that of each of \p parts, and the mean over the packets of all of them.
/// \param all all parts together, and \p loads their loads
void set_zero_load(expected_traffic& expected, const std::vector<traffic_part>& parts, const unit_traffic& all,
                   const expected_loads& loads, const expected_loads& uniform, const router_parameters& router,
                   const topology& graph) {
  const auto latency_of = [&](const traffic_part& part) {
    if (parts.size() == 1) return zero_load_of(part, all, loads, router, graph);
    const unit_traffic alone({&part}, graph);
    return zero_load_of(part, alone, alone.loads(uniform), router, graph);
  };
  double packets = 0;
  for (const traffic_part& part : parts) packets += sum_of(part.loads) / part.mean_length;
  for (const traffic_part& part : parts) {
    if (sum_of(part.loads) == 0) continue;
    const zero_load_parts latency = latency_of(part);
    add_share(expected.zero_load, latency, sum_of(part.loads) / part.mean_length / packets);
    if (!part.name.empty()) expected.of_traffics.emplace_back(part.name, latency.sum());
  }
}

}  // namespace

expected_traffic expect_traffic(const configuration& c, const topology& graph, const expected_loads& uniform) {
  const workload_parameters& w = c.workload;
  expected_traffic expected;
  std::vector<traffic_part> parts;
  bool equal = false;
  if (w.traffics.empty()) {
    parts.push_back(only_part_of(w, graph));
    const traffic_pattern& pattern = parts.front().pattern;
    equal = !pattern.has_node_loads() || reacts(w);
    if (!equal && pattern.has_absolute_loads()) expected.offered = pattern.mean_load(0);
  } else {
    double sum = 0;
    parts = parts_of(w, graph, sum);
    expected.offered = sum;
    if (sum == 0) return expected;
    for (traffic_part& part : parts)
      for (double& load : part.loads) load /= sum;
  }

  std::vector<const traffic_part*> all;
  for (const traffic_part& part : parts) all.push_back(&part);
  const unit_traffic traffic(all, graph);
  const expected_loads loads = traffic.loads(uniform);
  expected.destinations = loads.destinations;
  bound_throughput(expected, traffic, loads, equal, graph);
  set_zero_load(expected, parts, traffic, loads, uniform, c.router, graph);
  return expected;
}

}  // namespace weft::experiment
