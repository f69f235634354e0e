// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/random_graph.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "weft/core/random.h"
#include "weft/core/shuffle.h"
#include "weft/topology/analysis/distances.h"
#include "weft/topology/generators/generator.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::MaxRouters;

template <class... Arguments>
[[noreturn]] void reject_graph(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument("random graph: " + fmt::format(text, std::forward<Arguments>(arguments)...));
}

void check(const random_graph_parameters& p) {
  if (p.routers < 2 || p.routers > MaxRouters) reject_graph("routers is {}; give 2 to {}", p.routers, MaxRouters);
  if (p.degree == 0 || p.degree >= p.routers) {
    reject_graph("degree is {}; with {} routers give 1 to {}", p.degree, p.routers, p.routers - 1);
  }
  if (p.degree == 1 && p.routers > 2)
    reject_graph("degree is 1, which connects only 2 routers, not {}; give at least 2", p.routers);
  if (p.routers % 2 != 0 && p.degree % 2 != 0) {
    reject_graph("{} routers with {} links each have an odd number of link ends; make one of the two numbers even",
                 p.routers, p.degree);
  }
  if (p.nodes == 0) reject_graph("nodes is 0; give at least 1 node for each router");
  if (p.options.nic_ports == 0) reject_graph("nic.ports is 0; give at least 1");
  if (std::uint64_t{p.nodes} * p.options.nic_ports + p.degree > MaxPorts) {
    reject_graph(
        "a degree of {} and {} nodes with {} ports each need more than the {} ports of a router; lower one of them",
        p.degree, p.nodes, p.options.nic_ports, MaxPorts);
  }
  if (p.options.link_cycles == 0) reject_graph("link_cycles is 0; a channel takes at least 1 cycle");
  if (p.options.node_cycles == 0) reject_graph("node_cycles is 0; a channel takes at least 1 cycle");
}

bool is_large(const random_graph_parameters& p) {
  return std::size_t{p.routers} * p.routers * p.nodes > MaxTableEntries;
}

/// A ring through all routers in random order: the only connected graph of degree 2.
neighbour_lists random_ring(std::uint32_t routers, random_stream& random) {
  std::vector<router_id> order(routers);
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order.begin(), order.end(), random);
  neighbour_lists neighbours(routers);
  for (std::uint32_t i = 0; i < routers; ++i) {
    const router_id a = order[i], b = order[(i + 1) % routers];
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  return neighbours;
}

/// One attempt of the algorithm of Steger and Wormald; nothing if free ends remain that cannot be connected.
std::optional<neighbour_lists> join_ends(std::uint32_t routers, unsigned degree, random_stream& random) {
  std::vector<router_id> ends;
  for (router_id r = 0; r < routers; ++r) ends.insert(ends.end(), degree, r);
  neighbour_lists neighbours(routers);
  const auto may_join = [&](router_id a, router_id b) {
    return a != b && std::find(neighbours[a].begin(), neighbours[a].end(), b) == neighbours[a].end();
  };
  const auto take = [&](std::size_t at) {
    std::swap(ends[at], ends.back());
    ends.pop_back();
  };
  for (std::size_t failures = 0; !ends.empty();) {
    const auto count = static_cast<std::uint32_t>(ends.size());
    const std::uint32_t i = random.below(count), j = random.below(count);
    const router_id a = ends[i], b = ends[j];
    if (may_join(a, b)) {
      neighbours[a].push_back(b);
      neighbours[b].push_back(a);
      take(std::max(i, j));
      take(std::min(i, j));
      failures = 0;
    } else if (++failures > 16 + std::size_t{degree} * degree * count) {
      return std::nullopt;
    }
  }
  return neighbours;
}

/// The breadth-first search tree from router 0, as children of each router. Nothing if the tree does not reach all
/// routers.
std::optional<neighbour_lists> tree_of(const neighbour_lists& neighbours) {
  neighbour_lists children(neighbours.size());
  std::vector<bool> reached(neighbours.size());
  std::vector<router_id> queue{0};
  reached[0] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const router_id next : neighbours[queue[i]]) {
      if (reached[next]) continue;
      reached[next] = true;
      children[queue[i]].push_back(next);
      queue.push_back(next);
    }
  }
  if (queue.size() < neighbours.size()) return std::nullopt;
  return children;
}

