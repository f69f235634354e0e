// SPDX-License-Identifier: Apache-2.0
/// Routes given by the user: tables, and paths in the header.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"
#include "weft/topology/wiring.h"

namespace weft {

namespace {

void check_router(const topology& t, router_id r, const std::string& what) {
  if (r >= t.routers.size())
    reject_routing("{}: there is no router {}, expected 0 to {}", what, r, t.routers.size() - 1);
}

void check_node(const topology& t, node_id n, const std::string& what) {
  if (n >= t.nodes.size()) reject_routing("{}: there is no node {}, expected 0 to {}", what, n, t.nodes.size() - 1);
}

/// Rejects an entry for a node at the router itself that does not lead to one of the ports of the node: packets for the
/// node leave by these ports, whatever the table contains.
void expect_port_of_node(const topology& t, const table_entry& e, const std::string& what) {
  const std::vector<port_ref>& ports = t.nodes[e.to].ports;
  const auto is_at_router = [&](port_ref p) { return p.router == e.at; };
  if (std::none_of(ports.begin(), ports.end(), is_at_router)) return;
  if (std::any_of(ports.begin(), ports.end(), [&](port_ref p) { return is_at_router(p) && p.port == e.port; })) return;
  reject_routing("{}: output {} does not lead to the node, which is at this router; remove the route", what,
                 port_name(t, {e.at, e.port}));
}

/// Checks that packets from every node reach every other node; the error names the first router without a route.
void check_complete(const topology& t, const port_matrix& ports) {
  const wiring wires(t);
  const node_lists nodes(t);
  enum : std::uint8_t { New, OnPath, Good };
  std::vector<std::uint8_t> state(t.routers.size());
  for (node_id d = 0; d < t.nodes.size(); ++d) {
    std::fill(state.begin(), state.end(), New);
    for (const port_ref port : t.nodes[d].ports) state[port.router] = Good;
    for (node_id s = 0; s < t.nodes.size(); ++s) {
      for (const port_ref from : t.nodes[s].ports) {
        std::vector<router_id> path;
        for (router_id r = from.router; state[r] != Good;) {
          if (state[r] == OnPath) {
            std::vector<std::string> ring;
            for (auto at = std::find(path.begin(), path.end(), r); at != path.end(); ++at)
              ring.push_back(router_name(t, *at));
            ring.push_back(ring.front());
            reject_routing("packets from node {} to node {} follow a loop: {}", s, d, fmt::join(ring, ", "));
          }
          const unsigned port = ports.at(r, d);
          if (port == NoPort)
            reject_routing(
                "{} has no route to node {}, but packets from node {} to that node arrive there; add a route",
                router_name(t, r), d, s);
          const port_end end = wires.output({r, port});
          if (end.what != port_end::kind::Channel) {
            reject_routing("{} sends packets for node {} out by {}, {}", router_name(t, r), d, port_name(t, {r, port}),
                           end.what == port_end::kind::Node ? fmt::format("where node {} is", end.index)
                                                            : "which is not connected");
          }
          state[r] = OnPath;
          path.push_back(r);
          r = t.channels[end.index].to.router;
        }
        for (const router_id r : path) state[r] = Good;
      }
    }
  }
}

/// Output ports of the path through \p routers, except the port to the destination.
std::vector<unsigned> ports_through(const topology& t, const channel_lists& lists, const given_path& path,
                                    const std::string& what) {
  std::vector<unsigned> ports;
  std::vector<bool> passed(t.routers.size());
  for (const router_id r : path.through) {
    check_router(t, r, what);
    if (passed[r]) reject_routing("{}: it passes {} twice; a path passes a router once", what, router_name(t, r));
    passed[r] = true;
  }
  for (std::size_t i = 0; i + 1 < path.through.size(); ++i) {
    const auto& leaving = lists.leaving[path.through[i]];
    const auto found = std::find_if(leaving.begin(), leaving.end(),
                                    [&](std::uint32_t c) { return t.channels[c].to.router == path.through[i + 1]; });
    if (found == leaving.end()) {
      reject_routing("{}: there is no link from {} to {}", what, router_name(t, path.through[i]),
                     router_name(t, path.through[i + 1]));
    }
    ports.push_back(t.channels[*found].from.port);
  }
  return ports;
}

}  // namespace

void check_table_size(const topology& t) {
  if (t.routers.size() * t.nodes.size() > MaxTableEntries) {
    reject_size(
        "tables for {} routers and {} nodes have more than {} entries; make the network smaller, or choose a "
        "routing without tables, such as dimension_order in a mesh or torus",
        t.routers.size(), t.nodes.size(), MaxTableEntries);
  }
}

void route_from_table(topology& t, const std::vector<table_entry>& entries, unsigned vcs) {
  check_routable(t, vcs);
  check_table_size(t);
  port_matrix ports(t);
  std::vector<std::vector<std::pair<node_id, vc_set>>> vcs_at(t.routers.size());
  for (const table_entry& e : entries) {
    const std::string what = fmt::format("the route at {} to node {}", router_name(t, e.at), e.to);
    check_router(t, e.at, what);
    check_node(t, e.to, what);
    if (e.port >= t.routers[e.at].ports)
      reject_routing("{}: it has no port {}, expected 0 to {}", what, e.port, t.routers[e.at].ports - 1);
    if (e.vcs == 0) reject_routing("{}: no VC is admissible; give at least one", what);
    if ((e.vcs & ~first_vcs(vcs)) != 0)
      reject_routing("{}: it admits VCs beyond the {} VCs of a port; give lower VCs", what, vcs);
    if (ports.at(e.at, e.to) != NoPort) reject_routing("{} is given twice", what);
    expect_port_of_node(t, e, what);
    ports.at(e.at, e.to) = static_cast<std::uint8_t>(e.port);
    vcs_at[e.at].emplace_back(e.to, e.vcs);
  }
  check_complete(t, ports);
  clear_routing(t, "table");
  const node_lists nodes(t);
  for (router_id r = 0; r < t.routers.size(); ++r) {
    t.routing[r] = make_table(
        t, nodes, r, first_vcs(vcs), 1,
        [&](unsigned, std::vector<route>& row) {
          for (const auto& [d, admissible] : vcs_at[r]) row[d] = {ports.at(r, d), admissible};
        },
        [](unsigned) { return 0U; });
  }
}

namespace {

/// Paths between all nodes, encoded as in headers.
class path_table {
 public:
  explicit path_table(const topology& t)
      : m_topology(t), m_paths(t.nodes.size(), std::vector<std::optional<std::uint64_t>>(t.nodes.size())) {}

