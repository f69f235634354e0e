// SPDX-License-Identifier: Apache-2.0
/// up*/down* routing.

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

// ---- Tables of a row for each phase ----

void fill_tables(topology& t, unsigned vcs, path_search& search, std::optional<router_id> root) {
  const node_lists nodes(t);
  port_matrix climbing(t), descending(t);
  for (node_id d = 0; d < t.nodes.size(); ++d) {
    search.aim(d);
    for (router_id r = 0; r < t.routers.size(); ++r) {
      if (!search.reaches(r, path_search::Climbing) && !nodes.at[r].empty()) reject_unjoined(t, r, d, root);
      const std::uint32_t up = search.next(r, path_search::Climbing), down = search.next(r, path_search::Descending);
      if (up != path_search::None) climbing.at(r, d) = static_cast<std::uint8_t>(t.channels[up].from.port);
      if (down != path_search::None) descending.at(r, d) = static_cast<std::uint8_t>(t.channels[down].from.port);
    }
  }
  const vc_set all = first_vcs(vcs);
  for (router_id r = 0; r < t.routers.size(); ++r) {
    std::vector<unsigned> phase(t.routers[r].ports, path_search::Climbing);
    for (const std::uint32_t c : search.lists().entering[r])
      if (!search.up(c)) phase[t.channels[c].to.port] = path_search::Descending;
    t.routing[r] = make_table(
        t, nodes, r, all, 2,
        [&](unsigned p, std::vector<route>& row) {
          const port_matrix& ports = p == path_search::Climbing ? climbing : descending;
          for (node_id d = 0; d < row.size(); ++d)
            if (ports.at(r, d) != NoPort) row[d] = {ports.at(r, d), all};
        },
        [&](unsigned port) { return phase[port]; });
  }
}

// ---- Tables of runs along a tree ----

/// For each router, the last router below it in a tree with depth-first numbering. Empty if routers are not numbered
/// so.
std::vector<router_id> last_below(const topology& t, const channel_lists& lists,
                                  const std::vector<std::uint32_t>& levels) {
  // With depth-first numbering, the path from the root to the previous router contains the parent of each router.
  std::vector<router_id> last(t.routers.size()), path;
  for (router_id r = 0; r < t.routers.size(); ++r) {
    if (levels[r] > path.size() || (r > 0 && levels[r] == 0)) return {};
    for (; path.size() > levels[r]; path.pop_back()) last[path.back()] = r - 1;
    const auto from_parent = [&](std::uint32_t c) { return t.channels[c].from.router == path.back(); };
    const auto to_upper = [&](std::uint32_t c) { return levels[t.channels[c].to.router] < levels[r]; };
    if (!path.empty() && (std::none_of(lists.entering[r].begin(), lists.entering[r].end(), from_parent) ||
                          std::none_of(lists.leaving[r].begin(), lists.leaving[r].end(), to_upper)))
      return {};
    path.push_back(r);
  }
  for (const router_id r : path) last[r] = static_cast<router_id>(t.routers.size() - 1);
  return last;
}

