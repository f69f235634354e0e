// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/chiplets.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "weft/core/members.h"
#include "weft/topology/generators/generator.h"
#include "weft/topology/generators/package_plan.h"
#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::MaxNodes;
using generator_detail::MaxRouters;
using generator_detail::reject;
using package_detail::grid_of;
using package_detail::package_plan;
using plane_detail::cheapest;
using plane_detail::connect_mesh;
using plane_detail::Left;
using plane_detail::neighbour;
using plane_detail::number_of;
using plane_detail::path_cost;
using plane_detail::place;
using plane_detail::place_of;
using plane_detail::port_towards;
using plane_detail::Right;
using plane_detail::SideNames;
using plane_detail::Sides;

constexpr std::uint32_t InterposerPort = Sides;

void check_grid(const std::vector<std::uint32_t>& grid, const char* key) {
  if (grid.empty() || grid.size() > 2)
    reject("{} [{}] has {} numbers; give 1 or 2, columns and rows", key, fmt::join(grid, ", "), grid.size());
  if (std::count(grid.begin(), grid.end(), 0U) > 0)
    reject("{} [{}] has a 0; every number must be at least 1", key, fmt::join(grid, ", "));
}

void check_links(const chiplets_parameters& p) {
  if (!p.interposer.empty()) {
    if (p.links_per_side != 0)
      reject("links_per_side is {}, but an interposer connects the dies; leave out links_per_side or interposer",
             p.links_per_side);
    return;
  }
  if (!p.border_routers.empty())
    reject("border_routers is given without an interposer network; give interposer, such as [{}]",
           fmt::join(p.dies, ", "));
  const place dies = grid_of(p.dies), die = grid_of(p.shape);
  const std::uint32_t most = std::min(dies.x > 1 ? die.y : die.x, dies.y > 1 ? die.x : die.y);
  if (p.links_per_side > most)
    reject("links_per_side is {}; a side has {} routers; give 1 to {}, or 0 for a link at each", p.links_per_side, most,
           most);
}

void check(const chiplets_parameters& p) {
  generator_detail::check_options(p.options, 2, "die_by_die routing");
  generator_detail::check_nic_ports(p.options);
  generator_detail::check_nodes(p.nodes);
  check_grid(p.dies, "dies");
  check_grid(p.shape, "shape");
  if (!p.interposer.empty()) check_grid(p.interposer, "interposer");
  const std::uint64_t dies = generator_detail::product(1, p.dies);
  if (dies < 2) reject("dies [{}] is a single die; give at least 2, or use a mesh", fmt::join(p.dies, ", "));
  if (generator_detail::product(dies * p.nodes, p.shape) > MaxNodes)
    reject("dies [{}] of shape [{}] with {} nodes at each router have more than {} nodes; give smaller numbers",
           fmt::join(p.dies, ", "), fmt::join(p.shape, ", "), p.nodes, MaxNodes);
  if (generator_detail::product(1, p.interposer) > MaxRouters)
    reject("interposer [{}] has more than {} routers; give smaller numbers", fmt::join(p.interposer, ", "), MaxRouters);
  check_links(p);
  generator_detail::check_routers(p.border_routers, "border_routers", "a die", grid_of(p.shape).area());
  generator_detail::check_ports(p.interposer.empty() ? Sides : Sides + 1, p.nodes, p.options);
}

router_info make_die_router(topology& t, const package_plan& plan, const chiplets_parameters& p, router_id r,
                            unsigned die_cycles) {
  const place at = plan.at(r), die = plan.die_at(at);
  router_info router;
  using list = std::vector<std::uint32_t>;
  router.coordinates = plan.has_interposer() ? list{at.x + die.x, at.y + die.y, 1} : list{at.x, at.y};
  router.port_names.assign(SideNames.begin(), SideNames.end());
  connect_mesh(t, 0, plan.all(), at, [&](place from, place to) {
    if (plan.die_at(from) == plan.die_at(to)) return p.options.link_cycles;
    return plan.are_linked(from, to) ? die_cycles : 0U;
  });
  if (plan.is_border(r)) router.port_names.emplace_back("interposer");
  return router;
}

