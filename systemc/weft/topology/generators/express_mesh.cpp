// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/express_mesh.h"

#include <utility>

#include "weft/topology/generators/generator.h"
#include "weft/topology/generators/plane.h"
#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::MaxNodes;
using generator_detail::reject;
using plane_detail::connect_mesh;
using plane_detail::distance;
using plane_detail::number_of;
using plane_detail::place;
using plane_detail::place_of;
using plane_detail::port_towards;
using plane_detail::SideNames;
using plane_detail::Sides;

void check(const express_mesh_parameters& p) {
  generator_detail::check_options(p.options);
  generator_detail::check_nic_ports(p.options);
  generator_detail::check_nodes(p.nodes);
  if (p.shape.size() != 2)
    reject("shape [{}] has {} numbers; give 2: columns and rows", fmt::join(p.shape, ", "), p.shape.size());
  for (const std::uint32_t side : p.shape)
    if (side < 4 || side % 2 != 0)
      reject("shape [{}] has a side of {}; express channels span half a side: give even sides of at least 4",
             fmt::join(p.shape, ", "), side);
  if (generator_detail::product(p.nodes, p.shape) > MaxNodes)
    reject("shape [{}] with {} nodes at each router has more than {} nodes; give smaller sides",
           fmt::join(p.shape, ", "), p.nodes, MaxNodes);
  generator_detail::check_ports(Sides, p.nodes, p.options);
}

/// The place half a side further.
std::uint32_t half_way(std::uint32_t at, std::uint32_t side) { return at < side / 2 ? at + side / 2 : at - side / 2; }

/// The end of the express channel that leaves \p from by \p port, which leads out of a mesh of \p size routers.
place express_end(place from, place size, unsigned port) {
  using namespace plane_detail;
  if (port == Right || port == Left) return {from.x, half_way(from.y, size.y)};
  return {half_way(from.x, size.x), from.y};
}

/// The port of a router at coordinate \p at that leads out of a mesh with \p side routers; Sides if there is none.
unsigned outer_port(std::uint32_t at, std::uint32_t side, unsigned low, unsigned high) {
  return at == 0 ? low : at + 1 == side ? high : unsigned{Sides};
}

/// The port of a packet from \p from to \p to, another place, x first.
unsigned express_port(place from, place to, place size) {
  using namespace plane_detail;
  const bool along_x = from.x != to.x;
  const std::uint32_t far = along_x ? distance(from.x, to.x) : distance(from.y, to.y);
  const unsigned express = along_x ? outer_port(from.y, size.y, Down, Up) : outer_port(from.x, size.x, Left, Right);
  if (express != Sides && far >= (along_x ? size.x : size.y) / 2) return express;
  return port_towards(from, along_x ? place{to.x, from.y} : to);
}

void add_express_channels(topology& t, place at, place size, unsigned cycles) {
  using namespace plane_detail;
  for (const unsigned port : {outer_port(at.x, size.x, Left, Right), outer_port(at.y, size.y, Down, Up)})
    if (port != Sides)
      t.channels.push_back({{number_of(at, size), port}, {number_of(express_end(at, size, port), size), port}, cycles});
}

express_mesh_parameters express_mesh_of(const network_plan& plan) {
  return {plan.topology.shape, plan.topology.express_cycles, plan.network, plan.topology.nodes_per_router};
}

topology_kind make_express_mesh_kind() {
  topology_kind kind{};
  kind.name = "express_mesh";
  kind.noun = "a mesh with express channels";
  kind.description = "a mesh whose edges have channels that span half a side, as BookSim2's concentrated mesh has";
  kind.keys = {
      generator_detail::shape_key(),
      {"express_cycles", integer_option<topology_options, std::uint32_t>{&topology_options::express_cycles, 0, 1000},
       "cycles", "Latency of express channels; `0`: that of other links."},
      generator_detail::nodes_per_router_key()};
  kind.defaults.shape = {4, 4};
  kind.defaults.nodes_per_router = 4;
  kind.usual = &express_order_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) {
    return generator_detail::product(plan.topology.nodes_per_router, plan.topology.shape);
  };
  kind.make = [](const network_plan& plan) { return make_express_mesh(express_mesh_of(plan)); };
  return kind;
}

}  // namespace

topology make_express_mesh(const express_mesh_parameters& p) {
  check(p);
  const place size{p.shape[0], p.shape[1]};
  const unsigned express_cycles = p.express_cycles != 0 ? p.express_cycles : p.options.link_cycles;
  topology t;
  t.kind = "express_mesh";
  t.algorithm = express_order_routing().name;
  t.shape = p.shape;
  for (router_id r = 0; r < size.area(); ++r) {
    const place at = place_of(r, size);
    router_info router;
    router.coordinates = std::vector<std::uint32_t>{at.x, at.y};
    router.port_names.assign(SideNames.begin(), SideNames.end());
    connect_mesh(t, 0, size, at, [&](place, place) { return p.options.link_cycles; });
    add_express_channels(t, at, size, express_cycles);
    generator_detail::attach_nodes(t, r, router, p.nodes, p.options);
    t.routers.push_back(std::move(router));
  }
  check_table_size(t);
  const node_lists nodes(t);
  const vc_set vcs = first_vcs(p.options.vcs);
  for (router_id r = 0; r < size.area(); ++r) {
    const auto fill = [&](unsigned, std::vector<route>& row) {
      for (node_id n = 0; n < row.size(); ++n)
        if (n / p.nodes != r) row[n] = {express_port(place_of(r, size), place_of(n / p.nodes, size), size), vcs};
    };
    t.routing.emplace_back(make_table(t, nodes, r, vcs, 1, fill, [](unsigned) { return 0U; }));
  }
  return t;
}

const routing_kind& express_order_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "express_order";
    kind.description = "in a mesh with express channels, x first, over an express channel where it saves distance (1)";
    kind.shortest = false;
    return kind;
  }();
  return Kind;
}

const topology_kind& express_mesh_topology() {
  static const topology_kind Kind = make_express_mesh_kind();
  return Kind;
}

}  // namespace weft
