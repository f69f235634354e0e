// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/metrics.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/core/members.h"
#include "weft/topology/analysis/bisection.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/full_grid.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/analysis/route_search.h"
#include "weft/topology/analysis/throughput.h"

namespace weft {
namespace {

constexpr std::size_t MaxDistanceSteps = std::size_t{1} << 26;
constexpr std::size_t MaxProgramNodes = 256;

// ---- Distances ----

struct distance_metrics {
  std::uint32_t diameter = 0;
  double mean = 0;
  std::size_t sources = 0;      ///< number of sampled sources, or 0
  std::vector<double> of_each;  ///< mean distance of each node; only if all nodes are examined
};

distance_metrics find_distances(const topology& t, const neighbour_lists& neighbours) {
  const std::size_t nodes = t.nodes.size();
  const auto others = static_cast<double>(nodes - 1);
  const std::size_t affordable =
      std::max<std::size_t>(1, MaxDistanceSteps / (t.channels.size() + t.routers.size() + nodes));
  distance_metrics f;
  const std::vector<node_id> sample = sampled_nodes(t, affordable);
  if (sample.size() < nodes || t.routers.size() > affordable) f.sources = sample.size();

  for (const node_id source : sample) {
    const std::vector<std::uint32_t> hops = hops_from(neighbours, routers_of(t.nodes[source]));
    std::uint64_t sum = 0;
    for (const node_attachment& destination : t.nodes) sum += hops_to(destination, hops);  // the source adds 0
    if (nodes > 1) f.of_each.push_back(static_cast<double>(sum) / others);
  }
  for (const double mean : f.of_each) f.mean += mean / static_cast<double>(sample.size());
  if (sample.size() < nodes) f.of_each.clear();

  const auto reach_from = [&](router_id r) {
    for (const std::uint32_t hops : hops_from(neighbours, {r}))
      if (hops != Unreached) f.diameter = std::max(f.diameter, hops);
  };
  if (f.sources == 0)
    for (router_id r = 0; r < t.routers.size(); ++r) reach_from(r);
  else
    for (const node_id source : sample) reach_from(t.nodes[source].ports.front().router);
  return f;
}

/// Flits per cycle from one half to the other, in the direction that carries more.
double flits_across(const topology& t, const std::vector<bool>& low) {
  double up = 0, down = 0;
  for (const channel& c : t.channels) {
    if (low.empty() || low[c.from.router] == low[c.to.router]) continue;
    (low[c.from.router] ? up : down) += capacity_of(c);
  }
  return std::max(up, down);
}

distance_metrics distances_of_grid(const full_grid& grid, std::size_t nodes) {
  distance_metrics f;
  f.diameter = grid.diameter();
  const auto n = static_cast<double>(nodes);
  if (nodes > 1) f.mean = grid.mean_distance() * n / (n - 1);
  return f;
}

void add_degrees(const neighbour_lists& neighbours, topology_metrics& f) {
  const auto [fewest, most] = std::minmax_element(neighbours.begin(), neighbours.end(),
                                                  [](const auto& a, const auto& b) { return a.size() < b.size(); });
  f.min_degree = static_cast<unsigned>(fewest->size());
  f.max_degree = static_cast<unsigned>(most->size());
}

bool has_unequal_widths(const topology& t) {
  return std::any_of(t.channels.begin(), t.channels.end(),
                     [&](const channel& c) { return c.phits != t.channels.front().phits; });
}

/// Tightens the throughput bounds by the loads of single channels. The loads of all channels must be known.
/// \param scale factor of the loads, for traffic that includes or excludes that of a node to itself
void add_channel_loads(const topology& t, const expected_loads& loads, double scale, topology_metrics& f) {
  f.max_channel_load = scale * *std::max_element(loads.channels.begin(), loads.channels.end());
  const double utilisation = scale * highest_utilisation(t, loads.channels);  // if each node sends a flit per cycle
  const bool adaptive = std::any_of(t.routing.begin(), t.routing.end(), [](const auto& r) { return r.adaptive(); });
  if (adaptive || utilisation == 0) return;

  std::size_t ports = MaxPorts;
  for (const node_attachment& node : t.nodes) ports = std::min(ports, node.ports.size());
  f.ideal_throughput = std::min(static_cast<double>(ports), 1 / utilisation);
  const bool limited_by_links = utilisation * static_cast<double>(ports) > 1;
  f.throughput_method = limited_by_links ? "load of the busiest link" : "a node injects no more";
  if (loads.by_formula && limited_by_links && !has_unequal_widths(t)) {
    // The channels can be weighted so that every node uses the same share of the busiest channels: those of a cut
    // through the middle of a line, or those of all rings.
    f.accepted_bound = f.ideal_throughput;
  } else if (f.accepted_bound > f.ideal_throughput * (1 + 1e-9) && f.nodes <= MaxProgramNodes) {
    std::vector<std::vector<double>> by_source = loads_by_source(t);
    for (auto& row : by_source)
      for (double& load : row) load *= scale;
    f.accepted_bound = std::min(f.accepted_bound, most_throughput(t, by_source));
  }
  f.accepted_bound = std::max(f.accepted_bound, f.ideal_throughput);
}

/// Bounds the throughput of a network in which not all packets were traced. If only the distances of some nodes are
/// known, their mean stands for all nodes, because a large random graph would otherwise have no bound from its links.
/// \param leaves share of the traffic that leaves its node
void bound_without_loads(const topology& t, const distance_metrics& distance, double leaves, topology_metrics& f) {
  const double hops = static_cast<double>(f.nodes) * leaves * distance.mean, links = capacity_of_all(t);
  if (distance.sources != 0 && links < f.ideal_throughput * hops) {
    f.ideal_throughput = links / hops;
    f.throughput_method = fmt::format("links for the hops of all packets, estimated from {} nodes", distance.sources);
  }
  f.throughput_method += ", whatever the routing";
}

}  // namespace

topology_metrics compute_metrics(const topology& t, bool self_traffic) {
  return compute_metrics(t, find_loads(t), self_traffic);
}

topology_metrics compute_metrics(const topology& t, const expected_loads& uniform, bool self_traffic) {
  topology_metrics f;
  f.routers = t.routers.size();
  f.nodes = t.nodes.size();
  f.channels = t.channels.size();
  const neighbour_lists neighbours = neighbours_of(t);
  add_degrees(neighbours, f);

  const std::optional<full_grid> grid = recognise_grid(t);
  distance_metrics distance = grid ? distances_of_grid(*grid, f.nodes) : find_distances(t, neighbours);
  f.diameter = distance.diameter;
  f.mean_distance = distance.mean;
  f.distance_sources = distance.sources;

  bisection halves = find_bisection(t, grid);
  f.bisection_channels = halves.channels;
  f.bisection_exact = halves.exact;
  f.bisection_method = std::move(halves.method);
  f.bisection_flits = flits_across(t, halves.low);

  f.mean_route_length = uniform.mean_route;
  f.route_destinations = uniform.destinations;

  const auto nodes = static_cast<double>(f.nodes), others = self_traffic ? nodes : nodes - 1;
  if (f.nodes > 1)
    for (double& mean : distance.of_each) mean *= (nodes - 1) / others;
  const throughput_bound bound = bound_throughput(t, halves.low, distance.of_each, others);
  f.ideal_throughput = bound.equal;
  f.throughput_method = bound.method;
  f.accepted_bound = bound.mean;
  if (uniform.destinations != 0 && !t.channels.empty()) bound_without_loads(t, distance, (nodes - 1) / others, f);
  if (uniform.destinations != 0 || t.channels.empty()) return f;

  add_channel_loads(t, uniform, part_that_leaves(t, self_traffic), f);
  return f;
}

double part_that_leaves(const topology& t, bool self_traffic) {
  const auto* rule = t.routing.front().as<grid_rule>();
  const auto* detour = t.routing.front().as<detour_rule>();
  const bool valiant =
      (rule != nullptr && rule->algorithm == grid_algorithm::Valiant) || (detour != nullptr && !detour->selects);
  const auto nodes = static_cast<double>(t.nodes.size());
  return self_traffic && !valiant && nodes > 1 ? (nodes - 1) / nodes : 1;
}

unsigned vcs_used(const topology& t) {
  constexpr std::size_t MaxPairs = std::size_t{1} << 22;
  vc_set all = 0;
  route_search search(t, MaxVcs);
  for (const node_id destination : sampled_nodes(t, std::max<std::size_t>(1, MaxPairs / t.nodes.size()))) {
    search.run(
        destination,
        [&](const route_search::request& r) {
          if (r.end.what == port_end::kind::Channel) all |= r.vcs;
        },
        [](node_id, const channel_vc&) {});
  }
  return all == 0 ? 0 : 32 - static_cast<unsigned>(__builtin_clz(all));
}

unsigned least_vcs(const std::function<topology(unsigned vcs)>& make, unsigned most, unsigned first) {
  for (unsigned vcs = first; vcs <= most; ++vcs) {
    try {
      const topology t = make(vcs);
      check_structure(t, vcs);
      if (find_dependency_cycle(t, vcs).empty()) return vcs;
    } catch (const std::invalid_argument&) {
      // No valid network with this number of VCs.
    }
  }
  return 0;
}

}  // namespace weft