/// Interposer routers are drawn below the middle of the area that they serve.
std::vector<std::uint32_t> interposer_coordinates(const package_plan& plan, place at) {
  const auto middle = [](std::uint32_t i, std::uint32_t of, std::uint32_t all) {
    return of > all ? i : static_cast<std::uint32_t>((2 * std::uint64_t{i} + 1) * all / (2 * std::uint64_t{of}));
  };
  const place above{middle(at.x, plan.interposer().x, plan.all().x), middle(at.y, plan.interposer().y, plan.all().y)};
  const place die = plan.die_at(above);
  return {above.x + die.x, above.y + die.y, 0};
}

void add_interposer(topology& t, const package_plan& plan, const chiplets_parameters& p, unsigned die_cycles) {
  for (std::uint32_t i = 0; i < plan.interposer().area(); ++i) {
    const place at = place_of(i, plan.interposer());
    router_info router;
    router.coordinates = interposer_coordinates(plan, at);
    router.port_names.assign(SideNames.begin(), SideNames.end());
    connect_mesh(t, plan.die_routers(), plan.interposer(), at, [&](place, place) { return p.options.link_cycles; });
    t.routers.push_back(std::move(router));
  }
  for (router_id r = 0; r < plan.die_routers(); ++r) {
    if (!plan.is_border(r)) continue;
    const router_id below = plan.interposer_router(plan.below(r));
    auto& names = t.routers[below].port_names;
    const auto port = static_cast<std::uint32_t>(names.size());
    names.push_back(fmt::format("r{}", r));
    t.channels.push_back({{r, InterposerPort}, {below, port}, die_cycles});
    t.channels.push_back({{below, port}, {r, InterposerPort}, die_cycles});
    if (names.size() > MaxPorts)
      reject(
          "interposer routers have more than {} ports, 4 to each other and the rest to border routers; give fewer "
          "border_routers or more interposer routers",
          MaxPorts);
  }
  for (router_id r = plan.die_routers(); r < t.routers.size(); ++r)
    t.routers[r].ports = static_cast<unsigned>(t.routers[r].port_names.size());
}

/// The phases of a packet, from which its next route follows: it has just started or moves in y, it moves in x on the
/// first half of the VCs, or it has the second half or is in the die of its destination.
enum die_phase : unsigned { Start, AlongX, Inward, DiePhases };

/// The routes of a network of dies.
class die_routes {
 public:
  die_routes(const topology& t, const package_plan& plan, vc_set vcs)
      : m_plan(plan), m_vcs(vcs), m_before(part_of_vcs(vcs, 0, 2)), m_behind(part_of_vcs(vcs, 1, 2)) {
    if (!plan.has_interposer()) return;
    m_exit.resize(plan.interposer().area());
    m_port_to.resize(plan.die_routers());
    for (const channel& c : t.channels)
      if (c.from.router >= plan.die_routers() && c.to.router < plan.die_routers())
        m_port_to[c.to.router] = static_cast<std::uint8_t>(c.from.port);
    for (std::uint32_t i = 0; i < m_exit.size(); ++i)
      for (router_id to = 0; to < plan.die_routers(); ++to)
        m_exit[i].push_back(exit_hops(place_of(i, plan.interposer()), to, exit_from(i, to, 0)));
  }

  /// The phase of a packet that arrives at a router of a die.
  /// \param enters whether the channel of this port comes from another die or from the interposer
  unsigned phase_of(unsigned port, unsigned vc, bool enters) const {
    const bool is_behind = (m_behind >> vc & 1) != 0, in_x = port == Right || port == Left;
    if (m_plan.has_interposer()) return enters || (port < Sides && is_behind) ? Inward : Start;
    if (port >= Sides) return Start;
    if (enters) return in_x ? AlongX : Inward;
    return is_behind ? Inward : in_x ? AlongX : Start;
  }

