// SPDX-License-Identifier: Apache-2.0
/// Shortest paths in layers.

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/hop_ordered.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

/// Shortest paths that form a tree to each node.
port_matrix shortest_ports(const topology& t) {
  port_matrix ports(t);
  const node_lists nodes(t);
  path_search search(t, std::vector<bool>(t.channels.size(), true));
  for (node_id d = 0; d < t.nodes.size(); ++d) {
    search.aim(d);
    for (router_id r = 0; r < t.routers.size(); ++r) {
      if (search.hops(r, path_search::Climbing) == path_search::None && !nodes.at[r].empty())
        reject_routing("node {} cannot be reached from {}; add a link", d, router_name(t, r));
      const std::uint32_t next = search.next(r, path_search::Climbing);
      if (next != path_search::None) ports.at(r, d) = static_cast<std::uint8_t>(t.channels[next].from.port);
    }
  }
  return ports;
}

/// A graph that grows by an edge at a time as long as it has no cycle; vertices are kept in topological order. Source:
/// Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs" (2006).
class acyclic_graph {
 public:
  explicit acyclic_graph(std::size_t vertices)
      : m_next(vertices), m_previous(vertices), m_rank(vertices), m_seen(vertices) {
    std::iota(m_rank.begin(), m_rank.end(), 0U);
  }

  /// Adds the edge, unless it closes a cycle.
  bool add(std::uint32_t from, std::uint32_t to) {
    if (m_rank[to] <= m_rank[from] && !reorder(from, to)) return false;
    m_next[from].push_back(to);
    m_previous[to].push_back(from);
    return true;
  }

  /// Takes back the edge added last.
  void remove_last(std::uint32_t from, std::uint32_t to) {
    m_next[from].pop_back();
    m_previous[to].pop_back();
  }

 private:
  using lists = std::vector<std::vector<std::uint32_t>>;

  /// All that \p start leads to by \p edges as far as \p within(vertex) holds, in topological order.
  template <class Within>
  std::vector<std::uint32_t> reach(std::uint32_t start, const lists& edges, Within within) {
    std::vector<std::uint32_t> found{start};
    m_seen[start] = ++m_search;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const std::uint32_t v : edges[found[i]]) {
        if (m_seen[v] == m_search || !within(v)) continue;
        m_seen[v] = m_search;
        found.push_back(v);
      }
    }
    std::sort(found.begin(), found.end(), [this](std::uint32_t a, std::uint32_t b) { return m_rank[a] < m_rank[b]; });
    return found;
  }

  /// Moves what leads to \p from before what \p to leads to; false if these meet.
  bool reorder(std::uint32_t from, std::uint32_t to) {
    const std::vector<std::uint32_t> behind =
        reach(to, m_next, [&](std::uint32_t v) { return m_rank[v] <= m_rank[from]; });
    if (m_seen[from] == m_search) return false;
    std::vector<std::uint32_t> moved =
        reach(from, m_previous, [&](std::uint32_t v) { return m_rank[v] >= m_rank[to]; });
    moved.insert(moved.end(), behind.begin(), behind.end());
    std::vector<std::uint32_t> ranks;
    for (const std::uint32_t v : moved) ranks.push_back(m_rank[v]);
    std::sort(ranks.begin(), ranks.end());
    for (std::size_t i = 0; i < moved.size(); ++i) m_rank[moved[i]] = ranks[i];
    return true;
  }

  lists m_next, m_previous;
  std::vector<std::uint32_t> m_rank;  ///< of each vertex in topological order
  std::vector<std::uint32_t> m_seen;  ///< the last search that came by
  std::uint32_t m_search = 0;
};

/// The pairs (source, destination) distributed over layers of which none has a cycle of dependencies: each goes into
/// the first that has room for it.
class layers {
 public:
  layers(const topology& t, const port_matrix& ports)
      : m_topology(t),
        m_ports(ports),
        m_channel_at(t.routers.size() * MaxPorts, path_search::None),
        m_layer(t.nodes.size() * t.nodes.size(), Unassigned) {
    for (std::uint32_t c = 0; c < t.channels.size(); ++c)
      m_channel_at[t.channels[c].from.router * MaxPorts + t.channels[c].from.port] = c;
  }

  /// Their number; nothing if it is more than MaxVcs.
  std::optional<unsigned> make() {
    for (unsigned count = 1; count <= MaxVcs; ++count)
      if (!fill(static_cast<std::uint8_t>(count - 1))) return count;
    return std::nullopt;
  }

  std::uint8_t layer(node_id source, node_id destination) const {
    return m_layer[std::size_t{source} * m_topology.nodes.size() + destination];
  }

 private:
  static constexpr std::uint8_t Unassigned = 0xff;
  enum edge_state : std::uint8_t { Absent, Present, Forbidden };

  /// From a channel to the one that leaves the router behind it by a port.
  struct dependency {
    std::uint32_t from;
    std::uint32_t to;
    std::size_t number;
  };