/// First node of each router, then the number of nodes; empty if nodes are not in the order of routers.
std::vector<node_id> first_nodes(const topology& t) {
  std::vector<node_id> first(t.routers.size() + 1);
  router_id before = 0;
  for (const node_attachment& n : t.nodes) {
    const router_id r = n.ports.front().router;
    if (r < before || std::any_of(n.ports.begin(), n.ports.end(), [r](port_ref p) { return p.router != r; })) return {};
    before = r;
    ++first[r + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

class tree_tables {
 public:
  tree_tables(topology& t, unsigned vcs, const path_search& search, const std::vector<std::uint32_t>& levels)
      : m_topology(t),
        m_vcs(first_vcs(vcs)),
        m_search(search),
        m_levels(levels),
        m_last(last_below(t, search.lists(), levels)),
        m_first(first_nodes(t)) {}

  bool possible() const { return !m_last.empty() && !m_first.empty(); }

  void fill() {
    for (router_id r = 0; r < m_topology.routers.size(); ++r) fill(r);
  }

 private:
  /// The routers first…last are below the router that a port leads to.
  struct branch {
    router_id first;
    router_id last;
    unsigned port;
  };

  /// The destinations that each port of a router leads to.
  struct directions {
    std::vector<branch> branches;
    std::vector<unsigned> up;       ///< ports to routers on the next level
    std::vector<router_id> shares;  ///< destinations from each element to the next climb by the matching port in `up`
    std::vector<router_id> bounds;  ///< all destinations from one bound to the next use the same port
  };

  directions directions_at(router_id r) const {
    directions d;
    const std::size_t routers = m_topology.routers.size();
    d.bounds = {0, r, r + 1};
    for (const std::uint32_t c : m_search.lists().leaving[r]) {
      const channel& link = m_topology.channels[c];
      const router_id to = link.to.router;
      if (!m_search.up(c)) {
        d.branches.push_back({to, m_last[to], link.from.port});
        d.bounds.push_back(to);
        d.bounds.push_back(m_last[to] + 1);
      } else if (m_levels[to] < m_levels[r]) {
        d.up.push_back(link.from.port);
      }
    }
    for (std::size_t i = 1; i < d.up.size(); ++i) d.shares.push_back(static_cast<router_id>(routers * i / d.up.size()));
    d.bounds.insert(d.bounds.end(), d.shares.begin(), d.shares.end());
    std::sort(d.bounds.begin(), d.bounds.end());
    d.bounds.erase(std::unique(d.bounds.begin(), d.bounds.end()), d.bounds.end());
    if (d.bounds.back() == routers) d.bounds.pop_back();
    return d;
  }

  /// The port from \p r on the way to another router.
  static unsigned port_to(router_id destination, router_id r, const directions& d) {
    const branch* nearest = nullptr;
    for (const branch& b : d.branches) {
      const bool below = b.first <= destination && destination <= b.last;
      if (below && (nearest == nullptr || b.first > nearest->first)) nearest = &b;
    }
    if (nearest != nullptr) return nearest->port;
    std::size_t part = r;
    for (const router_id bound : d.shares) part += bound <= destination;
    return d.up[part % d.up.size()];
  }

  /// Adds the row of packets that entered by ports with number \p share, over which packets to the nodes of \p r are
  /// spread.
  void add_row(router_id r, unsigned share, const directions& d, table_rule& table) const {
    std::vector<node_id> first;
    std::vector<route> what;
    const auto add = [&](node_id from, route to) {
      if (!what.empty() && what.back() == to) return;
      if (!first.empty() && first.back() == from) {  // the previous run has no nodes
        what.back() = to;
        return;
      }
      first.push_back(from);
      what.push_back(to);
    };
    for (const router_id bound : d.bounds) {
      if (bound != r) {
        if (m_first[bound] < m_topology.nodes.size())
          add(m_first[bound], {static_cast<std::uint8_t>(port_to(bound, r, d)), m_vcs});
        continue;
      }
      for (node_id n = m_first[r]; n < m_first[r + 1]; ++n) {
        const auto& ports = m_topology.nodes[n].ports;
        add(n, {static_cast<std::uint8_t>(ports[share % ports.size()].port), m_vcs});
      }
    }
    table.add_row(first, what, m_topology.nodes.size());
  }

  void fill(router_id r) {
    const directions d = directions_at(r);
    const unsigned spread = spread_at(r);
    table_rule table;
    for (unsigned i = 0; i < spread; ++i) add_row(r, i, d, table);
    for (unsigned port = 0; port < m_topology.routers[r].ports; ++port) {
      if (port % spread == 0) continue;
      for (unsigned vc = 0; vc < MaxVcs; ++vc) table.use_row(port, vc, port % spread);
    }
    m_topology.routing[r] = std::move(table);
  }

  unsigned spread_at(router_id r) const {
    std::size_t most = 1;
    for (node_id n = m_first[r]; n < m_first[r + 1]; ++n) most = std::max(most, m_topology.nodes[n].ports.size());
    return static_cast<unsigned>(most);
  }

  topology& m_topology;
  const vc_set m_vcs;
  const path_search& m_search;
  const std::vector<std::uint32_t>& m_levels;
  const std::vector<router_id> m_last;
  const std::vector<node_id> m_first;
};

}  // namespace

void route_up_down(topology& t, unsigned vcs, std::optional<router_id> root, path_weight weight) {
  check_routable(t, vcs);
  std::vector<std::uint32_t> levels;
  path_search search = search_up_down(t, root, &levels, weight);
  clear_routing(t, "up_down");
  if (t.routers.size() * t.nodes.size() <= MaxTableEntries) {
    fill_tables(t, vcs, search, root);
    return;
  }
  if (weight != path_weight::Hops) {
    reject_size("the paths of {} routers and {} nodes follow a tree, whatever the weight; leave out the weight",
                t.routers.size(), t.nodes.size());
  }
  tree_tables tables(t, vcs, search, levels);
  if (!tables.possible()) {
    reject_size(
        "tables for {} routers and {} nodes have more than {} entries; make the network smaller, or number "
        "routers and nodes along the tree of up*/down*, depth first, with two-way links",
        t.routers.size(), t.nodes.size(), MaxTableEntries);
  }
  tables.fill();
}

const routing_kind& up_down_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "up_down";
    kind.description = "up*/down* routing in any network (1)";
    kind.shortest = false;
    kind.route = [](topology& t, const routing_plan& plan) {
      route_up_down(t, plan.vcs, std::nullopt, plan.choices.weight);
    };
    kind.keys = {path_weight_key()};
    return kind;
  }();
  return Kind;
}

}  // namespace weft
