// SPDX-License-Identifier: Apache-2.0
#include "collective_support.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <rapidcheck.h>

namespace weft {
namespace {

using algorithm = collective_algorithm;
using operation = collective_operation;

std::uint32_t draw(std::uint32_t first, std::uint32_t last) {
  return *rc::gen::resize(rc::kNominalSize,
                          rc::gen::inRange<std::uint32_t>(first, last + 1));  // whole range from the first case on
}

std::vector<node_id> draw_nodes(std::uint32_t count, std::uint32_t nodes) {
  std::vector<node_id> all(nodes);
  std::iota(all.begin(), all.end(), node_id{0});
  for (std::uint32_t i = 0; i < count; ++i) std::swap(all[i], all[draw(i, nodes - 1)]);
  all.resize(count);
  return all;
}

collective_network draw_grid(bool powers_of_two) {
  std::vector<std::uint32_t> shape(draw(1, 3));
  for (std::uint32_t& side : shape) {
    const std::uint32_t most = shape.size() == 1 ? 12 : shape.size() == 2 ? 6 : 4;
    side = powers_of_two ? 1u << draw(0, 2) : draw(1, most);
  }
  shape.front() = std::max(shape.front(), 2u);
  return grid_network(std::move(shape), draw(0, 1) == 1);
}

/// The first \p nodes nodes of a network; its other routers have no node.
collective_network first_nodes(const collective_network& network, std::uint32_t nodes) {
  collective_network part;
  part.nodes = nodes;
  for (node_id from = 0; from < nodes; ++from) {
    for (node_id to = 0; to < nodes; ++to) part.hops.push_back(network.hops[from * network.nodes + to]);
  }
  return part;
}

/// A random tree of routers with some more links and a node at most routers, or a one-way ring.
collective_network draw_graph(bool powers_of_two) {
  const std::uint32_t nodes = powers_of_two ? 1u << draw(1, 4) : draw(2, 14);
  std::vector<std::pair<node_id, node_id>> channels;
  if (draw(0, 3) == 0) {
    for (node_id n = 0; n < nodes; ++n) channels.emplace_back(n, (n + 1) % nodes);
    return graph_network(nodes, channels);
  }
  const auto link = [&](node_id a, node_id b) {
    channels.emplace_back(a, b);
    channels.emplace_back(b, a);
  };
  const std::uint32_t routers = nodes + draw(0, 5);
  for (node_id n = 1; n < routers; ++n) link(n, draw(0, n - 1));
  for (std::uint32_t more = draw(0, nodes); more > 0; --more) link(draw(0, nodes - 1), draw(0, nodes - 1));
  return first_nodes(graph_network(routers, channels), nodes);
}

algorithm draw_tree() { return static_cast<algorithm>(draw(0, static_cast<std::uint32_t>(algorithm::Ring))); }

algorithm draw_algorithm(operation o, std::uint32_t nodes) {
  switch (o) {
    case operation::Broadcast: {
      const auto last = nodes >= 6 ? algorithm::Parity : algorithm::SpreadIntermediates;
      return static_cast<algorithm>(draw(0, static_cast<std::uint32_t>(last)));
    }
    case operation::AllReduce:
      return draw_tree();
    default:
      return draw(0, 3) == 0 ? algorithm::Combining : draw_tree();
  }
}

void draw_groups(collective_case& c) {
  collective_parameters& p = c.parameters;
  std::vector<std::uint32_t> around = c.network.shape;
  if (around.empty()) around = {c.network.nodes};
  if (draw(0, 4) == 0) {
    p.groups.resize(draw(1, std::min(5u, c.network.nodes)));
    const std::vector<node_id> nodes = draw_nodes(c.network.nodes, c.network.nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      p.groups[i < p.groups.size() ? i : draw(0, static_cast<std::uint32_t>(p.groups.size()) - 1)].push_back(nodes[i]);
    }
    around = {static_cast<std::uint32_t>(p.groups.front().size())};
  } else {
    for (const std::uint32_t side : around) p.group.push_back(draw(1, side));
    around = p.group;
  }
  for (std::uint32_t depth = p.algorithm == algorithm::NetworkCoding ? draw(0, 2) : 0; depth > 0; --depth) {
    for (std::uint32_t& side : around) side = draw(1, side);
    p.subgroups.push_back(around);
  }
  p.inner = draw_tree();
  p.outer = draw_tree();
  p.placement = static_cast<intermediate_placement>(draw(0, 3));
  p.plain = static_cast<plain_sender>(draw(0, 1));
}

}  // namespace

collective_network grid_network(std::vector<std::uint32_t> shape, bool torus) {
  collective_network network;
  network.nodes = std::accumulate(shape.begin(), shape.end(), 1u, std::multiplies<>());
  network.shape = std::move(shape);
  network.torus = torus;
  return network;
}

collective_network graph_network(std::uint32_t nodes, const std::vector<std::pair<node_id, node_id>>& channels) {
  constexpr std::uint16_t Far = std::numeric_limits<std::uint16_t>::max() / 2;
  collective_network network;
  network.nodes = nodes;
  network.hops.assign(std::size_t{nodes} * nodes, Far);
  const auto hops = [&](node_id from, node_id to) -> std::uint16_t& { return network.hops[from * nodes + to]; };
  for (const auto& [from, to] : channels) hops(from, to) = 1;
  for (node_id n = 0; n < nodes; ++n) hops(n, n) = 0;
  for (node_id by = 0; by < nodes; ++by) {
    for (node_id from = 0; from < nodes; ++from) {
      for (node_id to = 0; to < nodes; ++to) {
        hops(from, to) = std::min<std::uint16_t>(hops(from, to), hops(from, by) + hops(by, to));
      }
    }
  }
  return network;
}

topology topology_of(const collective_network& network) {
  topology t;
  t.routers.resize(network.nodes);
  t.nodes.resize(network.nodes);
  for (node_id n = 0; n < network.nodes; ++n) t.nodes[n].ports.push_back({n, t.routers[n].ports++});
  for (node_id a = 0; a < network.nodes; ++a) {
    for (node_id b = 0; b < network.nodes; ++b) {
      if (network.distance(a, b) == 1) t.channels.push_back({{a, t.routers[a].ports++}, {b, t.routers[b].ports++}});
    }
  }
  return t;
}

collective_network octagon_network() {
  std::vector<std::pair<node_id, node_id>> channels;
  for (node_id n = 0; n < 8; ++n) {
    for (const node_id apart : {1u, 4u, 7u}) channels.emplace_back(n, (n + apart) % 8);
  }
  return graph_network(8, channels);
}

collective_case random_case(collective_operation last) {
  collective_case c;
  collective_parameters& p = c.parameters;
  p.operation = static_cast<operation>(draw(0, static_cast<std::uint32_t>(last)));
  const bool doubling = draw(0, 7) == 0 && (p.operation == operation::Broadcast || p.operation == operation::AllReduce);
  c.network = draw(0, 2) > 0 ? draw_grid(doubling) : draw_graph(doubling);
  const std::uint32_t nodes = c.network.nodes;
  p.algorithm = draw_algorithm(p.operation, nodes);
  if (p.algorithm == algorithm::RecursiveDoubling) p.algorithm = algorithm::Tree;
  if (doubling) p.algorithm = algorithm::RecursiveDoubling;
  if (has_groups(p.algorithm)) draw_groups(c);

  const bool butterfly = p.algorithm == algorithm::Butterfly || p.algorithm == algorithm::ButterflyUncoded;
  if (butterfly) {
    const std::vector<node_id> parts = draw_nodes(draw(5, 6), nodes);
    p.sources = {parts[0], parts[1]};
    p.receivers = {parts[2], parts[3]};
    p.relays.assign(parts.begin() + 4, parts.end());
  } else if (!doubling && p.operation != operation::AllReduce) {
    if (draw(0, 1) == 0) p.sources = draw_nodes(draw(1, nodes), nodes);
    const bool to_all = p.operation == operation::Broadcast && has_groups(p.algorithm);
    if (!to_all && draw(0, 1) == 0) p.receivers = draw_nodes(draw(1, nodes), nodes);
    if (p.operation == operation::Gather || p.operation == operation::Reduce) p.receivers = {draw(0, nodes - 1)};
  }
  const bool sums = p.operation == operation::Reduce || p.operation == operation::AllReduce;
  if (!sums && !doubling) p.packets = draw(1, p.algorithm == algorithm::Parity ? 7 : 2);
  p.parity = draw(1, 4);
  p.lengths = {draw(1, 5)};
  if (!sums && draw(0, 1) == 0) {
    p.lengths.clear();
    for (std::size_t s = p.sources.empty() ? nodes : p.sources.size(); s > 0; --s) p.lengths.push_back(draw(1, 5));
  }
  return c;
}

std::string described(const collective_case& c) {
  const collective_parameters& p = c.parameters;
  const auto list = [](const auto& numbers) {
    std::string text;
    for (const auto n : numbers) text += std::to_string(n) + " ";
    return text;
  };
  return std::string(CollectiveOperationNames[static_cast<std::size_t>(p.operation)]) + " " +
         CollectiveAlgorithmNames[static_cast<std::size_t>(p.algorithm)] + ", shape " + list(c.network.shape) +
         (c.network.torus ? "torus" : "") + ", " + std::to_string(c.network.nodes) + " nodes, sources " +
         list(p.sources) + ", receivers " + list(p.receivers) + ", group " + list(p.group) + ", packets " +
         std::to_string(p.packets) + ", inner " + CollectiveAlgorithmNames[static_cast<std::size_t>(p.inner)] +
         ", outer " + CollectiveAlgorithmNames[static_cast<std::size_t>(p.outer)] + ", placement " +
         IntermediatePlacementNames[static_cast<std::size_t>(p.placement)];
}

collective_floors bounds_of(const collective_parameters& p, const collective_network& network) {
  return collective_bounds(p, network, schedule::step_network(topology_of(network)));
}

std::uint64_t hops_of(const std::vector<collective_count>& counts, const std::string& step) {
  for (const collective_count& c : counts) {
    if (c.step == step) return c.hops;
  }
  return total(counts).hops;
}

}  // namespace weft
