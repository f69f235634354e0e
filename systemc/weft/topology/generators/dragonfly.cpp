// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/dragonfly.h"

#include <cmath>
#include <utility>

#include "weft/core/members.h"
#include "weft/topology/generators/generator.h"
#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::MaxNodes;
using generator_detail::reject;

constexpr double Pi = 3.14159265358979323846;

std::uint64_t groups_of(const dragonfly_parameters& p) {
  return p.groups != 0 ? p.groups : std::uint64_t{p.group_routers} * p.global_links + 1;
}

void check(const dragonfly_parameters& p) {
  generator_detail::check_options(p.options, 2, "minimal routing in a dragonfly");
  generator_detail::check_nic_ports(p.options);
  generator_detail::check_nodes(p.nodes);
  if (p.group_routers == 0) reject("group_routers is 0; give at least 1");
  if (p.global_links == 0) reject("global_links is 0; give at least 1");
  const std::uint64_t local = std::uint64_t{p.nodes} * p.options.nic_ports;
  const std::uint64_t ports = std::uint64_t{p.group_routers} - 1 + p.global_links + local;
  if (ports > MaxPorts) {
    reject(
        "routers have {} ports, {} to their group, {} to other groups and {} to nodes, and may have at most {}; lower "
        "group_routers, global_links, nodes_per_router or nic.ports",
        ports, p.group_routers - 1, p.global_links, local, MaxPorts);
  }
  const std::uint64_t most = std::uint64_t{p.group_routers} * p.global_links + 1;
  if (groups_of(p) < 2 || groups_of(p) > most) {
    reject("groups is {}; give 2 to {}, because {} routers with {} global links each lead to {} other groups", p.groups,
           most, p.group_routers, p.global_links, most - 1);
  }
  if (groups_of(p) * p.group_routers * p.nodes > MaxNodes)
    reject("{} groups of {} routers with {} nodes each have more than {} nodes; lower groups, group_routers or nodes",
           groups_of(p), p.group_routers, p.nodes, MaxNodes);
}

/// The structure of a dragonfly: groups, positions and global ports.
class layout {
 public:
  explicit layout(const dragonfly_parameters& p)
      : m_routers(p.group_routers),
        m_links(p.global_links),
        m_groups(static_cast<std::uint32_t>(groups_of(p))),
        m_arrangement(p.arrangement) {}

  std::uint32_t group_size() const { return m_routers; }
  std::uint32_t groups() const { return m_groups; }
  router_id routers() const { return m_routers * m_groups; }
  std::uint32_t group(router_id r) const { return r / m_routers; }
  std::uint32_t position(router_id r) const { return r % m_routers; }

  /// The port of the router at position \p from that leads to position \p to.
  static std::uint32_t local_port(std::uint32_t from, std::uint32_t to) { return to < from ? to : to - 1; }
  std::uint32_t first_global_port() const { return m_routers - 1; }

  /// Links between two groups.
  std::uint32_t trunk() const { return m_routers * m_links / (m_groups - 1); }
  bool is_connected(std::uint32_t global_port) const { return global_port < trunk() * (m_groups - 1); }
  /// A global port of a group, as a port of its router.
  port_ref at(std::uint32_t of_group, std::uint32_t global_port) const {
    return {of_group * m_routers + global_port / m_links, first_global_port() + global_port % m_links};
  }
  /// The group that global port \p k of \p of_group leads to.
  std::uint32_t other_group(std::uint32_t of_group, std::uint32_t k) const {
    const std::uint32_t o = k % (m_groups - 1);
    switch (m_arrangement) {
      case dragonfly_arrangement::PalmTree:
        return (of_group + m_groups - 1 - o) % m_groups;
      case dragonfly_arrangement::Consecutive:
        return o < of_group ? o : o + 1;
      case dragonfly_arrangement::Circulant:
        return (of_group + (o % 2 == 0 ? o / 2 + 1 : m_groups - 1 - o / 2)) % m_groups;
    }
    return of_group;
  }
  /// The global port of group \p from that is connected to group \p to and is number \p i among those, 0…trunk()-1.
  std::uint32_t global_port(std::uint32_t from, std::uint32_t to, std::uint32_t i) const {
    return i * (m_groups - 1) + offset(from, to);
  }

