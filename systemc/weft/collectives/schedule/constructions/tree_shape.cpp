// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/tree_shape.h"

#include <algorithm>

#include "weft/collectives/schedule/constructions/edge_colouring.h"

namespace weft::schedule {
namespace {

std::optional<channel_id> channel_between(const step_network& network, vertex_id from, vertex_id to) {
  for (const channel_id c : network.out(from)) {
    if (network.channels()[c].to == to) return c;
  }
  return std::nullopt;
}

/// Returns the vertex at which the channels between a node and its routers end: the node itself, or its hub.
vertex_id outer(const step_network& network, node_id node) {
  if (network.out(node).empty()) return node;
  const vertex_id first = network.channels()[network.out(node).front()].to;
  return first >= network.nodes() + network.routers() ? first : vertex_id{node};
}
vertex_id inner(const step_network& network, node_id node) {
  if (network.in(node).empty()) return node;
  const vertex_id first = network.channels()[network.in(node).front()].from;
  return first >= network.nodes() + network.routers() ? first : vertex_id{node};
}

}  // namespace

std::optional<tree_shape> tree_shape::of(const step_network& network) {
  tree_shape shape(network);
  if (!shape.read() || !shape.verify()) return std::nullopt;
  return shape;
}

bool tree_shape::read() {
  const auto nodes = static_cast<std::uint32_t>(m_network->nodes());
  const auto neighbours = [&](vertex_id v, vertex_id first, vertex_id last) {
    std::uint32_t count = 0;
    for (const channel_id c : m_network->out(v)) {
      const vertex_id to = m_network->channels()[c].to;
      count += to >= first && to < last;
    }
    return count;
  };
  const auto end = static_cast<vertex_id>(m_network->nodes() + m_network->routers());
  m_below = m_positions = {1};
  m_first = {0, 0};
  m_parents.push_back(neighbours(outer(*m_network, 0), m_network->router(0), end));
  for (std::uint32_t below_first = 0; m_parents.back() > 0;) {
    const std::size_t level = m_parents.size();
    const std::uint32_t first = m_first[level];
    if (first >= m_network->routers()) return false;
    std::uint32_t children = 0;
    if (level == 1) {
      for (node_id n = 0; n < nodes; ++n) {
        children += channel_between(*m_network, m_network->router(0), inner(*m_network, n)).has_value();
      }
    } else {
      children = neighbours(m_network->router(first), m_network->router(below_first), m_network->router(first));
    }
    if (children == 0 || nodes % (m_below.back() * children) != 0) return false;
    m_children.push_back(children);
    m_below.push_back(m_below.back() * children);
    m_positions.push_back(m_positions.back() * m_parents.back());
    below_first = first;
    m_first.push_back(first + nodes / m_below.back() * m_positions.back());
    if (m_first.back() >= m_network->routers()) break;
    m_parents.push_back(neighbours(m_network->router(first), m_network->router(m_first.back()), end));
  }
  return m_parents.back() > 0 && m_below.back() == nodes && m_first.back() == m_network->routers();
}

bool tree_shape::verify() const {
  std::size_t links = 0;
  const auto joined = [&](vertex_id a, vertex_id b) {
    links += 2;
    return channel_between(*m_network, a, b) && channel_between(*m_network, b, a);
  };
  for (node_id n = 0; n < m_network->nodes(); ++n) {
    for (std::uint32_t v = 0; v < planes(); ++v) {
      if (!channel_between(*m_network, outer(*m_network, n), router(1, n, v))) return false;
      if (!channel_between(*m_network, router(1, n, v), inner(*m_network, n))) return false;
    }
    if (outer(*m_network, n) != n) links += 2 * std::size_t{planes()};
  }
  for (std::size_t level = 1; level < height(); ++level) {
    for (node_id n = 0; n < m_network->nodes(); n += m_below[level]) {
      for (std::uint32_t v = 0; v < m_positions[level]; ++v) {
        for (std::uint32_t i = 0; i < parents(level + 1); ++i) {
          if (!joined(router(level, n, v), router(level + 1, n, v + i * m_positions[level]))) return false;
        }
      }
    }
  }
  const auto& channels = m_network->channels();
  return static_cast<std::ptrdiff_t>(links) ==
         std::count_if(channels.begin(), channels.end(),
                       [](const step_channel& c) { return c.kind == channel_kind::Link; });
}

vertex_id tree_shape::router(std::size_t level, node_id below, std::uint32_t position) const {
  return m_network->router(m_first[level] + below / m_below[level] * m_positions[level] + position);
}

bool tree_shape::full_from(std::size_t level) const {
  for (std::size_t l = level; l < height(); ++l) {
    if (parents(l + 1) < children(l)) return false;
  }
  return true;
}

std::vector<channel_path> tree_shape::route(const std::vector<pair>& pairs, std::uint32_t plane) const {
  // For each pair, the position of the router at each level that it passes. Routers of a level with the same position
  // below the same routers are the choices of an edge coloring.
  std::vector<std::vector<std::uint32_t>> positions(pairs.size(), {plane});
  std::vector<std::size_t> climbing(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) climbing[i] = i;
  for (std::size_t level = 1; level < height(); ++level) {
    const std::uint32_t below = m_below[level];
    climbing.erase(std::remove_if(climbing.begin(), climbing.end(),
                                  [&](std::size_t i) { return pairs[i].from / below == pairs[i].to / below; }),
                   climbing.end());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const std::size_t i : climbing) {
      const std::uint32_t here = positions[i].back();
      edges.emplace_back(pairs[i].from / below * m_positions[level] + here,
                         pairs[i].to / below * m_positions[level] + here);
    }
    const auto colours = edge_colouring(edges, parents(level + 1));
    for (std::size_t e = 0; e < edges.size(); ++e) {
      std::vector<std::uint32_t>& of_pair = positions[climbing[e]];
      of_pair.push_back(of_pair.back() + colours[e] * m_positions[level]);
    }
  }
  std::vector<channel_path> paths;
  for (std::size_t i = 0; i < pairs.size(); ++i) paths.push_back(path(pairs[i], positions[i]));
  return paths;
}

channel_path tree_shape::path(const pair& p, const std::vector<std::uint32_t>& positions) const {
  std::vector<vertex_id> by{p.from};
  if (outer(*m_network, p.from) != p.from) by.push_back(outer(*m_network, p.from));
  for (std::size_t l = 0; l < positions.size(); ++l) by.push_back(router(l + 1, p.from, positions[l]));
  for (std::size_t l = positions.size() - 1; l > 0; --l) by.push_back(router(l, p.to, positions[l - 1]));
  if (inner(*m_network, p.to) != p.to) by.push_back(inner(*m_network, p.to));
  by.push_back(p.to);
  channel_path path;
  for (std::size_t i = 0; i + 1 < by.size(); ++i) path.push_back(*channel_between(*m_network, by[i], by[i + 1]));
  return path;
}

}  // namespace weft::schedule
