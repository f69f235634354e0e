// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/grid.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "weft/topology/generators/generator.h"

namespace weft {
namespace {

using generator_detail::check_options;
using generator_detail::MaxNodes;
using generator_detail::reject;

void check_shape(const std::vector<std::uint32_t>& shape, unsigned nodes_each) {
  if (shape.empty() || shape.size() > grid_rule::MaxDimensions) {
    reject("shape has {} sides; give 1 to {}, such as [8, 8]", shape.size(), grid_rule::MaxDimensions);
  }
  std::uint64_t nodes = nodes_each;
  for (const std::uint32_t side : shape) {
    if (side == 0) reject("shape [{}] has a side of 0; every side must be at least 1", fmt::join(shape, ", "));
    nodes *= side;  // cannot overflow: at most 2^20 times 2^32
    if (nodes > MaxNodes) {
      reject("shape [{}] has more than {} nodes; choose smaller sides", fmt::join(shape, ", "), MaxNodes);
    }
  }
  if (nodes < 2) {
    reject("shape [{}] has one node; a network needs at least 2, such as [2]", fmt::join(shape, ", "));
  }
}

/// Returns \p order, or 0, 1, … if it is empty; rejects anything but a permutation.
std::vector<unsigned> checked_order(std::vector<unsigned> order, unsigned dimensions) {
  std::vector<unsigned> natural(dimensions);
  std::iota(natural.begin(), natural.end(), 0U);
  if (order.empty()) return natural;
  if (!std::is_permutation(order.begin(), order.end(), natural.begin(), natural.end())) {
    reject("order [{}] must name each dimension of the shape once: a permutation of [{}]", fmt::join(order, ", "),
           fmt::join(natural, ", "));
  }
  return order;
}

void check_algorithm(const grid_parameters& p) {
  const routing_kind& routing = grid_routing(p.algorithm);
  const unsigned needed = grid_rule::classes(p.algorithm, p.rings, static_cast<unsigned>(p.shape.size()));
  if (p.options.vcs < needed) {
    reject("vcs is {}; {} routing in {} needs at least {}", p.options.vcs, routing.name, p.rings ? "a torus" : "a mesh",
           needed);
  }
  if (p.rings && !routing.rings) {
    reject("{} routing can deadlock in a torus; use dimension_order or minimal_adaptive routing, or a mesh",
           routing.name);
  }
  if (p.shape.size() > routing.most_dimensions) {
    reject("{} routing is for one or two dimensions; in {} dimensions use negative_first or planar_adaptive",
           routing.name, p.shape.size());
  }
  if (p.one_way && (!p.rings || p.shape.size() != 1))
    reject("direction is one_way, which only a ring can have; use two_way");
  if (p.one_way && p.algorithm != grid_algorithm::DimensionOrder) {
    reject("a one-way ring has only one route; use dimension_order routing");
  }
}

std::vector<std::string> port_names(unsigned dimensions, unsigned local_ports) {
  std::vector<std::string> names;
  for (unsigned d = 0; d < dimensions; ++d) {
    names.push_back(std::string("+") + "xyzw"[d]);
    names.push_back(std::string("-") + "xyzw"[d]);
  }
  generator_detail::name_local_ports(names, local_ports);
  return names;
}

/// The rule that all routers share; only grid_rule::here differs.
grid_rule common_rule(const grid_parameters& p) {
  const std::vector<unsigned> order = checked_order(p.order, static_cast<unsigned>(p.shape.size()));
  grid_rule rule;
  rule.algorithm = p.algorithm;
  rule.dimensions = static_cast<unsigned>(p.shape.size());
  rule.rings = p.rings;
  rule.one_way = p.one_way;
  rule.nodes = p.nodes;
  rule.local_ports = p.options.nic_ports;
  rule.vcs = first_vcs(p.options.vcs);
  rule.selection = p.selection;
  rule.congestion = p.congestion;
  std::uint32_t routers = 1;
  for (unsigned d = 0; d < rule.dimensions; ++d) {
    rule.size[d] = p.shape[d];
    rule.stride[d] = routers;
    rule.order[d] = static_cast<std::uint8_t>(order[d]);
    routers *= p.shape[d];
  }
  return rule;
}

/// \param rule of the router of \p node
path_selector path_ids_of(const grid_parameters& p, std::uint32_t routers, node_id node, const grid_rule& rule) {
  path_selector path_ids;
  if (p.algorithm == grid_algorithm::O1Turn) path_ids.count = 2;
  if (p.algorithm == grid_algorithm::Valiant || p.algorithm == grid_algorithm::Romm) path_ids.count = routers;
  if (p.algorithm == grid_algorithm::Romm) path_ids.within = rule.minimal_quadrant();
  if (path_ids.count > 1) path_ids.seed = stream_key(p.seed, node, stream_purpose::PathId);
  return path_ids;
}

/// The channels that leave router \p r at coordinate \p x of dimension \p d.
void connect(topology& t, const grid_parameters& p, router_id r, unsigned d, std::uint32_t x, std::uint32_t stride) {
  const std::uint32_t plus = 2 * d, minus = 2 * d + 1, last = p.shape[d] - 1, around = last * stride;
  const auto join = [&](std::uint32_t from, router_id other, std::uint32_t to) {
    t.channels.push_back({{r, from}, {other, to}, p.options.link_cycles});
  };
  if (last == 0) return;
  if (x < last) join(plus, r + stride, minus);
  if (x == last && p.rings) join(plus, r - around, minus);
  if (p.one_way) return;
  if (x > 0) join(minus, r - stride, plus);
  if (x == 0 && p.rings) join(minus, r + around, plus);
}

std::uint64_t count_grid_nodes(const network_plan& plan) {
  return generator_detail::product(plan.topology.nodes_per_router, plan.topology.shape);
}

topology make_planned_grid(const network_plan& plan, bool rings) {
  grid_parameters p;
  p.shape = plan.topology.shape;
  p.options = plan.network;
  p.order = plan.routing_choices.order;
  p.algorithm = plan.routing->grid.value_or(grid_algorithm::DimensionOrder);
  p.rings = rings;
  p.one_way = plan.kind == &ring_topology() && plan.topology.direction == ring_direction::OneWay;
  p.nodes = plan.topology.nodes_per_router;
  p.seed = plan.seed;
  p.selection = plan.routing_choices.selection;
  p.congestion = plan.routing_choices.congestion;
  return make_grid(p);
}

/// The properties that meshes, tori and rings share: a mesh except for name, noun and description.
topology_kind grid_kind() {
  topology_kind kind{};
  kind.noun = "a grid";
  kind.keys = {generator_detail::shape_key(), generator_detail::nodes_per_router_key()};
  kind.usual = &grid_routing(grid_algorithm::DimensionOrder);
  for (const routing_kind& r : grid_routings()) kind.routings.push_back(&r);
  kind.grid = true;
  kind.count_nodes = count_grid_nodes;
  kind.make = [](const network_plan& plan) { return make_planned_grid(plan, false); };
  kind.hops = [](const topology_options& o) { return std::optional<hop_grid>({o.shape, false}); };
  return kind;
}

topology_kind make_mesh_kind() {
  topology_kind kind = grid_kind();
  kind.name = "mesh";
  kind.description = "a k-ary n-mesh with sides of any length";
  return kind;
}

topology_kind make_torus_kind() {
  topology_kind kind = grid_kind();
  kind.name = "torus";
  kind.description = "a k-ary n-cube: a mesh whose rows are closed to rings";
  kind.make = [](const network_plan& plan) { return make_planned_grid(plan, true); };
  kind.hops = [](const topology_options& o) { return std::optional<hop_grid>({o.shape, true}); };
  return kind;
}

topology_kind make_ring_kind() {
  topology_kind kind = make_torus_kind();
  kind.name = "ring";
  kind.noun = "a ring";
  kind.description = "a torus of one dimension";
  kind.keys.push_back(generator_detail::direction_key());
  kind.defaults.shape = {8};
  kind.make = [](const network_plan& plan) {
    if (plan.topology.shape.size() != 1)
      reject("shape [{}] has {} sides; a ring has one, such as [8], and a torus more",
             fmt::join(plan.topology.shape, ", "), plan.topology.shape.size());
    return make_planned_grid(plan, true);
  };
  kind.hops = [](const topology_options& o) {
    return o.direction == ring_direction::OneWay ? std::nullopt : std::optional<hop_grid>({o.shape, true});
  };
  return kind;
}

topology_kind make_hypercube_kind() {
  topology_kind kind{};
  kind.name = "hypercube";
  kind.noun = "a hypercube";
  kind.description = "a hypercube, in which routers are connected if their numbers differ in one bit";
  kind.keys = {
      {"dimensions", integer_option<topology_options, std::uint32_t>{&topology_options::dimensions, 1, MaxPorts - 1},
       "", "Number of dimensions of the hypercube. A hypercube of n dimensions has 2ⁿ routers."},
      generator_detail::nodes_per_router_key()};
  kind.usual = &grid_routing(grid_algorithm::DimensionOrder);
  kind.routings = {kind.usual, &grid_routing(grid_algorithm::MinimalAdaptive)};
  kind.count_nodes = [](const network_plan& plan) {
    return std::uint64_t{plan.topology.nodes_per_router} << plan.topology.dimensions;
  };
  kind.make = [](const network_plan& plan) {
    const bool adaptive = plan.routing->grid == grid_algorithm::MinimalAdaptive;
    return make_hypercube({plan.topology.dimensions, plan.network, adaptive, plan.topology.nodes_per_router});
  };
  kind.hops = [](const topology_options& o) {
    return std::optional<hop_grid>({std::vector<std::uint32_t>(o.dimensions, 2), false});
  };
  return kind;
}

}  // namespace

topology make_grid(const grid_parameters& p) {
  check_options(p.options);
  generator_detail::check_nodes(p.nodes);
  check_shape(p.shape, p.nodes);
  generator_detail::check_nic_ports(p.options);
  generator_detail::check_ports(2 * static_cast<unsigned>(p.shape.size()), p.nodes, p.options);
  check_algorithm(p);
  grid_rule rule = common_rule(p);
  const std::vector<std::string> names = port_names(rule.dimensions, p.nodes * p.options.nic_ports);
  const std::uint32_t routers = rule.stride[rule.dimensions - 1] * p.shape.back();

  topology t;
  t.kind = !p.rings ? "mesh" : p.shape.size() == 1 ? "ring" : "torus";
  t.algorithm = grid_routing(p.algorithm).name;
  t.shape = p.shape;
  for (router_id r = 0; r < routers; ++r) {
    router_info router{static_cast<unsigned>(names.size()), names, {}};
    for (unsigned d = 0; d < rule.dimensions; ++d) {
      const std::uint32_t x = r / rule.stride[d] % p.shape[d];
      router.coordinates.push_back(x);
      rule.here[d] = x;
      connect(t, p, r, d, x, rule.stride[d]);
    }
    generator_detail::attach_nodes(t, r, 2 * rule.dimensions, p.nodes, p.options);
    t.routers.push_back(std::move(router));
    t.routing.emplace_back(rule);
  }
  for (node_id n = 0; n < t.nodes.size(); ++n)
    t.nodes[n].path_ids = path_ids_of(p, routers, n, *t.routing[n / p.nodes].as<grid_rule>());
  return t;
}

topology make_hypercube(const hypercube_parameters& p) {
  check_options(p.options);
  if (p.dimensions == 0 || p.dimensions >= MaxPorts) {
    reject("a hypercube has {} dimensions; give 1 to {}, because a router has at most {} ports", p.dimensions,
           MaxPorts - 1, MaxPorts);
  }
  generator_detail::check_nodes(p.nodes);
  generator_detail::check_nic_ports(p.options);
  generator_detail::check_ports(p.dimensions, p.nodes, p.options);
  if (p.adaptive && p.options.vcs < 2) reject("vcs is 1; minimal_adaptive routing in a hypercube needs at least 2");
  std::vector<std::string> names;
  for (unsigned d = 0; d < p.dimensions; ++d) names.push_back(std::to_string(d));
  generator_detail::name_local_ports(names, p.nodes * p.options.nic_ports);

  topology t;
  t.kind = "hypercube";
  t.algorithm = p.adaptive ? "minimal_adaptive" : "dimension_order";
  for (router_id r = 0; r < 1U << p.dimensions; ++r) {
    t.routers.push_back({static_cast<unsigned>(names.size()), names, {}});
    for (unsigned d = 0; d < p.dimensions; ++d) {
      t.channels.push_back({{r, d}, {r ^ 1U << d, d}, p.options.link_cycles});
    }
    generator_detail::attach_nodes(t, r, p.dimensions, p.nodes, p.options);
    t.routing.emplace_back(
        cube_rule{p.adaptive, p.dimensions, r, p.nodes, p.options.nic_ports, first_vcs(p.options.vcs)});
  }
  return t;
}

const topology_kind& mesh_topology() {
  static const topology_kind Kind = make_mesh_kind();
  return Kind;
}

const topology_kind& torus_topology() {
  static const topology_kind Kind = make_torus_kind();
  return Kind;
}

const topology_kind& ring_topology() {
  static const topology_kind Kind = make_ring_kind();
  return Kind;
}

const topology_kind& hypercube_topology() {
  static const topology_kind Kind = make_hypercube_kind();
  return Kind;
}

}  // namespace weft
