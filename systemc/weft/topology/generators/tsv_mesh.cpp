// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/tsv_mesh.h"

#include <algorithm>
#include <utility>

#include "weft/core/members.h"
#include "weft/topology/generators/generator.h"
#include "weft/topology/generators/plane.h"
#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::MaxNodes;
using generator_detail::reject;
using plane_detail::cheapest;
using plane_detail::connect_mesh;
using plane_detail::number_of;
using plane_detail::path_cost;
using plane_detail::place;
using plane_detail::place_of;
using plane_detail::port_towards;
using plane_detail::SideNames;
using plane_detail::Sides;

enum vertical_port : unsigned { Above = Sides, Below, TsvPorts };

void check(const tsv_mesh_parameters& p) {
  generator_detail::check_options(p.options, 2, "elevator_first routing");
  generator_detail::check_nic_ports(p.options);
  generator_detail::check_nodes(p.nodes);
  if (p.shape.size() != 3)
    reject("shape [{}] has {} numbers; give 3: columns, rows and layers", fmt::join(p.shape, ", "), p.shape.size());
  if (std::count(p.shape.begin(), p.shape.end(), 0U) > 0)
    reject("shape [{}] has a side of 0; give at least 1", fmt::join(p.shape, ", "));
  if (p.shape[2] < 2) reject("shape [{}] has a single layer; give at least 2, or use a mesh", fmt::join(p.shape, ", "));
  if (generator_detail::product(p.nodes, p.shape) > MaxNodes)
    reject("shape [{}] with {} nodes at each router has more than {} nodes; give smaller sides",
           fmt::join(p.shape, ", "), p.nodes, MaxNodes);
  if (p.tsv_pitch == 0) reject("tsv_pitch is 0; give at least 1");
  generator_detail::check_routers(p.tsv_columns, "tsv_columns", "a layer", p.shape[0] * p.shape[1]);
  generator_detail::check_ports(TsvPorts, p.nodes, p.options);
}

std::vector<std::uint32_t> columns_of(const tsv_mesh_parameters& p, place layer) {
  if (!p.tsv_columns.empty()) {
    std::vector<std::uint32_t> sorted = p.tsv_columns;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }
  std::vector<std::uint32_t> columns;
  for (std::uint32_t y = 0; y < layer.y; y += p.tsv_pitch)
    for (std::uint32_t x = 0; x < layer.x; x += p.tsv_pitch) columns.push_back(number_of({x, y}, layer));
  return columns;
}

/// The structure and the routes of a mesh with vertical links at some columns.
class tsv_plan {
 public:
  explicit tsv_plan(const tsv_mesh_parameters& p)
      : m_layer{p.shape[0], p.shape[1]},
        m_layers(p.shape[2]),
        m_columns(columns_of(p, m_layer)),
        m_vcs(first_vcs(p.options.vcs)),
        m_up(part_of_vcs(m_vcs, 0, 2)),
        m_down(part_of_vcs(m_vcs, 1, 2)) {}

  place layer() const { return m_layer; }
  router_id routers() const { return m_layer.area() * m_layers; }
  std::uint32_t layer_of(router_id r) const { return r / m_layer.area(); }
  place at(router_id r) const { return place_of(r % m_layer.area(), m_layer); }
  router_id router(place at, std::uint32_t layer) const { return layer * m_layer.area() + number_of(at, m_layer); }
  bool has_link(router_id r, bool up) const {
    const bool end = up ? layer_of(r) + 1 == m_layers : layer_of(r) == 0;
    return !end && std::binary_search(m_columns.begin(), m_columns.end(), r % m_layer.area());
  }

  /// The VCs of a packet: of any half, or of one half.
  enum tsv_phase : unsigned { Any, Rising, Sinking, TsvPhases };
  tsv_phase phase_of(unsigned port, unsigned vc) const {
    if (port >= TsvPorts) return Any;
    return (m_down >> vc & 1) != 0 ? Sinking : Rising;
  }

  /// The route to node \p n at router \p to, another router.
  route route_to(router_id r, node_id n, router_id to, unsigned phase) const {
    const place from = at(r), goal = at(to);
    const vc_set own = phase == Rising ? m_up : phase == Sinking ? m_down : m_vcs;
    if (layer_of(r) == layer_of(to)) return {port_towards(from, goal), own};
    const bool up = layer_of(r) < layer_of(to);
    const place column = place_of(cheapest(m_columns, n,
                                           [&](std::uint32_t c) {
                                             const std::uint32_t hops = from.hops(place_of(c, m_layer));
                                             return path_cost{hops + place_of(c, m_layer).hops(goal), hops};
                                           }),
                                  m_layer);
    const unsigned vertical = up ? Above : Below;
    return {column == from ? vertical : port_towards(from, column), up ? m_up : m_down};
  }

