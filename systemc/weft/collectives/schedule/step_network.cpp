// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/step_network.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

std::string vertex_name(const topology& t, router_id r) {
  const std::string& name = t.routers[r].name;
  return name.empty() ? fmt::format("r{}", r) : name;
}

bool one_node_at_each_router(const topology& t) {
  std::vector<bool> taken(t.routers.size(), false);
  for (const node_attachment& node : t.nodes) {
    const router_id at = node.ports.front().router;
    const auto elsewhere = [at](const port_ref& port) { return port.router != at; };
    if (taken[at] || std::any_of(node.ports.begin(), node.ports.end(), elsewhere)) return false;
    taken[at] = true;
  }
  return t.nodes.size() == t.routers.size();
}

}  // namespace

step_network::step_network(const topology& t, port_rule ports) : m_nodes(t.nodes.size()), m_routers(t.routers.size()) {
  if (t.nodes.empty()) throw std::invalid_argument("network: no nodes, expected at least one");
  if (ports.rule == port_rule::kind::Number && ports.number == 0) {
    throw std::invalid_argument("ports: 0, expected one, all, or a number from 1");
  }
  const bool as_built = ports.rule == port_rule::kind::AsBuilt || !one_node_at_each_router(t);
  unsigned limit = std::numeric_limits<unsigned>::max();
  if (ports.rule == port_rule::kind::Number) limit = ports.number;

  for (node_id n = 0; n < t.nodes.size(); ++n) add_vertex(fmt::format("n{}", n));
  for (router_id r = 0; r < t.routers.size(); ++r) add_vertex(vertex_name(t, r));

  std::map<std::pair<router_id, router_id>, std::vector<std::size_t>> links;
  for (std::size_t i = 0; i < t.channels.size(); ++i) {
    const channel& c = t.channels[i];
    if (c.from.router != c.to.router) links[{c.from.router, c.to.router}].push_back(i);
  }
  for (auto& [ends, members] : links) {
    const auto capacity = static_cast<unsigned>(members.size());
    add({channel_kind::Link, router(ends.first), router(ends.second), capacity, std::move(members)});
  }
  for (node_id n = 0; n < t.nodes.size(); ++n) attach(t, n, as_built, limit);
}

step_network::step_network(std::size_t nodes, const std::vector<std::string>& names, std::vector<step_channel> channels)
    : m_nodes(nodes), m_routers(names.size() - nodes) {
  for (const std::string& name : names) add_vertex(name);
  for (step_channel& c : channels) {
    const bool from_node = is_node(c.from), to_node = is_node(c.to);
    if (from_node != (c.kind == channel_kind::Injection) || to_node != (c.kind == channel_kind::Ejection)) {
      throw std::invalid_argument(fmt::format(
          "{}: expected nodes where injection channels begin and ejection channels end, and nowhere else", name(c)));
    }
    if (c.capacity == 0) throw std::invalid_argument(name(c) + ": capacity 0, expected at least 1");
    add(std::move(c));
  }
}

void step_network::attach(const topology& t, node_id node, bool as_built, unsigned most) {
  std::map<router_id, unsigned> attachments;  // number of attachments by router
  for (const port_ref& port : t.nodes[node].ports) ++attachments[port.router];
  const auto built = static_cast<unsigned>(t.nodes[node].ports.size());

  if (attachments.size() == 1) {
    const vertex_id at = router(attachments.begin()->first);
    const auto limit = [&](const std::vector<channel_id>& channels_of_router) {
      return std::min(most, as_built ? built : links_among(channels_of_router));
    };
    const unsigned out = limit(m_out[at]), in = limit(m_in[at]);
    add({channel_kind::Injection, node, at, out});
    add({channel_kind::Ejection, at, node, in});
    return;
  }

  const unsigned limit = std::min(most, built);
  if (limit == built) {
    for (const auto& [r, count] : attachments) {
      add({channel_kind::Injection, node, router(r), count});
      add({channel_kind::Ejection, router(r), node, count});
    }
    return;
  }
  const vertex_id hub_out = add_vertex(fmt::format("n{}.out", node));
  const vertex_id hub_in = add_vertex(fmt::format("n{}.in", node));
  add({channel_kind::Injection, node, hub_out, limit});
  add({channel_kind::Ejection, hub_in, node, limit});
  for (const auto& [r, count] : attachments) {
    add({channel_kind::Link, hub_out, router(r), count});
    add({channel_kind::Link, router(r), hub_in, count});
  }
}

unsigned step_network::links_among(const std::vector<channel_id>& ids) const {
  unsigned sum = 0;
  for (const channel_id id : ids) sum += m_channels[id].kind == channel_kind::Link ? m_channels[id].capacity : 0;
  return sum;
}

channel_id step_network::add(step_channel c) {
  const auto id = static_cast<channel_id>(m_channels.size());
  m_out[c.from].push_back(id);
  m_in[c.to].push_back(id);
  m_channels.push_back(std::move(c));
  return id;
}

vertex_id step_network::add_vertex(std::string name) {
  while (!m_taken.insert(name).second) name += '\'';
  m_names.push_back(std::move(name));
  m_out.emplace_back();
  m_in.emplace_back();
  return static_cast<vertex_id>(m_names.size() - 1);
}

unsigned step_network::capacity_of(const std::vector<channel_id>& ids) const {
  unsigned sum = 0;
  for (const channel_id id : ids) sum += m_channels[id].capacity;
  return sum;
}