 private:
  /// The first global port of group \p from that leads to group \p to: the inverse of other_group().
  std::uint32_t offset(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t up = (to + m_groups - from) % m_groups, down = m_groups - up;
    switch (m_arrangement) {
      case dragonfly_arrangement::PalmTree:
        return down - 1;
      case dragonfly_arrangement::Consecutive:
        return to < from ? to : to - 1;
      case dragonfly_arrangement::Circulant:
        return up <= down ? 2 * (up - 1) : 2 * (down - 1) + 1;
    }
    return 0;
  }

  std::uint32_t m_routers, m_links, m_groups;
  dragonfly_arrangement m_arrangement;
};

/// The radius of a circle with \p count points, any two of which are at least \p distance apart.
double radius(std::uint32_t count, double distance) { return count == 1 ? 0 : distance / 2 / std::sin(Pi / count); }

/// Groups are on a circle, and the routers of a group on a smaller one. After rounding, no two routers have the same
/// coordinates, because their distance is more than the diagonal of a unit square.
std::vector<std::uint32_t> coordinates(const layout& network, router_id r) {
  constexpr double Distance = 1.45;
  const double inner = radius(network.group_size(), Distance), outer = radius(network.groups(), 2 * inner + Distance);
  const double around = 2 * Pi * network.group(r) / network.groups();
  const double within = around + 2 * Pi * network.position(r) / network.group_size();
  const auto place = [&](double of_group, double of_router) {
    return static_cast<std::uint32_t>(std::lround(outer + inner + outer * of_group + inner * of_router));
  };
  return {place(std::cos(around), std::cos(within)), place(std::sin(around), std::sin(within))};
}

router_info make_router(topology& t, const layout& network, const dragonfly_parameters& p, router_id r) {
  router_info router;
  router.coordinates = coordinates(network, r);
  const std::uint32_t here = network.position(r), group = network.group(r);
  for (std::uint32_t to = 0; to < network.group_size(); ++to) {
    if (to == here) continue;
    router.port_names.push_back(fmt::format("r{}", to));
    t.channels.push_back({{r, layout::local_port(here, to)},
                          {group * network.group_size() + to, layout::local_port(to, here)},
                          p.options.link_cycles});
  }
  const unsigned cycles = p.global_cycles != 0 ? p.global_cycles : p.options.link_cycles;
  for (std::uint32_t i = 0; i < p.global_links; ++i) {
    router.port_names.push_back(fmt::format("g{}", i));
    const std::uint32_t k = here * p.global_links + i;
    if (!network.is_connected(k)) continue;
    const std::uint32_t other = network.other_group(group, k);
    const std::uint32_t back = network.global_port(other, group, k / (network.groups() - 1));
    t.channels.push_back({network.at(group, k), network.at(other, back), cycles});
  }
  return router;
}

/// The phases of a packet: before and behind the link between groups.
enum phase : unsigned { Before, Behind, Phases };

/// The next hop from router \p r to a node \p n at router \p to, another router.
route route_to(const layout& network, router_id r, node_id n, router_id to, vc_set vcs, unsigned phase) {
  const std::uint32_t group = network.group(r), there = network.group(to), here = network.position(r);
  if (group == there)
    return {layout::local_port(here, network.position(to)), phase == Before ? vcs : part_of_vcs(vcs, 1, 2)};
  const std::uint32_t trunk = network.trunk();
  for (std::uint32_t i = 0; i < trunk; ++i) {
    const port_ref own = network.at(group, network.global_port(group, there, (n + i) % trunk));
    if (own.router == r) return {own.port, vcs};
  }
  const port_ref by = network.at(group, network.global_port(group, there, n % trunk));
  return {layout::local_port(here, network.position(by.router)), part_of_vcs(vcs, 0, 2)};
}

dragonfly_parameters parameters_of(const network_plan& plan) {
  const topology_options& o = plan.topology;
  return {o.group_routers, o.global_links, o.groups, plan.network, o.nodes_per_router, o.global_cycles, o.arrangement};
}