/// The same graph, with routers numbered in depth-first order of \p children from router 0.
neighbour_lists numbered_along(const neighbour_lists& children, const neighbour_lists& neighbours) {
  std::vector<router_id> number(neighbours.size()), stack{0};
  for (router_id next = 0; !stack.empty(); ++next) {
    const router_id r = stack.back();
    stack.pop_back();
    number[r] = next;
    stack.insert(stack.end(), children[r].rbegin(), children[r].rend());
  }
  neighbour_lists numbered(neighbours.size());
  for (router_id r = 0; r < neighbours.size(); ++r)
    for (const router_id other : neighbours[r]) numbered[number[r]].push_back(number[other]);
  return numbered;
}

neighbour_lists random_neighbours(const random_graph_parameters& p) {
  random_stream random(p.seed, 0, stream_purpose::Graph);
  if (p.degree == 1) return {{1}, {0}};
  while (true) {
    std::optional<neighbour_lists> graph;
    if (p.degree == 2)
      graph = random_ring(p.routers, random);
    else
      graph = join_ends(p.routers, p.degree, random);
    if (!graph) continue;
    for (auto& list : *graph) std::sort(list.begin(), list.end());
    const std::optional<neighbour_lists> tree = tree_of(*graph);
    if (!tree) continue;
    if (!is_large(p)) return *graph;
    neighbour_lists numbered = numbered_along(*tree, *graph);
    for (auto& list : numbered) std::sort(list.begin(), list.end());
    return numbered;
  }
}

std::vector<std::string> port_names(const random_graph_parameters& p) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < p.degree; ++i) names.push_back(fmt::format("link{}", i));
  generator_detail::name_local_ports(names, p.nodes * p.options.nic_ports);
  return names;
}

topology_kind make_random_kind() {
  topology_kind kind{};
  kind.name = "random";
  kind.noun = "a random graph";
  kind.description = "a connected graph in which every router has the same number of links";
  kind.keys = {{"routers", integer_option<topology_options, std::uint32_t>{&topology_options::routers, 2, 1U << 20}, "",
                "In a random graph, the number of routers."},
               {"degree", integer_option<topology_options, std::uint32_t>{&topology_options::degree, 1, MaxPorts - 1},
                "links", "Number of links of each router of the random graph."},
               {"seed",
                integer_option<topology_options, std::uint64_t>{&topology_options::seed, 0,
                                                                std::numeric_limits<std::uint64_t>::max()},
                "", "Seed of the random graph."},
               generator_detail::nodes_per_router_key()};
  kind.defaults.routers = 64;
  kind.usual = &up_down_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) {
    return std::uint64_t{plan.topology.nodes_per_router} * plan.topology.routers;
  };
  kind.make = [](const network_plan& plan) {
    const topology_options& o = plan.topology;
    return make_random_graph({o.routers, o.degree, o.nodes_per_router, o.seed, plan.network});
  };
  return kind;
}

}  // namespace

topology make_random_graph_unrouted(const random_graph_parameters& p) {
  check(p);
  const neighbour_lists neighbours = random_neighbours(p);
  const std::vector<std::string> names = port_names(p);
  topology t;
  t.kind = "random";
  for (router_id r = 0; r < p.routers; ++r) {
    t.routers.push_back({static_cast<unsigned>(names.size()), names, {}});
    generator_detail::connect(t, r, neighbours, p.options.link_cycles);
    generator_detail::attach_nodes(t, r, p.degree, p.nodes, p.options);
  }
  return t;
}

topology make_random_graph(const random_graph_parameters& p) {
  topology t = make_random_graph_unrouted(p);
  route_up_down(t, p.options.vcs, is_large(p) ? std::optional<router_id>(0) : std::nullopt);
  return t;
}

const topology_kind& random_topology() {
  static const topology_kind Kind = make_random_kind();
  return Kind;
}

}  // namespace weft