limited_network with_ports(const step_network& whole, unsigned ports) {
  limited_network result{{}, {}};
  step_network& network = result.network;
  network.m_nodes = whole.m_nodes;
  network.m_routers = whole.m_routers;
  for (const std::string& name : whole.m_names) network.add_vertex(name);
  const auto add = [&](const step_channel& c, std::optional<channel_id> original) {
    network.add(c);
    result.original.push_back(original);
  };
  std::map<std::pair<node_id, bool>, vertex_id> hubs;  // by node, and whether the hub is for sending
  const auto hub_of = [&](node_id node, bool out) {
    const auto [at, fresh] = hubs.emplace(std::make_pair(node, out), 0);
    if (!fresh) return at->second;
    const vertex_id hub = at->second = network.add_vertex(whole.m_names[node] + (out ? ".out" : ".in"));
    add(out ? step_channel{channel_kind::Injection, node, hub, ports}
            : step_channel{channel_kind::Ejection, hub, node, ports},
        std::nullopt);
    return hub;
  };
  for (channel_id id = 0; id < whole.channels().size(); ++id) {
    step_channel c = whole.channels()[id];
    const bool out = c.kind == channel_kind::Injection;
    const node_id node = out ? c.from : c.to;
    const bool is_port = c.kind != channel_kind::Link;
    const std::size_t beside = is_port ? (out ? whole.out(node) : whole.in(node)).size() : 0;
    if (!is_port || (out ? whole.ports_out(node) : whole.ports_in(node)) <= ports) {
      add(c, id);
    } else if (beside == 1) {
      c.capacity = std::min(c.capacity, ports);
      add(c, id);
    } else {
      const vertex_id hub = hub_of(node, out);
      add({channel_kind::Link, out ? hub : c.from, out ? c.to : hub, c.capacity}, id);
    }
  }
  return result;
}

std::vector<std::uint32_t> distances_to(const step_network& network, node_id node) {
  std::vector<std::uint32_t> distance(network.vertices(), Unreached);
  std::vector<vertex_id> queue{node};
  distance[node] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const vertex_id at = queue[i];
    if (network.is_node(at) && at != node) continue;  // paths end at other nodes
    for (const channel_id c : network.in(at)) {
      const vertex_id before = network.channels()[c].from;
      if (distance[before] != Unreached) continue;
      distance[before] = distance[at] + 1;
      queue.push_back(before);
    }
  }
  return distance;
}

namespace {

/// Enumerates all simple paths by length, depth first.
class path_finder {
 public:
  path_finder(const step_network& network, node_id from, node_id to, std::size_t most)
      : m_network(network),
        m_to(to),
        m_most(most),
        m_distance(distances_to(network, to)),
        m_visited(network.vertices(), false) {
    m_visited[from] = true;
  }

  std::vector<channel_path> run(node_id from, std::uint32_t detour) {
    if (m_distance[from] == Unreached) return {};
    for (std::uint32_t length = m_distance[from]; length <= m_distance[from] + detour; ++length) walk(from, length);
    return std::move(m_found);
  }

 private:
  /// Finds the paths of \p length channels, depth first. It uses no recursion, because paths may be longer than the
  /// stack allows.
  void walk(node_id from, std::uint32_t length) {
    struct visit {
      vertex_id at;
      std::size_t next;  // `next`: index of the next channel to follow
    };
    std::vector<visit> way{{from, 0}};
    while (!way.empty()) {
      visit& here = way.back();
      const auto left = static_cast<std::uint32_t>(length - (way.size() - 1));
      const std::vector<channel_id>& out = m_network.out(here.at);
      if (here.at == m_to && left == 0) m_found.push_back(m_path);
      if (here.at != m_to && m_found.size() < m_most)
        while (here.next < out.size() && !may_follow(out[here.next], left)) ++here.next;
      else
        here.next = out.size();
      if (here.next < out.size()) {
        const channel_id c = out[here.next++];
        m_path.push_back(c);
        m_visited[m_network.channels()[c].to] = true;
        way.push_back({m_network.channels()[c].to, 0});
        continue;
      }
      if (way.size() > 1) {
        m_visited[here.at] = false;
        m_path.pop_back();
      }
      way.pop_back();
    }
  }

  /// Whether a path may use \p c if \p left channels remain.
  bool may_follow(channel_id c, std::uint32_t left) const {
    const vertex_id next = m_network.channels()[c].to;
    if (m_visited[next] || (m_network.is_node(next) && next != m_to)) return false;
    return m_distance[next] != Unreached && m_distance[next] + 1 <= left;
  }

  const step_network& m_network;
  const node_id m_to;
  const std::size_t m_most;
  const std::vector<std::uint32_t> m_distance;
  std::vector<bool> m_visited;  // by vertex
  channel_path m_path;
  std::vector<channel_path> m_found;
};

}  // namespace

std::vector<channel_path> find_paths(const step_network& network, node_id from, node_id to, std::uint32_t detour,
                                     std::size_t most) {
  if (from == to) return {};
  return path_finder(network, from, to, most).run(from, detour);
}

std::string to_string(const step_network& network, const channel_path& path) {
  if (path.empty()) return "no channel";
  std::string text = network.name(network.channels()[path.front()].from);
  for (const channel_id c : path) text += " -> " + network.name(network.channels()[c].to);
  return text;
}

}  // namespace weft::schedule