topology_kind make_dragonfly_kind() {
  topology_kind kind{};
  kind.name = "dragonfly";
  kind.noun = "a dragonfly";
  kind.description = "groups of routers; each group is fully connected, and every two groups are connected";
  const std::uint32_t most = MaxPorts - 1;
  kind.keys = {
      {"group_routers", integer_option<topology_options, std::uint32_t>{&topology_options::group_routers, 1, most}, "",
       "Number of routers in each group of a dragonfly (a)."},
      {"global_links", integer_option<topology_options, std::uint32_t>{&topology_options::global_links, 1, most},
       "links", "Number of links of each router to other groups (h)."},
      {"groups", integer_option<topology_options, std::uint32_t>{&topology_options::groups, 0, 1U << 20}, "",
       "Number of groups (g), at most a · h + 1; `0`: a · h + 1. With fewer groups, every two groups are connected by "
       "several links, and global ports that are left over are not connected."},
      {"global_cycles", integer_option<topology_options, std::uint32_t>{&topology_options::global_cycles, 0, 1000},
       "cycles", "Latency of links between groups; `0`: that of other links."},
      generator_detail::width_key("global_width", &topology_options::global_width, "links between groups"),
      {"arrangement",
       choice_of<topology_options, dragonfly_arrangement, &topology_options::arrangement>(
           {{"palm_tree", dragonfly_arrangement::PalmTree},
            {"consecutive", dragonfly_arrangement::Consecutive},
            {"circulant", dragonfly_arrangement::Circulant}}),
       "",
       "The group that each global port leads to. Let o be the number of a port modulo g − 1. It leads from group i to "
       "group i − o − 1 modulo g (`palm_tree`), to group o, or o + 1 from o = i on (`consecutive`), or to the groups i "
       "+ 1, i − 1, i + 2, i − 2, … for o = 0, 1, 2, 3, … (`circulant`)."},
      generator_detail::nodes_per_router_key()};
  kind.defaults.nodes_per_router = 2;
  kind.usual = &minimal_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) {
    const dragonfly_parameters p = parameters_of(plan);
    return groups_of(p) * p.group_routers * p.nodes;
  };
  kind.make = [](const network_plan& plan) { return make_dragonfly(parameters_of(plan)); };
  kind.set_phits = [](const network_plan& plan, topology& made) {
    const std::uint32_t group = plan.topology.group_routers;
    generator_detail::set_width(plan, made, plan.topology.global_width, "global_width",
                                [group](const channel& c) { return c.from.router / group != c.to.router / group; });
  };
  return kind;
}

}  // namespace

topology make_dragonfly(const dragonfly_parameters& p) {
  check(p);
  const layout network(p);
  topology t;
  t.kind = "dragonfly";
  t.algorithm = minimal_routing().name;
  t.least_vcs = 2;
  for (router_id r = 0; r < network.routers(); ++r) {
    router_info router = make_router(t, network, p, r);
    generator_detail::attach_nodes(t, r, router, p.nodes, p.options);
    t.routers.push_back(std::move(router));
  }
  check_table_size(t);
  const node_lists nodes(t);
  const vc_set vcs = first_vcs(p.options.vcs);
  const std::uint32_t first_global = network.first_global_port(), behind_global = first_global + p.global_links;
  for (router_id r = 0; r < network.routers(); ++r) {
    const auto fill = [&](unsigned phase, std::vector<route>& row) {
      for (node_id n = 0; n < row.size(); ++n)
        if (n / p.nodes != r) row[n] = route_to(network, r, n, n / p.nodes, vcs, phase);
    };
    const auto phase_of = [&](unsigned port) { return port >= first_global && port < behind_global ? Behind : Before; };
    t.routing.emplace_back(make_table(t, nodes, r, vcs, Phases, fill, phase_of));
  }
  return t;
}

const routing_kind& minimal_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "minimal";
    kind.description = "in a dragonfly, over a single link between groups (2)";
    kind.shortest = false;
    return kind;
  }();
  return Kind;
}

const topology_kind& dragonfly_topology() {
  static const topology_kind Kind = make_dragonfly_kind();
  return Kind;
}

}  // namespace weft
