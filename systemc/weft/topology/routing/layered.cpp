// SPDX-License-Identifier: Apache-2.0
/// Shortest-path routing in layers.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/routing/acyclic_graph.h"
#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/hop_ordered.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

/// A dependency of a channel on the channel that leaves its end router by a port.
struct dependency {
  std::uint32_t from;
  std::uint32_t to;
  std::size_t number;
};

/// The acyclic dependencies between the channels of one layer.
class layer_graph {
 public:
  explicit layer_graph(const topology& t)
      : m_graph(t.channels.size()), m_state(t.channels.size() * MaxPorts, edge_state::Absent) {}

  /// Adds the dependencies of a path. If they would close a cycle, adds nothing and returns false.
  bool add(const std::vector<dependency>& path) {
    const auto state = [this](const dependency& e) -> edge_state& { return m_state[e.number]; };
    if (std::any_of(path.begin(), path.end(), [&](const dependency& e) { return state(e) == edge_state::Forbidden; }))
      return false;
    m_added.clear();
    for (const dependency& e : path) {
      if (state(e) == edge_state::Present) continue;
      if (m_graph.add(e.from, e.to)) {
        state(e) = edge_state::Present;
        m_added.push_back(&e);
        continue;
      }
      for (auto last = m_added.rbegin(); last != m_added.rend(); ++last) {
        m_graph.remove_last((*last)->from, (*last)->to);
        state(**last) = edge_state::Absent;
      }
      if (m_added.empty()) state(e) = edge_state::Forbidden;  // permanent, because the graph only grows
      return false;
    }
    return true;
  }

 private:
  enum class edge_state : std::uint8_t { Absent, Present, Forbidden };

  acyclic_graph m_graph;
  std::vector<edge_state> m_state;
  std::vector<const dependency*> m_added;  ///< the dependencies that the current path has added
};

/// The pairs (source, destination), distributed over layers without dependency cycles.
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

  /// Puts each pair into the first layer that stays acyclic with it. Returns the number of layers; nothing if it
  /// exceeds MaxVcs.
  std::optional<unsigned> fill() {
    bool left = true;
    while (left && m_graphs.size() < MaxVcs) {
      m_graphs.emplace_back(m_topology);
      m_load.emplace_back(m_topology.channels.size());
      left = fill_last();
    }
    if (left) return std::nullopt;
    return static_cast<unsigned>(m_graphs.size());
  }

  /// Number of VCs of each layer: one each, and each further VC goes to the layer with the highest load per VC. With
  /// more \p vcs, no layer has fewer.
  std::vector<unsigned> split(unsigned vcs) const {
    std::vector<std::uint64_t> load;
    for (const auto& of_channels : m_load) load.push_back(*std::max_element(of_channels.begin(), of_channels.end()));
    std::vector<unsigned> shares(load.size(), 1);
    for (std::size_t spare = vcs - load.size(); spare > 0; --spare) {
      std::size_t most = 0;
      for (std::size_t l = 1; l < load.size(); ++l)
        if (load[l] * shares[most] > load[most] * shares[l]) most = l;
      ++shares[most];
    }
    return shares;
  }

  /// Moves pairs to layers where the busiest channel of their path has a lower load per VC.
  void balance(const std::vector<unsigned>& vcs_of_layer) {
    bool moved = true;
    for (unsigned pass = 0; moved && pass < MaxPasses; ++pass) {
      moved = false;
      for_each_pair([&](node_id source, node_id destination, std::uint8_t& now) {
        follow(source, destination);
        if (m_channels.empty()) return;
        const std::uint8_t to = lighter(now, vcs_of_layer);
        moved |= to != now;
        now = to;
      });
    }
  }

  std::uint8_t layer(node_id source, node_id destination) const {
    return m_layer[std::size_t{source} * m_topology.nodes.size() + destination];
  }

 private:
  static constexpr std::uint8_t Unassigned = 0xff;
  static constexpr unsigned MaxPasses = 4;
  /// Load of a pair, split equally over the ports of the source; divisible by any number of ports.
  static constexpr std::uint64_t WholeLoad = 720720;

  std::uint32_t next(router_id r, node_id destination) const {
    const std::uint8_t port = m_ports.at(r, destination);
    return port == NoPort ? path_search::None : m_channel_at[r * MaxPorts + port];
  }

  template <class Visit>
  void for_each_pair(Visit visit) {
    const auto nodes = static_cast<node_id>(m_topology.nodes.size());
    for (node_id d = 0; d < nodes; ++d)
      for (node_id source = 0; source < nodes; ++source) visit(source, d, m_layer[std::size_t{source} * nodes + d]);
  }

  /// Collects the channels of the paths from all ports of \p source, and their dependencies.
  void follow(node_id source, node_id destination) {
    m_path.clear();
    m_channels.clear();
    const std::vector<port_ref>& ports = m_topology.nodes[source].ports;
    m_part = WholeLoad / ports.size();
    for (const port_ref port : ports) {
      std::uint32_t c = next(port.router, destination);
      while (c != path_search::None) {
        m_channels.push_back(c);
        const std::uint32_t after = next(m_topology.channels[c].to.router, destination);
        if (after != path_search::None)
          m_path.push_back({c, after, std::size_t{c} * MaxPorts + m_topology.channels[after].from.port});
        c = after;
      }
    }
  }

  /// Puts all pairs that fit into the last layer; returns whether any pair is left.
  bool fill_last() {
    const auto last = static_cast<std::uint8_t>(m_graphs.size() - 1);
    bool left = false;
    for_each_pair([&](node_id source, node_id destination, std::uint8_t& now) {
      if (now != Unassigned) return;
      follow(source, destination);
      if (m_graphs[last].add(m_path)) {
        now = last;
        for (const std::uint32_t c : m_channels) m_load[last][c] += m_part;
      } else {
        left = true;
      }
    });
    return left;
  }

  /// The best layer for the pair of m_path, which is in layer \p now.
  std::uint8_t lighter(std::uint8_t now, const std::vector<unsigned>& vcs_of_layer) {
    const auto busiest = [&](std::size_t l) {
      std::uint64_t most = 0;
      for (const std::uint32_t c : m_channels) most = std::max(most, m_load[l][c]);
      return most;
    };
    std::vector<std::pair<double, std::uint8_t>> choices;
    const double here = static_cast<double>(busiest(now)) / vcs_of_layer[now];
    const auto count = static_cast<std::uint8_t>(m_graphs.size());  // MaxVcs at most
    for (std::uint8_t l = 0; l < count; ++l) {
      if (l == now) continue;
      const double there = static_cast<double>(busiest(l) + m_part) / vcs_of_layer[l];
      if (there < here) choices.emplace_back(there, l);
    }
    std::sort(choices.begin(), choices.end());
    for (const auto& [load, l] : choices) {
      if (!m_graphs[l].add(m_path)) continue;
      for (const std::uint32_t c : m_channels) {
        m_load[now][c] -= m_part;
        m_load[l][c] += m_part;
      }
      return l;
    }
    return now;
  }

  const topology& m_topology;
  const port_matrix& m_ports;
  std::vector<std::uint32_t> m_channel_at;         ///< channel that leaves by each port of each router
  std::vector<std::uint8_t> m_layer;               ///< of each source and destination
  std::vector<layer_graph> m_graphs;               ///< of each layer
  std::vector<std::vector<std::uint64_t>> m_load;  ///< of each layer and channel
  // Of the pair followed last:
  std::vector<dependency> m_path;
  std::vector<std::uint32_t> m_channels;
  std::uint64_t m_part = 0;  ///< its load on each channel
};

}  // namespace

