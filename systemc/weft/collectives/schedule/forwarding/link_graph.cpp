// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/link_graph.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

void check_node(const link_graph& graph, const std::string& where, node_id node) {
  if (node >= graph.nodes) {
    throw std::invalid_argument(
        fmt::format("{}: {}: there is no node {}, expected 0 to {}", graph.name, where, node, graph.nodes - 1));
  }
}

std::vector<link_id> links_under(const link_graph& graph, const shared_limit& limit) {
  std::vector<link_id> links;
  std::vector<bool> from(graph.nodes, false), to(graph.nodes, false);
  for (const node_id node : limit.from) from[node] = true;
  for (const node_id node : limit.to) to[node] = true;
  for (link_id l = 0; l < graph.links.size(); ++l) {
    if (from[graph.links[l].from] && to[graph.links[l].to]) links.push_back(l);
  }
  return links;
}

void check_shared(const link_graph& graph, shared_limit& limit) {
  const std::string where = fmt::format("shared limit {}", limit.name);
  if (limit.bandwidth == 0)
    throw std::invalid_argument(fmt::format("{}: {}: bandwidth 0, expected at least 1", graph.name, where));
  for (std::vector<node_id>* side : {&limit.from, &limit.to}) {
    std::sort(side->begin(), side->end());
    side->erase(std::unique(side->begin(), side->end()), side->end());
    for (const node_id node : *side) check_node(graph, where, node);
  }
}

std::vector<std::uint32_t> hops(const link_graph& graph, const std::vector<node_id>& ends, bool backwards) {
  const auto around = backwards ? links_in(graph) : links_out(graph);
  std::vector<std::uint32_t> distance(graph.nodes, Unreached);
  std::vector<node_id> queue;
  for (const node_id node : ends) {
    if (distance[node] == 0) continue;
    distance[node] = 0;
    queue.push_back(node);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const link_id l : around[queue[i]]) {
      const node_id next = backwards ? graph.links[l].from : graph.links[l].to;
      if (distance[next] != Unreached) continue;
      distance[next] = distance[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  return distance;
}

}  // namespace

link_graph checked(link_graph graph) {
  if (graph.nodes == 0) throw std::invalid_argument(fmt::format("{}: no nodes, expected at least one", graph.name));
  std::set<std::pair<node_id, node_id>> seen;
  for (const graph_link& l : graph.links) {
    const std::string where = fmt::format("link {} -> {}", l.from, l.to);
    check_node(graph, where, l.from);
    check_node(graph, where, l.to);
    if (l.from == l.to)
      throw std::invalid_argument(fmt::format("{}: {}: expected two different nodes", graph.name, where));
    if (l.bandwidth == 0)
      throw std::invalid_argument(fmt::format("{}: {}: bandwidth 0, expected at least 1", graph.name, where));
    if (!seen.emplace(l.from, l.to).second) {
      throw std::invalid_argument(
          fmt::format("{}: {} is given twice; give one link the bandwidth of both", graph.name, where));
    }
  }
  for (shared_limit& limit : graph.shared) check_shared(graph, limit);
  return graph;
}

link_graph links_of(const topology& t) {
  link_graph graph;
  graph.name = t.shape.empty() ? t.kind : fmt::format("{} {}", t.kind, fmt::join(t.shape, "x"));
  graph.nodes = t.routers.size();
  std::vector<std::size_t> order(t.channels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const port_ref &x = t.channels[a].from, &y = t.channels[b].from;
    return x.router != y.router ? x.router < y.router : x.port < y.port;
  });
  std::map<std::pair<node_id, node_id>, std::size_t> known;
  for (const std::size_t i : order) {
    const node_id from = t.channels[i].from.router, to = t.channels[i].to.router;
    if (from == to) continue;
    const auto [at, fresh] = known.emplace(std::make_pair(from, to), graph.links.size());
    if (fresh) {
      graph.links.push_back({from, to, 1});
    } else {
      ++graph.links[at->second].bandwidth;
    }
  }
  return checked(std::move(graph));
}

