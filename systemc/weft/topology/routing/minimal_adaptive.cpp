// SPDX-License-Identifier: Apache-2.0
/// Minimal adaptive routing in a network of any shape.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

constexpr vc_set Escape = 1;

/// Rows of the table of a router, by the input of a packet.
enum row : unsigned {
  Free,        ///< from a node, or on an adaptive VC
  Climbing,    ///< on the escape VC, by an up channel
  Descending,  ///< on the escape VC, by a down channel
  Rows
};

/// The routes to every destination, for each router.
class adaptive_routes {
 public:
  adaptive_routes(const topology& t, unsigned vcs, path_weight weight)
      : m_topology(t),
        m_adaptive(first_vcs(vcs) & ~Escape),
        m_shortest(t, std::vector<bool>(t.channels.size(), true), weight),
        m_escape(search_up_down(t, std::nullopt, nullptr, weight)),
        m_routes(t.routers.size() * Rows, std::vector<route>(t.nodes.size())) {
    const node_lists nodes(t);
    for (node_id d = 0; d < t.nodes.size(); ++d) {
      m_shortest.aim(d);
      m_escape.aim(d);
      for (router_id r = 0; r < t.routers.size(); ++r) {
        if (!m_escape.reaches(r, path_search::Climbing) && !nodes.at[r].empty()) reject_unjoined(t, r, d, std::nullopt);
        find(r, d);
      }
    }
  }

  const std::vector<route>& of(router_id r, unsigned row) const { return m_routes[r * Rows + row]; }
  const path_search& escape() const { return m_escape; }

 private:
  void find(router_id r, node_id d) {
    const std::uint32_t up = m_escape.next(r, path_search::Climbing), down = m_escape.next(r, path_search::Descending);
    if (up != path_search::None) {
      const std::uint8_t port = port_of(up);
      m_routes[r * Rows + Free][d] = {port, Escape, productive(r), m_adaptive};
      m_routes[r * Rows + Climbing][d] = {port, Escape};
    }
    if (down != path_search::None) m_routes[r * Rows + Descending][d] = {port_of(down), Escape};
  }

  /// The ports by which all shortest paths to the current destination leave \p r.
  port_set productive(router_id r) const {
    port_set ports = 0;
    for (const std::uint32_t c : m_shortest.lists().leaving[r])
      if (m_shortest.is_shortest(c, path_search::Climbing)) ports |= port_set{1} << port_of(c);
    return ports;
  }

  std::uint8_t port_of(std::uint32_t channel) const {
    return static_cast<std::uint8_t>(m_topology.channels[channel].from.port);
  }

  const topology& m_topology;
  const vc_set m_adaptive;
  path_search m_shortest, m_escape;
  std::vector<std::vector<route>> m_routes;
};

}  // namespace

void route_minimal_adaptive(topology& t, unsigned vcs, path_weight weight) {
  check_routable(t, vcs);
  check_table_size(t);
  if (vcs < 2) reject_routing("vcs is {}; minimal_adaptive routing needs at least 2", vcs);
  const adaptive_routes routes(t, vcs, weight);
  clear_routing(t, "minimal_adaptive");
  t.least_vcs = 2;
  const node_lists nodes(t);
  for (router_id r = 0; r < t.routers.size(); ++r) {
    std::vector<unsigned> row_of_escape(t.routers[r].ports, Free);
    for (const std::uint32_t c : routes.escape().lists().entering[r])
      row_of_escape[t.channels[c].to.port] = routes.escape().up(c) ? Climbing : Descending;
    const unsigned spread = nodes.ports[r];
    try {
      table_rule table = make_table(
          t, nodes, r, first_vcs(vcs), Rows,
          [&](unsigned row, std::vector<route>& by_destination) { by_destination = routes.of(r, row); },
          [](unsigned) { return unsigned{Free}; });
      for (unsigned port = 0; port < row_of_escape.size(); ++port)
        table.use_row(port, 0, row_of_escape[port] * spread + port % spread);
      t.routing[r] = std::move(table);
    } catch (const std::length_error&) {
      reject_size("{} has more than {} different routes with minimal_adaptive routing; use shortest or up_down",
                  router_name(t, r), table_rule::MaxRoutes);
    }
  }
}

}  // namespace weft