  /// The route to node \p n at router \p to, another router.
  route from_die(router_id r, node_id n, router_id to, unsigned phase) const {
    const place from = m_plan.at(r), goal = m_plan.at(to), die = m_plan.die_at(from), last = m_plan.die_at(goal);
    if (die == last) return within_die(from, goal, phase);
    if (m_plan.has_interposer()) {
      const auto& border = m_plan.border_of(from);
      const router_id exit = cheapest(border, n, [&](router_id b) {
        const std::uint32_t to_border = from.hops(m_plan.at(b));
        return path_cost{to_border + m_exit[number_of(m_plan.below(b), m_plan.interposer())][to], to_border};
      });
      if (exit == r) return {InterposerPort, m_vcs};
      return {port_towards(from, m_plan.at(exit)), m_before};
    }
    if (die.x != last.x) {
      const std::uint32_t row = m_plan.link_row(from, goal, n);
      if (row != from.y) return {port_towards(from, {from.x, row}), m_before};
      return crossing(from, {goal.x, from.y}, m_before);
    }
    const std::uint32_t column = m_plan.link_column(from, goal, n);
    if (column != from.x) return {port_towards(from, {column, from.y}), m_before};
    return crossing(from, {from.x, goal.y}, m_behind);
  }

  /// The route from router \p i of the interposer to node \p n at router \p to.
  route from_interposer(std::uint32_t i, node_id n, router_id to) const {
    const place from = place_of(i, m_plan.interposer());
    const router_id exit = exit_from(i, to, n);
    const place below = m_plan.below(exit);
    return {from == below ? m_port_to[exit] : port_towards(from, below), m_vcs};
  }

 private:
  route within_die(place from, place goal, unsigned phase) const {
    if (phase != AlongX) return {port_towards(from, goal), phase == Start ? m_vcs : m_behind};
    if (from.x == goal.x) return {port_towards(from, goal), m_behind};
    return {port_towards(from, {goal.x, from.y}), from.y == goal.y ? m_vcs : m_before};
  }
  /// The route straight towards \p to. Between dies it may use all VCs: packets come from \p own there, and only from
  /// one direction.
  route crossing(place from, place to, vc_set own) const {
    const unsigned port = port_towards(from, to);
    const place next = neighbour(from, port);
    return {port, m_plan.die_at(next) == m_plan.die_at(from) ? own : m_vcs};
  }
  std::uint32_t exit_hops(place from, router_id to, router_id by) const {
    return from.hops(m_plan.below(by)) + m_plan.at(by).hops(m_plan.at(to));
  }
  /// The border router by which packets from router \p i of the interposer enter the die of \p to.
  router_id exit_from(std::uint32_t i, router_id to, node_id n) const {
    const place from = place_of(i, m_plan.interposer());
    return cheapest(m_plan.border_of(m_plan.at(to)), n, [&](router_id b) {
      return path_cost{exit_hops(from, to, b), m_plan.at(b).hops(m_plan.at(to))};
    });
  }

  const package_plan& m_plan;
  vc_set m_vcs, m_before, m_behind;
  std::vector<std::vector<std::uint32_t>> m_exit;  ///< hops from an interposer router to a router of a die
  std::vector<std::uint8_t> m_port_to;             ///< port of the interposer router below a border router
};

void route_dies(topology& t, const package_plan& plan, const chiplets_parameters& p) {
  check_table_size(t);
  const node_lists nodes(t);
  const vc_set vcs = first_vcs(p.options.vcs);
  const die_routes routes(t, plan, vcs);
  std::vector<std::uint8_t> entries(t.routers.size() * MaxPorts);  // ports of channels that enter a die
  for (const channel& c : t.channels)
    if (c.to.router < plan.die_routers())
      entries[c.to.router * MaxPorts + c.to.port] =
          c.from.router >= plan.die_routers() ||
          !(plan.die_at(plan.at(c.from.router)) == plan.die_at(plan.at(c.to.router)));
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const bool in_die = r < plan.die_routers();
    const auto fill = [&](unsigned phase, std::vector<route>& row) {
      for (node_id n = 0; n < row.size(); ++n)
        if (n / p.nodes != r)
          row[n] = in_die ? routes.from_die(r, n, n / p.nodes, phase)
                          : routes.from_interposer(r - plan.die_routers(), n, n / p.nodes);
    };
    const auto phase_of = [&](unsigned port, unsigned vc) {
      return in_die ? routes.phase_of(port, vc, entries[r * MaxPorts + port] != 0) : Start;
    };
    t.routing.emplace_back(make_table(t, nodes, r, vcs, in_die ? DiePhases : 1U, fill, phase_of));
  }
}

