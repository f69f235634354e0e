// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/flattened_butterfly.h"

#include <algorithm>
#include <utility>

#include "weft/topology/generators/generator.h"
#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::MaxNodes;
using generator_detail::reject;

constexpr const char* Letters = "xyzw";

void check(const flattened_butterfly_parameters& p) {
  generator_detail::check_options(p.options);
  generator_detail::check_nic_ports(p.options);
  generator_detail::check_nodes(p.nodes);
  if (p.shape.empty() || p.shape.size() > grid_rule::MaxDimensions)
    reject("a flattened butterfly has {} dimensions; give 1 to {}", p.shape.size(), grid_rule::MaxDimensions);
  for (const std::uint32_t side : p.shape)
    if (side == 0) reject("shape [{}] has a side of 0; give at least 1", fmt::join(p.shape, ", "));
  if (generator_detail::product(p.nodes, p.shape) < 2)
    reject("shape [{}] has one node; give at least 2 routers or nodes", fmt::join(p.shape, ", "));
  std::uint64_t others = 0;
  for (const std::uint32_t side : p.shape) others += side - 1;
  generator_detail::check_ports(others, p.nodes, p.options, "a side of shape, ");
  if (p.adaptive && p.options.vcs < 2)
    reject("vcs is 1; minimal_adaptive routing in a flattened butterfly needs at least 2");
  // With minimal_adaptive routing, each other router has a route of its own, and so has each port of a node.
  const std::uint64_t routes = generator_detail::product(1, p.shape) - 1 + std::uint64_t{p.nodes} * p.options.nic_ports;
  if (p.adaptive && routes > table_rule::MaxRoutes)
    reject(
        "shape [{}] has {} different routes at a router with minimal_adaptive routing, and a router stores at most {}; "
        "use dimension_order routing, or give smaller sides",
        fmt::join(p.shape, ", "), routes, table_rule::MaxRoutes);
}

/// The coordinates of all routers, and the ports between them.
class butterfly {
 public:
  explicit butterfly(const std::vector<std::uint32_t>& shape) : m_shape(shape) {
    std::uint32_t first = 0, stride = 1;
    for (const std::uint32_t side : shape) {
      m_first_port.push_back(first);
      m_stride.push_back(stride);
      first += side - 1;
      stride *= side;
    }
    m_routers = stride;
  }

  router_id routers() const { return m_routers; }
  std::size_t dimensions() const { return m_shape.size(); }
  std::uint32_t side(std::size_t d) const { return m_shape[d]; }
  std::uint32_t coordinate(router_id r, std::size_t d) const { return r / m_stride[d] % m_shape[d]; }
  /// The port of a router at coordinate \p from of dimension \p d that leads to coordinate \p to.
  std::uint32_t port(std::size_t d, std::uint32_t from, std::uint32_t to) const {
    return m_first_port[d] + (to < from ? to : to - 1);
  }
  router_id neighbour(router_id r, std::size_t d, std::uint32_t to) const {
    return r - coordinate(r, d) * m_stride[d] + to * m_stride[d];
  }

 private:
  std::vector<std::uint32_t> m_shape, m_first_port, m_stride;
  router_id m_routers = 0;
};

router_info make_router(topology& t, const butterfly& network, router_id r, unsigned cycles) {
  router_info router;
  for (std::size_t d = 0; d < network.dimensions(); ++d) {
    const std::uint32_t here = network.coordinate(r, d);
    router.coordinates.push_back(here);
    for (std::uint32_t to = 0; to < network.side(d); ++to) {
      if (to == here) continue;
      router.port_names.push_back(fmt::format("{}{}", Letters[d], to));
      t.channels.push_back(
          {{r, network.port(d, here, to)}, {network.neighbour(r, d, to), network.port(d, to, here)}, cycles});
    }
  }
  return router;
}

/// The route from router \p r to a node at router \p to, another router.
route route_to(const butterfly& network, router_id r, router_id to, unsigned vcs, bool adaptive) {
  constexpr vc_set Escape = 1;
  route made;
  port_set productive = 0;
  for (std::size_t d = network.dimensions(); d-- > 0;) {
    const std::uint32_t here = network.coordinate(r, d), there = network.coordinate(to, d);
    if (here == there) continue;
    made = {network.port(d, here, there), first_vcs(vcs)};
    productive |= port_set{1} << made.port;
  }
  if (adaptive) made = {made.port, Escape, productive, first_vcs(vcs) & ~Escape};
  return made;
}

topology_kind make_flattened_butterfly_kind() {
  topology_kind kind{};
  kind.name = "flattened_butterfly";
  kind.noun = "a flattened butterfly";
  kind.description =
      "a grid in which every router has a link to each other router of its row in each dimension; also called HyperX";
  kind.keys = {generator_detail::shape_key(), generator_detail::nodes_per_router_key()};
  kind.defaults.shape = {4, 4};
  kind.usual = &grid_routing(grid_algorithm::DimensionOrder);
  kind.routings = {kind.usual, &grid_routing(grid_algorithm::MinimalAdaptive)};
  kind.count_nodes = [](const network_plan& plan) {
    return generator_detail::product(plan.topology.nodes_per_router, plan.topology.shape);
  };
  kind.make = [](const network_plan& plan) {
    const bool adaptive = plan.routing->grid == grid_algorithm::MinimalAdaptive;
    return make_flattened_butterfly({plan.topology.shape, plan.network, plan.topology.nodes_per_router, adaptive});
  };
  return kind;
}

}  // namespace

topology make_flattened_butterfly(const flattened_butterfly_parameters& p) {
  check(p);
  if (generator_detail::product(p.nodes, p.shape) > MaxNodes)
    reject("shape [{}] with {} nodes at each router has more than {} nodes; give smaller sides",
           fmt::join(p.shape, ", "), p.nodes, MaxNodes);
  const butterfly network(p.shape);
  topology t;
  t.kind = "flattened_butterfly";
  t.algorithm = p.adaptive ? "minimal_adaptive" : "dimension_order";
  t.shape = p.shape;
  for (router_id r = 0; r < network.routers(); ++r) {
    router_info router = make_router(t, network, r, p.options.link_cycles);
    generator_detail::attach_nodes(t, r, router, p.nodes, p.options);
    t.routers.push_back(std::move(router));
  }
  check_table_size(t);
  const node_lists nodes(t);
  for (router_id r = 0; r < network.routers(); ++r) {
    const auto fill = [&](unsigned, std::vector<route>& row) {
      for (node_id n = 0; n < row.size(); ++n)
        if (n / p.nodes != r) row[n] = route_to(network, r, n / p.nodes, p.options.vcs, p.adaptive);
    };
    t.routing.emplace_back(make_table(t, nodes, r, first_vcs(p.options.vcs), 1, fill, [](unsigned) { return 0U; }));
  }
  return t;
}

const topology_kind& flattened_butterfly_topology() {
  static const topology_kind Kind = make_flattened_butterfly_kind();
  return Kind;
}

}  // namespace weft
