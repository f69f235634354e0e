// SPDX-License-Identifier: Apache-2.0
/// Computes the routes of heads, with the routing functions of all routers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/core/routing.h"
#include "weft/core/vc_classes.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/decisions/packed_dimension_order.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/topology/topology.h"

namespace weft::engine {

/// The routing functions of all routers. If all of them use the same dimension-order rule, the coordinates of every
/// node are computed only once.
class head_routes {
 public:
  head_routes(const topology& graph, const fabric_parameters& fabric, const packet_pool& packets)
      : m_vcs(fabric.vcs),
        m_class_vcs(fabric.class_vcs),
        m_packets(packets),
        m_rules(graph.routing),
        m_choice(choice_of(m_rules)),
        m_consumes_path(
            std::any_of(m_rules.begin(), m_rules.end(), [](const route_rule& r) { return r.consumes_path(); })),
        m_fixed(std::none_of(m_rules.begin(), m_rules.end(), depends_on_vc_or_credits)) {
    find_coordinates(graph);
    if (adaptive()) find_node_ports(graph);
    m_plain = !fabric.rules.cut_through && m_class_vcs == m_vcs && m_order && m_order->has_one_local_port();
  }

  /// Whether a route may have several possible outputs, and how a head selects one.
  const output_choice& choice() const { return m_choice; }
  bool adaptive() const { return m_choice.exists; }
  /// Whether a node is at \p port of \p router. To be called only if adaptive() is true.
  bool is_node_port(router_id router, unsigned port) const { return (m_node_ports[router] >> port & 1) != 0; }
  /// Whether a packet leaves a router with only the remaining part of its path (source routing).
  bool consumes_path() const { return m_consumes_path; }

  /// Whether the ports through which a packet leaves depend neither on VCs nor on credits.
  bool are_fixed() const { return m_fixed; }

  /// Whether all routes are dimension order and end at a single local port, there are no VC classes, and packets do not
  /// need room for their whole length.
  bool plain() const { return m_plain; }
  /// The dimension-order rule of all routers. To be called only if plain() is true.
  const packed_dimension_order& order() const { return *m_order; }
  const std::uint64_t* router_at() const { return m_router_at.data(); }  ///< packed coordinates, by router
  const std::uint64_t* node_at() const { return m_node_at.data(); }      ///< packed coordinates, by node

  /// Returns the route of \p head, which arrived at \p router in VC \p vc of \p port.
  route of(stored_flit head, router_id router, unsigned port, unsigned vc) const {
    const node_id destination = head.destination();
    if (m_order) return of_class(m_order->towards(m_router_at[router], m_node_at[destination], port), vc);
    return route_in_class(m_rules[router], {port, vc, destination, m_packets[head.packet()].path_id}, m_class_vcs);
  }

 private:
  /// The choice of the adaptive rules, which is the same for all of them.
  static output_choice choice_of(const std::vector<route_rule>& rules) {
    const auto adaptive = std::find_if(rules.begin(), rules.end(), [](const route_rule& r) { return r.adaptive(); });
    return adaptive == rules.end() ? output_choice() : adaptive->choice();
  }

  static bool depends_on_vc_or_credits(const route_rule& rule) {
    if (rule.adaptive() || rule.as<detour_rule>() != nullptr) return true;
    const auto* table = rule.as<table_rule>();
    return table != nullptr && table->rows() > 1;  // the row may depend on the VC
  }

  void find_node_ports(const topology& graph) {
    m_node_ports.resize(graph.routers.size());
    for (const node_attachment& node : graph.nodes)
      for (const port_ref& at : node.ports) m_node_ports[at.router] |= port_set{1} << at.port;
  }

  void find_coordinates(const topology& graph) {
    const auto* first = m_rules.front().as<grid_rule>();
    if (first == nullptr || !packed_dimension_order::fits(*first)) return;
    const auto same = [&](const route_rule& rule) {
      if (rule.as<grid_rule>() == nullptr) return false;
      grid_rule other = *rule.as<grid_rule>();
      other.here = first->here;
      return other == *first;
    };
    if (!std::all_of(m_rules.begin(), m_rules.end(), same)) return;
    m_order.emplace(*first);
    for (const route_rule& rule : m_rules) m_router_at.push_back(m_order->pack_router(rule.as<grid_rule>()->here));
    for (node_id node = 0; node < graph.nodes.size(); ++node)
      m_node_at.push_back(m_order->pack_node(first->position_of(node).at));
  }

  /// Moves the route \p r, which is within one class, to the class of input VC \p vc.
  route of_class(route r, unsigned vc) const {
    return m_class_vcs == m_vcs ? r : in_block(r, first_of_block(vc, m_class_vcs));
  }

  const unsigned m_vcs, m_class_vcs;
  const packet_pool& m_packets;
  const std::vector<route_rule> m_rules;  ///< by router
  const output_choice m_choice;
  const bool m_consumes_path;
  const bool m_fixed;
  bool m_plain = false;
  std::vector<port_set> m_node_ports;             ///< by router, if routes are adaptive
  std::optional<packed_dimension_order> m_order;  ///< set if all rules are the same dimension-order rule
  large_array<std::uint64_t> m_router_at;         ///< the coordinates of routers, if m_order is set
  large_array<std::uint64_t> m_node_at;           ///< the coordinates of nodes, if m_order is set
};

}  // namespace weft::engine
