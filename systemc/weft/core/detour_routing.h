// SPDX-License-Identifier: Apache-2.0
/// Routing through an intermediate node, in a network of any shape: Valiant's routing and UGAL.
#pragma once

#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/path_ids.h"
#include "weft/core/route.h"
#include "weft/core/table_routing.h"
#include "weft/core/types.h"

namespace weft {

/// The routing function of one router. A path has up to two parts: from the source to the router of an intermediate
/// node, which is the path id of the packet, and from there to the destination. Both parts follow the same table.
/// Packets in the first part use the lowest `part_vcs` VCs, and packets in the second part the next `part_vcs` VCs. A
/// packet goes from the first part to the second and never back, so the routing is free of deadlock if the table is.
///
/// - Valiant's routing (Valiant 1982) takes both parts for every packet.
/// - UGAL (Singh 2005) lets a packet choose at its source between the direct path, which is a second part only, and the
///   detour over both parts. The route then has the direct path as its sure offer and the detour as its only choice;
///   select_detour() decides in every cycle in which the head waits. The decision uses only credits of the router
///   itself, so this is the local variant, UGAL-L.
///
/// \tparam Table table_rule, or the same table as a memory; admits only the lowest part_vcs VCs, and has one layer
template <class Table>
struct detour_routes : Table {
  unsigned part_vcs = 1;        ///< VCs of each part
  port_set node_ports = 0;      ///< the ports that lead to nodes
  bool selects = false;         ///< UGAL; otherwise Valiant's routing
  std::uint32_t threshold = 0;  ///< for UGAL: flits; see select_detour()

  detour_routes() = default;
  explicit detour_routes(const Table& table) : Table(table) {}
  /// Makes the same rule with another kind of table.
  template <class Other>
  explicit detour_routes(const detour_routes<Other>& other)
      : Table(other.table()),
        part_vcs(other.part_vcs),
        node_ports(other.node_ports),
        selects(other.selects),
        threshold(other.threshold) {}

  const Table& table() const { return *this; }

  route answer(const route_query& q) const {
    const bool from_node = is_member(node_ports, q.in_port);
    const bool in_first = from_node || q.in_vc < part_vcs;
    const route via = to_intermediate(q, in_first);
    const bool starts_second = in_first && is_member(node_ports, via.port);  // at the router of the intermediate node
    const route direct = to_destination(q, in_first, starts_second && !from_node);
    route r = direct;
    if (in_first && !starts_second) {
      if (!from_node || !selects) {
        r = via;
      } else if (!is_member(node_ports, direct.port)) {
        r.choices = 1U << via.port;
        r.choice_vcs = via.vcs;
      }
    }
    return r;
  }
  static path_id_use use_of_path_id() { return path_id_use::Node; }
  friend bool operator==(const detour_routes& a, const detour_routes& b) {
    return a.table() == b.table() && a.part_vcs == b.part_vcs && a.node_ports == b.node_ports &&
           a.selects == b.selects && a.threshold == b.threshold;
  }

 private:
  static bool is_member(port_set ports, unsigned port) { return (ports >> port & 1) != 0; }

  route to_intermediate(const route_query& q, bool in_first) const {
    route_query first;
    first.in_port = q.in_port;
    first.in_vc = in_first ? q.in_vc : 0;
    first.destination = static_cast<node_id>(q.path_id);
    const route r = Table::answer(first);
    return r;
  }

  /// The route of the second part. A packet that has ended its first part is routed like one that comes from a node.
  route to_destination(const route_query& q, bool in_first, bool ends_first) const {
    route_query second;
    second.in_port = ends_first ? lowest(node_ports) : q.in_port;
    second.in_vc = in_first ? 0 : q.in_vc - part_vcs;
    second.destination = q.destination;
    route r = Table::answer(second);
    r.vcs = is_member(node_ports, r.port) ? first_vcs(2 * part_vcs) : r.vcs << part_vcs;
    return r;
  }
};

using detour_rule = detour_routes<table_rule>;

}  // namespace weft