  void add_given(const std::vector<given_path>& given) {
    const channel_lists lists(m_topology);
    for (const given_path& path : given) {
      const std::string what = fmt::format("the path from node {} to node {}", path.from, path.to);
      check_node(m_topology, path.from, what);
      check_node(m_topology, path.to, what);
      if (path.through.empty()) reject_routing("{}: it goes through no router; name at least one", what);
      if (m_paths[path.from][path.to]) reject_routing("{} is given twice", what);
      const std::vector<unsigned> ports = ports_through(m_topology, lists, path, what);
      check_end(path.through.front(), path.from, what, "begins");
      check_end(path.through.back(), path.to, what, "ends");
      keep(path.from, path.to, ports);
    }
  }

  /// Adds the paths that \p search finds for pairs without a given path.
  void add_others(path_search search) {
    const auto nodes = static_cast<node_id>(m_topology.nodes.size());
    for (node_id to = 0; to < nodes; ++to) {
      search.aim(to);
      for (node_id from = 0; from < nodes; ++from)
        if (!m_paths[from][to]) keep(from, to, ports_by(search, from, to));
    }
  }

  std::uint64_t path(node_id from, node_id to) const { return *m_paths[from][to]; }

 private:
  router_id router_of(node_id n) const { return m_topology.nodes[n].ports.front().router; }

  void check_end(router_id end, node_id node, const std::string& what, const char* verb) const {
    if (end == router_of(node)) return;
    reject_routing("{}: it {} at {}; node {} is at {}", what, verb, router_name(m_topology, end), node,
                   router_name(m_topology, router_of(node)));
  }

  std::vector<unsigned> ports_by(const path_search& search, node_id from, node_id to) const {
    std::vector<unsigned> ports;
    path_search::phase phase = path_search::Climbing;
    for (router_id r = router_of(from); r != router_of(to);) {
      const std::uint32_t c = search.next(r, phase);
      if (c == path_search::None) reject_unjoined(m_topology, r, to, std::nullopt);
      ports.push_back(m_topology.channels[c].from.port);
      if (!search.up(c)) phase = path_search::Descending;
      r = m_topology.channels[c].to.router;
    }
    return ports;
  }

  void keep(node_id from, node_id to, std::vector<unsigned> ports) {
    const auto& local = m_topology.nodes[to].ports;
    ports.push_back(local[from % local.size()].port);
    try {
      m_paths[from][to] = source_path::pack(ports);
    } catch (const std::length_error&) {
      reject_routing(
          "the path from node {} to node {} through {} routers does not fit a header of {} segments (a "
          "segment is up to {} routers left by the same port); use up_down or shortest",
          from, to, ports.size(), source_path::MaxSegments, source_path::MaxRepeats);
    }
  }

  const topology& m_topology;
  std::vector<std::vector<std::optional<std::uint64_t>>> m_paths;
};

void check_source_routable(const topology& t, unsigned vcs) {
  check_routable(t, vcs);
  const std::size_t nodes = t.nodes.size();
  if (nodes * nodes > MaxTableEntries / 4) {
    reject_size("paths between {} nodes are more than {}; make the network smaller, or use up_down", nodes,
                MaxTableEntries / 4);
  }
  for (node_id n = 0; n < nodes; ++n) {
    for (const port_ref port : t.nodes[n].ports) {
      if (port.router != t.nodes[n].ports.front().router)
        reject_routing("node {} has ports at several routers, but a path begins at one router; use up_down or shortest",
                       n);
    }
  }
}

}  // namespace

void route_by_source(topology& t, unsigned vcs, source_paths others, const std::vector<given_path>& given,
                     path_weight weight) {
  check_source_routable(t, vcs);
  path_table paths(t);
  paths.add_given(given);
  paths.add_others(others == source_paths::UpDown ? search_up_down(t, std::nullopt, nullptr, weight)
                                                  : path_search(t, std::vector<bool>(t.channels.size(), true), weight));
  clear_routing(t, "source");
  for (route_rule& rule : t.routing) rule = source_rule{first_vcs(vcs)};
  const auto nodes = static_cast<node_id>(t.nodes.size());
  for (node_id from = 0; from < nodes; ++from)
    for (node_id to = 0; to < nodes; ++to) t.nodes[from].path_ids.by_destination.push_back(paths.path(from, to));
}

const routing_kind& source_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "source";
    kind.description = "source routing in any network; the header holds the whole path, which is a shortest path";
    kind.route = [](topology& t, const routing_plan& plan) {
      route_by_source(t, plan.vcs, source_paths::Shortest, {}, plan.choices.weight);
    };
    kind.keys = {path_weight_key()};
    return kind;
  }();
  return Kind;
}

}  // namespace weft