link_graph dgx1() {
  // Two quads of GPUs; the ring 0 1 3 2 … 4 5 7 6 and the links 0-4 and 2-6 are double.
  constexpr std::array<std::array<unsigned, 3>, 16> Links{{{0, 1, 2},
                                                           {0, 2, 1},
                                                           {0, 3, 1},
                                                           {0, 4, 2},
                                                           {1, 2, 1},
                                                           {1, 3, 2},
                                                           {1, 5, 1},
                                                           {2, 3, 2},
                                                           {2, 6, 2},
                                                           {3, 7, 1},
                                                           {4, 5, 2},
                                                           {4, 6, 1},
                                                           {4, 7, 1},
                                                           {5, 6, 1},
                                                           {5, 7, 2},
                                                           {6, 7, 2}}};
  link_graph graph{"dgx1", 8, {}, {}};
  for (const auto& [a, b, bandwidth] : Links) {
    graph.links.push_back({a, b, bandwidth});
    graph.links.push_back({b, a, bandwidth});
  }
  std::sort(graph.links.begin(), graph.links.end(), [](const graph_link& a, const graph_link& b) {
    return std::make_pair(a.from, a.to) < std::make_pair(b.from, b.to);
  });
  return graph;
}

link_graph with_ports(link_graph graph, unsigned ports) {
  if (ports == 0) throw std::invalid_argument("ports: 0, expected at least 1");
  std::vector<node_id> all(graph.nodes);
  std::iota(all.begin(), all.end(), node_id{0});
  const auto out = links_out(graph), in = links_in(graph);
  for (node_id node = 0; node < graph.nodes; ++node) {
    if (!out[node].empty()) graph.shared.push_back({fmt::format("out of {}", node), {node}, all, ports});
    if (!in[node].empty()) graph.shared.push_back({fmt::format("into {}", node), all, {node}, ports});
  }
  return checked(std::move(graph));
}

link_graph reversed(const link_graph& graph) {
  link_graph result = graph;
  result.name += " reversed";
  for (graph_link& l : result.links) std::swap(l.from, l.to);
  for (shared_limit& limit : result.shared) std::swap(limit.from, limit.to);
  return result;
}

std::vector<bandwidth_limit> limits_of(const link_graph& graph) {
  std::vector<bandwidth_limit> limits;
  for (link_id l = 0; l < graph.links.size(); ++l) {
    const graph_link& link = graph.links[l];
    limits.push_back({fmt::format("link {} -> {}", link.from, link.to), {l}, link.bandwidth});
  }
  for (const shared_limit& shared : graph.shared) {
    bandwidth_limit limit{shared.name, links_under(graph, shared), shared.bandwidth};
    std::size_t sum = 0;
    for (const link_id l : limit.links) sum += graph.links[l].bandwidth;
    if (sum > limit.bandwidth) limits.push_back(std::move(limit));
  }
  return limits;
}

std::vector<std::string> idle_limits(const link_graph& graph) {
  std::vector<std::string> names;
  for (const shared_limit& limit : graph.shared) {
    if (links_under(graph, limit).empty()) names.push_back(limit.name);
  }
  return names;
}

std::vector<std::vector<link_id>> links_out(const link_graph& graph) {
  std::vector<std::vector<link_id>> out(graph.nodes);
  for (link_id l = 0; l < graph.links.size(); ++l) out[graph.links[l].from].push_back(l);
  return out;
}

std::vector<std::vector<link_id>> links_in(const link_graph& graph) {
  std::vector<std::vector<link_id>> in(graph.nodes);
  for (link_id l = 0; l < graph.links.size(); ++l) in[graph.links[l].to].push_back(l);
  return in;
}

std::vector<std::uint32_t> hops_from(const link_graph& graph, const std::vector<node_id>& from) {
  return hops(graph, from, false);
}

std::vector<std::uint32_t> hops_to(const link_graph& graph, const std::vector<node_id>& to) {
  return hops(graph, to, true);
}

}  // namespace weft::schedule