unsigned route_shortest_layered(topology& t, unsigned vcs, path_weight weight) {
  check_routable(t, vcs);
  check_table_size(t);
  const port_matrix ports = shortest_ports(t, weight);
  if (t.routers.size() * t.nodes.size() > MaxLayeredEntries) {
    const std::string why =
        fmt::format("shortest paths for {} routers and {} nodes are more than the {} that layers support",
                    t.routers.size(), t.nodes.size(), MaxLayeredEntries);
    return route_shortest_by_hops(t, vcs, ports, why);
  }
  layers assigned(t, ports);
  const std::optional<unsigned> found = assigned.fill();
  if (!found)
    return route_shortest_by_hops(t, vcs, ports, fmt::format("shortest paths do not fit in {} layers of VCs", MaxVcs));
  const unsigned count = *found;
  if (count > vcs) {
    const unsigned hops = hops_of_longest(t, ports);
    if (hops <= vcs) return route_shortest_by_hops(t, vcs, ports, "");
    const unsigned least = std::min(count, hops);
    reject_routing("shortest paths without deadlock need {} VCs in this network, but vcs is {}; give {} to {}{}", least,
                   vcs, least, MaxVcs, allows_up_down(t) ? ", or use up_down" : "");
  }
  std::vector<unsigned> split(count, 1);
  if (count > 1 && vcs > count) {
    split = assigned.split(vcs);
    assigned.balance(split);
  }
  clear_routing(t, "shortest");
  t.least_vcs = std::min(count, hops_of_longest(t, ports));
  const node_lists nodes(t);
  for (router_id r = 0; r < t.routers.size(); ++r) {
    table_rule table = make_table(
        t, nodes, r, first_vcs(vcs), 1,
        [&](unsigned, std::vector<route>& row) {
          for (node_id d = 0; d < row.size(); ++d)
            if (ports.at(r, d) != NoPort) row[d] = {ports.at(r, d), first_vcs(vcs)};
        },
        [](unsigned) { return 0U; });
    table.divide(split);
    t.routing[r] = std::move(table);
  }
  if (count == 1) return count;
  for (node_id s = 0; s < t.nodes.size(); ++s)
    for (node_id d = 0; d < t.nodes.size(); ++d) t.nodes[s].path_ids.by_destination.push_back(assigned.layer(s, d));
  return count;
}

std::optional<unsigned> count_layers(const topology& t) {
  if (t.routers.size() * t.nodes.size() > MaxLayeredEntries) return std::nullopt;
  const port_matrix ports = shortest_ports(t);
  return layers(t, ports).fill();
}

option_key<routing_options> path_weight_key() {
  return {"weight", choice_of<routing_options, path_weight, &routing_options::weight>(path_weights()), "",
          "What the length of a path counts. `hops`: links. `cycles`: the cycles that a flit takes over the links, so "
          "that a link of 10 cycles is as long as 10 links of one cycle. `phits`: the cycles for which a flit occupies "
          "the links, so that paths avoid narrow links."};
}

const routing_kind& shortest_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "shortest";
    kind.description =
        "shortest paths in any network (2 in hierarchical rings and Octagons; otherwise as many VC layers as deadlock "
        "freedom requires)";
    kind.route = [](topology& t, const routing_plan& plan) {
      route_shortest_layered(t, plan.vcs, plan.choices.weight);
    };
    kind.keys = {path_weight_key()};
    return kind;
  }();
  return Kind;
}

}  // namespace weft
