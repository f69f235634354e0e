// SPDX-License-Identifier: Apache-2.0
/// The graph that a bisection divides: routers and nodes with the channels between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/analysis/bisection.h"
#include "weft/topology/topology.h"

namespace weft {

/// The graph that a bisection divides. Its vertices are the routers, followed by the nodes that have ports at several
/// routers. All other nodes belong to the vertex of their router.
class cut_graph {
 public:
  explicit cut_graph(const topology& t) : m_topology(t), m_nodes(t.routers.size(), 0) {
    for (const channel& c : t.channels) {
      if (c.from.router != c.to.router) m_channels.push_back({c.from.router, c.to.router});
    }
    for (const node_attachment& node : t.nodes) {
      const router_id first = node.ports.front().router;
      const bool whole =
          std::all_of(node.ports.begin(), node.ports.end(), [&](const port_ref& port) { return port.router == first; });
      m_vertices.push_back(whole ? first : m_nodes.size());
      if (whole) {
        ++m_nodes[first];
        continue;
      }
      for (const port_ref& port : node.ports) {
        m_channels.push_back({m_nodes.size(), port.router});
        m_channels.push_back({port.router, m_nodes.size()});
      }
      m_nodes.push_back(1);
    }
  }

  struct edge {
    std::size_t from, to;
  };
  std::size_t vertices() const { return m_nodes.size(); }
  std::size_t routers() const { return m_topology.routers.size(); }
  const std::vector<edge>& channels() const { return m_channels; }
  /// Number of nodes that belong to each vertex.
  const std::vector<std::size_t>& nodes() const { return m_nodes; }
  std::size_t all_nodes() const { return m_vertices.size(); }

  std::size_t channels_across(const std::vector<bool>& low) const {
    std::size_t up = 0, down = 0;
    for (const edge& c : m_channels) {
      up += low[c.from] && !low[c.to];
      down += !low[c.from] && low[c.to];
    }
    return std::max(up, down);
  }

  /// Stores the side of each router and node, and the number of nodes on each side.
  void describe(const std::vector<bool>& low, bisection& found) const {
    found.low.assign(low.begin(), low.begin() + static_cast<std::ptrdiff_t>(routers()));
    found.low_nodes.clear();
    for (const std::size_t vertex : m_vertices) found.low_nodes.push_back(low[vertex]);
    const auto below = static_cast<std::size_t>(std::count(found.low_nodes.begin(), found.low_nodes.end(), true));
    found.method += fmt::format(": {} | {} nodes", below, all_nodes() - below);
  }

 private:
  const topology& m_topology;
  std::vector<std::size_t> m_nodes;     // by vertex
  std::vector<std::size_t> m_vertices;  // by node
  std::vector<edge> m_channels;
};

inline std::size_t difference(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

/// Order of partitions: \p a is better than \p b if its halves are more equal, or if they are as equal and it cuts
/// fewer channels.
struct quality {
  std::size_t uneven;
  std::size_t channels;
  bool operator<(const quality& b) const {
    return std::make_pair(uneven, channels) < std::make_pair(b.uneven, b.channels);
  }
};

inline bool has_halves(const cut_graph& cuts) {
  return std::count(cuts.nodes().begin(), cuts.nodes().end(), std::size_t{0}) + 1 <
         static_cast<std::ptrdiff_t>(cuts.vertices());
}

inline bisection no_halves() { return {0, true, "all nodes are at one router, which has no bisection", {}, {}}; }

}  // namespace weft