  std::uint32_t next(router_id r, node_id destination) const {
    const std::uint8_t port = m_ports.at(r, destination);
    return port == NoPort ? path_search::None : m_channel_at[r * MaxPorts + port];
  }

  /// Dependencies of the paths from all ports of \p source.
  void follow(node_id source, node_id destination) {
    m_path.clear();
    for (const port_ref port : m_topology.nodes[source].ports) {
      std::uint32_t c = next(port.router, destination);
      while (c != path_search::None) {
        const std::uint32_t after = next(m_topology.channels[c].to.router, destination);
        if (after != path_search::None)
          m_path.push_back({c, after, std::size_t{c} * MaxPorts + m_topology.channels[after].from.port});
        c = after;
      }
    }
  }

  /// Puts what fits in a layer; whether anything is left.
  bool fill(std::uint8_t layer) {
    acyclic_graph graph(m_topology.channels.size());
    std::vector<edge_state> state(m_topology.channels.size() * MaxPorts, Absent);
    std::vector<const dependency*> added;
    const auto fits = [&] {
      if (std::any_of(m_path.begin(), m_path.end(), [&](const dependency& e) { return state[e.number] == Forbidden; }))
        return false;
      added.clear();
      for (const dependency& e : m_path) {
        if (state[e.number] == Present) continue;
        if (graph.add(e.from, e.to)) {
          state[e.number] = Present;
          added.push_back(&e);
          continue;
        }
        for (auto last = added.rbegin(); last != added.rend(); ++last) {
          graph.remove_last((*last)->from, (*last)->to);
          state[(*last)->number] = Absent;
        }
        if (added.empty()) state[e.number] = Forbidden;  // for good: the graph only grows
        return false;
      }
      return true;
    };
    bool left = false;
    const auto nodes = static_cast<node_id>(m_topology.nodes.size());
    for (node_id d = 0; d < nodes; ++d) {
      for (node_id source = 0; source < nodes; ++source) {
        std::uint8_t& now = m_layer[std::size_t{source} * nodes + d];
        if (now != Unassigned) continue;
        follow(source, d);
        if (fits())
          now = layer;
        else
          left = true;
      }
    }
    return left;
  }

  const topology& m_topology;
  const port_matrix& m_ports;
  std::vector<std::uint32_t> m_channel_at;  ///< that leaves by each port of each router
  std::vector<std::uint8_t> m_layer;        ///< of each source and destination
  std::vector<dependency> m_path;
};

}  // namespace

unsigned route_shortest_layered(topology& t, unsigned vcs) {
  check_routable(t, vcs);
  check_table_size(t);
  const port_matrix ports = shortest_ports(t);
  if (t.routers.size() * t.nodes.size() > MaxLayeredEntries) {
    const std::string why =
        fmt::format("shortest paths for {} routers and {} nodes are too many for layers, which take {}",
                    t.routers.size(), t.nodes.size(), MaxLayeredEntries);
    return route_shortest_by_hops(t, vcs, ports, why);
  }
  layers assigned(t, ports);
  const std::optional<unsigned> found = assigned.make();
  if (!found)
    return route_shortest_by_hops(t, vcs, ports, fmt::format("shortest paths do not fit in {} layers of VCs", MaxVcs));
  const unsigned count = *found;
  if (count > vcs) {
    const unsigned hops = hops_of_longest(t, ports);
    if (hops <= vcs) return route_shortest_by_hops(t, vcs, ports, "");
    const unsigned least = std::min(count, hops);
    reject_routing("shortest paths without deadlock take {} VCs here; vcs is {}; give {} to {}, or use up_down", least,
                   vcs, least, MaxVcs);
  }
  clear_routing(t, "shortest");
  const node_lists nodes(t);
  for (router_id r = 0; r < t.routers.size(); ++r) {
    table_rule table = make_table(
        t, nodes, r, first_vcs(vcs), 1,
        [&](unsigned, std::vector<route>& row) {
          for (node_id d = 0; d < row.size(); ++d)
            if (ports.at(r, d) != NoPort) row[d] = {ports.at(r, d), first_vcs(vcs)};
        },
        [](unsigned) { return 0U; });
    table.divide(count);
    t.routing[r] = std::move(table);
  }
  if (count == 1) return count;
  for (node_id s = 0; s < t.nodes.size(); ++s)
    for (node_id d = 0; d < t.nodes.size(); ++d) t.nodes[s].ways.by_destination.push_back(assigned.layer(s, d));
  return count;
}

const routing_kind& shortest_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "shortest";
    kind.description =
        "shortest paths, in hierarchical rings and Octagons (2), in other networks in as many layers of VCs as it "
        "takes";
    kind.route = [](topology& t, unsigned vcs) { route_shortest_layered(t, vcs); };
    return kind;
  }();
  return Kind;
}

}  // namespace weft