 private:
  place m_layer;
  std::uint32_t m_layers;
  std::vector<std::uint32_t> m_columns;  ///< routers of a layer that have vertical links, sorted
  vc_set m_vcs, m_up, m_down;
};

router_info make_tsv_router(topology& t, const tsv_plan& plan, const tsv_mesh_parameters& p, router_id r) {
  const place at = plan.at(r);
  const std::uint32_t layer = plan.layer_of(r);
  router_info router;
  router.coordinates = std::vector<std::uint32_t>{at.x, at.y, layer};
  router.port_names.assign(SideNames.begin(), SideNames.end());
  router.port_names.insert(router.port_names.end(), {"+z", "-z"});
  connect_mesh(t, plan.router({0, 0}, layer), plan.layer(), at, [&](place, place) { return p.options.link_cycles; });
  const unsigned cycles = p.vertical_cycles != 0 ? p.vertical_cycles : p.options.link_cycles;
  if (plan.has_link(r, true)) t.channels.push_back({{r, Above}, {plan.router(at, layer + 1), Below}, cycles});
  if (plan.has_link(r, false)) t.channels.push_back({{r, Below}, {plan.router(at, layer - 1), Above}, cycles});
  return router;
}

tsv_mesh_parameters tsv_mesh_of(const network_plan& plan) {
  const topology_options& o = plan.topology;
  return {o.shape, o.tsv_pitch, o.tsv_columns, o.vertical_cycles, plan.network, o.nodes_per_router};
}

topology_kind make_tsv_mesh_kind() {
  topology_kind kind{};
  kind.name = "tsv_mesh";
  kind.noun = "a mesh with TSVs";
  kind.description = "layers of routers, each of them a mesh, that are connected by vertical links at some columns";
  kind.keys = {
      generator_detail::shape_key(),
      {"tsv_pitch",
       integer_option<topology_options, std::uint32_t>{&topology_options::tsv_pitch, 1, 1U << 20},
       "",
       "Distance of columns with vertical links: router (x, y) of each layer has them if x and y are multiples of it.",
       {"tsv_columns", "[]"}},
      {"tsv_columns", list_option<topology_options>{&topology_options::tsv_columns, 0, 1U << 20, 0, 4096}, "",
       "Columns with vertical links. The number of a column is x + y · side x. `[]`: those of `tsv_pitch`."},
      {"vertical_cycles", integer_option<topology_options, std::uint32_t>{&topology_options::vertical_cycles, 0, 1000},
       "cycles", "Latency of vertical links; `0`: that of other links."},
      generator_detail::width_key("vertical_width", &topology_options::vertical_width, "vertical links"),
      generator_detail::nodes_per_router_key()};
  kind.defaults.shape = {4, 4, 4};
  kind.usual = &elevator_first_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) {
    return generator_detail::product(plan.topology.nodes_per_router, plan.topology.shape);
  };
  kind.make = [](const network_plan& plan) { return make_tsv_mesh(tsv_mesh_of(plan)); };
  kind.set_phits = [](const network_plan& plan, topology& made) {
    generator_detail::set_width(plan, made, plan.topology.vertical_width, "vertical_width",
                                [](const channel& c) { return c.from.port == Above || c.from.port == Below; });
  };
  return kind;
}

}  // namespace

topology make_tsv_mesh(const tsv_mesh_parameters& p) {
  check(p);
  const tsv_plan plan(p);
  topology t;
  t.kind = "tsv_mesh";
  t.algorithm = elevator_first_routing().name;
  t.least_vcs = 2;
  t.shape = p.shape;
  for (router_id r = 0; r < plan.routers(); ++r) {
    router_info router = make_tsv_router(t, plan, p, r);
    generator_detail::attach_nodes(t, r, router, p.nodes, p.options);
    t.routers.push_back(std::move(router));
  }
  check_table_size(t);
  const node_lists nodes(t);
  for (router_id r = 0; r < plan.routers(); ++r) {
    const auto fill = [&](unsigned phase, std::vector<route>& row) {
      for (node_id n = 0; n < row.size(); ++n)
        if (n / p.nodes != r) row[n] = plan.route_to(r, n, n / p.nodes, phase);
    };
    const auto phase_of = [&](unsigned port, unsigned vc) { return plan.phase_of(port, vc); };
    t.routing.emplace_back(make_table(t, nodes, r, first_vcs(p.options.vcs), tsv_plan::TsvPhases, fill, phase_of));
  }
  return t;
}

const routing_kind& elevator_first_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "elevator_first";
    kind.description = "in a mesh with TSVs, to a column with vertical links, along it, and to the destination (2)";
    return kind;
  }();
  return Kind;
}

const topology_kind& tsv_mesh_topology() {
  static const topology_kind Kind = make_tsv_mesh_kind();
  return Kind;
}

}  // namespace weft
