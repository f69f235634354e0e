// SPDX-License-Identifier: Apache-2.0
/// Helpers that make routing tables from paths, shared by the functions of routing_tables.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/names.h"
#include "weft/topology/routing/path_search.h"
#include "weft/topology/routing/too_large_to_route.h"

namespace weft {

template <class... Arguments>
[[noreturn]] void reject_routing(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument("routing: " + fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// Throws too_large_to_route, for a network that is well formed but too large for the routing.
template <class... Arguments>
[[noreturn]] void reject_size(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw too_large_to_route("routing: " + fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// Rejects arguments that are invalid for all routing functions.
inline void check_routable(const topology& t, unsigned vcs) {
  if (vcs == 0 || vcs > MaxVcs) reject_routing("vcs is {}; give 1 to {}", vcs, MaxVcs);
  if (t.routers.empty()) reject_routing("the network has no routers");
  if (t.nodes.empty()) reject_routing("the network has no nodes");
  for (node_id n = 0; n < t.nodes.size(); ++n)
    if (t.nodes[n].ports.empty()) reject_routing("node {} has no port; attach it to a router", n);
}

/// Throws an error for a network without an up*/down* path from \p router to \p node, or without any path.
[[noreturn]] void reject_unjoined(const topology& t, router_id router, node_id node, std::optional<router_id> root);

/// Removes the routing of \p t before a new one is made.
inline void clear_routing(topology& t, std::string algorithm) {
  t.algorithm = std::move(algorithm);
  t.routing.assign(t.routers.size(), route_rule());
  t.least_vcs = 0;
  for (node_attachment& n : t.nodes) n.path_ids = path_selector();
}

/// The nodes at each router, and the maximum number of ports that a node has at a router.
class node_lists {
 public:
  explicit node_lists(const topology& t) : at(t.routers.size()), ports(t.routers.size(), 1) {
    for (node_id n = 0; n < t.nodes.size(); ++n) {
      for (const port_ref port : t.nodes[n].ports) {
        if (at[port.router].empty() || at[port.router].back() != n) at[port.router].push_back(n);
        const auto here = static_cast<unsigned>(ports_at(t, n, port.router).size());
        ports[port.router] = std::max(ports[port.router], here);
      }
    }
  }
  /// The ports of node \p n at \p router.
  static std::vector<unsigned> ports_at(const topology& t, node_id n, router_id router) {
    std::vector<unsigned> found;
    for (const port_ref port : t.nodes[n].ports)
      if (port.router == router) found.push_back(port.port);
    return found;
  }

  std::vector<std::vector<node_id>> at;
  std::vector<unsigned> ports;
};

inline constexpr std::uint8_t NoPort = 0xff;

/// For each router and node, the port by which packets to the node leave the router. Takes one byte for each pair.
class port_matrix {
 public:
  explicit port_matrix(const topology& t)
      : m_nodes(t.nodes.size()), m_ports(t.routers.size() * t.nodes.size(), NoPort) {}
  std::uint8_t& at(router_id router, node_id destination) { return m_ports[router * m_nodes + destination]; }
  std::uint8_t at(router_id router, node_id destination) const { return m_ports[router * m_nodes + destination]; }

 private:
  std::size_t m_nodes;
  std::vector<std::uint8_t> m_ports;
};

/// Makes the routing table of \p router.
/// \param fill     fill(phase, row) writes the routes of packets in a phase; make_table() adds the routes to nodes at
/// the router
/// \param phase_of phase_of(port), or phase_of(port, vc), is the phase, 0…phases-1, of packets that enter by a port
template <class Fill, class PhaseOf>
table_rule make_table(const topology& t, const node_lists& nodes, router_id router, vc_set vcs, unsigned phases,
                      Fill fill, PhaseOf phase_of) {
  table_rule table;
  const unsigned spread = nodes.ports[router];
  std::vector<route> row(t.nodes.size());
  for (unsigned phase = 0; phase < phases; ++phase) {
    std::fill(row.begin(), row.end(), route());
    fill(phase, row);
    for (unsigned i = 0; i < spread; ++i) {
      for (const node_id n : nodes.at[router]) {
        const std::vector<unsigned> ports = node_lists::ports_at(t, n, router);
        row[n] = {static_cast<std::uint8_t>(ports[i % ports.size()]), vcs};
      }
      table.add_row(row);
    }
  }
  for (unsigned port = 0; port < t.routers[router].ports; ++port) {
    for (unsigned vc = 0; vc < MaxVcs; ++vc) {
      unsigned phase = 0;
      if constexpr (std::is_invocable_v<PhaseOf, unsigned, unsigned>)
        phase = phase_of(port, vc);
      else
        phase = phase_of(port);
      if (const unsigned number = phase * spread + port % spread; number != 0) table.use_row(port, vc, number);
    }
  }
  return table;
}

}  // namespace weft