chiplets_parameters chiplets_of(const network_plan& plan) {
  const topology_options& o = plan.topology;
  return {o.dies,           o.shape,           o.links_per_side, o.interposer,
          o.border_routers, o.die_link_cycles, plan.network,     o.nodes_per_router};
}

list_option<topology_options> grid_option(std::vector<std::uint32_t> topology_options::*field, std::size_t least) {
  return {field, 1, 1U << 20, least, 2};
}

topology_kind make_chiplets_kind() {
  topology_kind kind{};
  kind.name = "chiplets";
  kind.noun = "a network of chiplets";
  kind.description = "dies in a grid, each of them a mesh; connected directly, or by the network of an interposer";
  kind.keys = {
      {"dies", grid_option(&topology_options::dies, 1), "", "Columns and rows of dies. For example, `[2, 2]`: 4 dies."},
      {"shape", generator_detail::shape_key().value, "routers",
       "In a network of chiplets: columns and rows of routers of a die."},
      {"links_per_side",
       integer_option<topology_options, std::uint32_t>{&topology_options::links_per_side, 0, 1U << 20}, "links",
       "Number of links between two neighboring dies without an interposer, spread evenly along their sides; `0`: a "
       "link for each router of the side."},
      {"interposer", grid_option(&topology_options::interposer, 0), "routers",
       "Columns and rows of the mesh of interposer routers that connects the dies. For example, `[2, 2]`: for 2 by 2 "
       "dies, a router below each. `[]`: neighboring dies are connected directly."},
      {"border_routers", list_option<topology_options>{&topology_options::border_routers, 0, 1U << 20, 0, 4096}, "",
       "Routers of each die with a link to the interposer router below them. The number of a router within its die is "
       "x + y · columns of the die. `[]`: the routers at its corners."},
      {"die_link_cycles", integer_option<topology_options, std::uint32_t>{&topology_options::die_link_cycles, 0, 1000},
       "cycles", "Latency of links that leave a die, to another die or to the interposer; `0`: that of other links."},
      generator_detail::width_key("die_link_width", &topology_options::die_link_width, "links that leave a die"),
      generator_detail::nodes_per_router_key()};
  kind.defaults.shape = {4, 4};
  kind.usual = &die_by_die_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) {
    const std::uint64_t dies = generator_detail::product(plan.topology.nodes_per_router, plan.topology.dies);
    return generator_detail::product(dies, plan.topology.shape);
  };
  kind.make = [](const network_plan& plan) { return make_chiplets(chiplets_of(plan)); };
  kind.set_phits = [](const network_plan& plan, topology& made) {
    const package_plan package(chiplets_of(plan));
    const auto die_of = [&package](router_id r) {
      return r < package.die_routers() ? std::optional(package.die_at(package.at(r))) : std::nullopt;
    };
    generator_detail::set_width(plan, made, plan.topology.die_link_width, "die_link_width",
                                [&](const channel& c) { return !(die_of(c.from.router) == die_of(c.to.router)); });
  };
  return kind;
}

}  // namespace

topology make_chiplets(const chiplets_parameters& p) {
  check(p);
  const package_plan plan(p);
  const unsigned die_cycles = p.die_link_cycles != 0 ? p.die_link_cycles : p.options.link_cycles;
  topology t;
  t.kind = "chiplets";
  t.algorithm = die_by_die_routing().name;
  t.least_vcs = 2;
  if (!plan.has_interposer()) t.shape = std::vector<std::uint32_t>{plan.all().x, plan.all().y};
  for (router_id r = 0; r < plan.die_routers(); ++r) {
    router_info router = make_die_router(t, plan, p, r, die_cycles);
    generator_detail::attach_nodes(t, r, router, p.nodes, p.options);
    t.routers.push_back(std::move(router));
  }
  add_interposer(t, plan, p, die_cycles);
  route_dies(t, plan, p);
  return t;
}

const routing_kind& die_by_die_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "die_by_die";
    kind.description = "in a network of chiplets, in dimension order within dies and between them (2)";
    kind.shortest = false;
    return kind;
  }();
  return Kind;
}

const topology_kind& chiplets_topology() {
  static const topology_kind Kind = make_chiplets_kind();
  return Kind;
}

}  // namespace weft
