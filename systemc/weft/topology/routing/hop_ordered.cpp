// SPDX-License-Identifier: Apache-2.0
/// Shortest paths on VCs whose numbers increase with every hop.

#include "weft/topology/routing/hop_ordered.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

/// Number of channels on the path from each router to each node; 0 if there is no path.
class hop_matrix {
 public:
  hop_matrix(const topology& t, const port_matrix& ports)
      : m_nodes(t.nodes.size()), m_hops(t.routers.size() * m_nodes) {
    std::vector<router_id> next_router(t.routers.size() * MaxPorts);
    for (const channel& c : t.channels) next_router[c.from.router * MaxPorts + c.from.port] = c.to.router;
    std::vector<router_id> path;
    for (node_id d = 0; d < m_nodes; ++d) {
      for (router_id start = 0; start < t.routers.size(); ++start) {
        path.clear();
        router_id r = start;
        for (; ports.at(r, d) != NoPort && at(r, d) == 0; r = next_router[r * MaxPorts + ports.at(r, d)])
          path.push_back(r);
        std::uint32_t hops = at(r, d);
        for (std::size_t i = path.size(); i-- > 0;) {
          hops = std::min<std::uint32_t>(hops + 1, TooMany);
          m_longest = std::max(m_longest, hops);
          m_hops[path[i] * m_nodes + d] = static_cast<std::uint8_t>(hops);
        }
      }
    }
  }

  std::uint32_t at(router_id router, node_id destination) const { return m_hops[router * m_nodes + destination]; }
  /// Maximum over all paths, at least 1; saturates at TooMany.
  std::uint32_t longest() const { return m_longest; }

  static constexpr std::uint32_t TooMany = 0xff;

 private:
  std::size_t m_nodes;
  std::vector<std::uint8_t> m_hops;
  std::uint32_t m_longest = 1;
};

/// The table of one router. Row 0 is for packets from nodes, row 1 + v for packets that enter on VC v. If a node has
/// several ports, their rows are consecutive.
class rising_table {
 public:
  /// \param wide on the next hop, packets may take any VC that leaves enough VCs for the remaining hops; otherwise only
  /// the next VC
  rising_table(const topology& t, const port_matrix& ports, const hop_matrix& hops, const node_lists& nodes,
               router_id router, unsigned vcs, bool wide)
      : m_topology(t), m_ports(ports), m_hops(hops), m_nodes(nodes), m_router(router), m_vcs(vcs), m_wide(wide) {}

  /// \param entering channels that end at the router
  /// \throws std::length_error if there are too many different routes
  table_rule make(const std::vector<std::uint32_t>& entering) const {
    table_rule table;
    const unsigned spread = m_nodes.ports[m_router];
    for (unsigned first_vc = 0; first_vc <= m_vcs; ++first_vc)
      for (unsigned i = 0; i < spread; ++i) table.add_row(row(first_vc, i));
    std::vector<bool> from_router(m_topology.routers[m_router].ports);
    for (const std::uint32_t c : entering) from_router[m_topology.channels[c].to.port] = true;
    for (unsigned port = 0; port < from_router.size(); ++port)
      for (unsigned vc = 0; vc < MaxVcs; ++vc) {
        const unsigned above = from_router[port] && vc < m_vcs ? vc + 1 : 0;
        if (const unsigned number = above * spread + port % spread) table.use_row(port, vc, number);
      }
    return table;
  }

 private:
  /// Routes of packets that may take VC \p first_vc and higher ones, in the order of destinations. Packets to nodes at
  /// this router leave by port \p choice of the node. A destination that such packets cannot have copies the previous
  /// route.
  std::vector<route> row(unsigned first_vc, unsigned choice) const {
    std::vector<route> routes(m_topology.nodes.size());
    for (node_id d = 0; d < routes.size(); ++d) {
      const std::uint32_t left = m_hops.at(m_router, d);
      if (left != 0 && first_vc + left <= m_vcs) {
        const vc_set most = first_vcs(m_vcs - left + 1);
        const vc_set admissible = most & ~first_vcs(first_vc);
        const bool any = m_wide || first_vc == 0;
        routes[d] = {m_ports.at(m_router, d), any ? admissible : vc_set{1} << first_vc};
      } else if (d > 0) {
        routes[d] = routes[d - 1];
      }
    }
    for (const node_id n : m_nodes.at[m_router]) {
      const std::vector<unsigned> ports = node_lists::ports_at(m_topology, n, m_router);
      routes[n] = {static_cast<std::uint8_t>(ports[choice % ports.size()]), first_vcs(m_vcs)};
    }
    return routes;
  }

  const topology& m_topology;
  const port_matrix& m_ports;
  const hop_matrix& m_hops;
  const node_lists& m_nodes;
  const router_id m_router;
  const unsigned m_vcs;
  const bool m_wide;
};

}  // namespace

port_matrix shortest_ports(const topology& t, path_weight weight) {
  port_matrix ports(t);
  const node_lists nodes(t);
  path_search search(t, std::vector<bool>(t.channels.size(), true), weight);
  for (node_id d = 0; d < t.nodes.size(); ++d) {
    search.aim(d);
    for (router_id r = 0; r < t.routers.size(); ++r) {
      if (!search.reaches(r, path_search::Climbing) && !nodes.at[r].empty())
        reject_routing("node {} cannot be reached from {}; add a link", d, router_name(t, r));
      const std::uint32_t next = search.next(r, path_search::Climbing);
      if (next != path_search::None) ports.at(r, d) = static_cast<std::uint8_t>(t.channels[next].from.port);
    }
  }
  return ports;
}

unsigned hops_of_longest(const topology& t, const port_matrix& ports) { return hop_matrix(t, ports).longest(); }

unsigned route_shortest_by_hops(topology& t, unsigned vcs, const port_matrix& ports,
                                const std::string& why_not_layers) {
  const hop_matrix hops(t, ports);
  const std::uint32_t longest = hops.longest();
  if (longest > MaxVcs) {
    reject_size(
        "{}, and the longest path has {}{} hops, each of which needs its own VC, but a port has at most {} VCs; {}",
        why_not_layers, longest == hop_matrix::TooMany ? "at least " : "", longest, MaxVcs,
        allows_up_down(t) ? "use up_down" : "make links two-way, or give the routes as a table");
  }
  if (longest > vcs) {
    reject_routing(
        "shortest paths without deadlock need {} VCs in this network, one for each hop of the longest path, but vcs is "
        "{}; give {} to {}{}",
        longest, vcs, longest, MaxVcs, allows_up_down(t) ? ", or use up_down" : "");
  }
  clear_routing(t, "shortest");
  t.least_vcs = longest;
  const node_lists nodes(t);
  const channel_lists channels(t);
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const auto table = [&](bool wide) {
      return rising_table(t, ports, hops, nodes, r, vcs, wide).make(channels.entering[r]);
    };
    try {
      t.routing[r] = table(true);
    } catch (const std::length_error&) {
      t.routing[r] = table(false);
    }
  }
  return longest;
}

unsigned route_shortest_by_hops(topology& t, unsigned vcs) {
  check_routable(t, vcs);
  check_table_size(t);
  return route_shortest_by_hops(t, vcs, shortest_ports(t), "");
}

}  // namespace weft
