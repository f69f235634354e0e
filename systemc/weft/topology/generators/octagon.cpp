// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/octagon.h"

#include <utility>

#include "weft/topology/generators/generator.h"
#include "weft/topology/routing/ring_routing.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::MaxNodes;
using generator_detail::reject;

constexpr std::uint32_t MaxRing = 1024, PortsEach = 3;
enum : std::uint32_t { Plus, Minus, Across };

void check(const octagon_parameters& p) {
  generator_detail::check_options(p.options, 2, "routing in Octagons");
  generator_detail::check_nic_ports(p.options);
  if (p.routers < 8 || p.routers > MaxRing || p.routers % 4 != 0) {
    reject("an Octagon has {} routers; give a multiple of 4 from 8 to {}", p.routers, MaxRing);
  }
  if (p.octagons == 0) reject("octagons is 0; give at least 1");
  generator_detail::check_nodes(p.nodes);
  const std::uint32_t others = p.octagons == 1 ? PortsEach : 2 * PortsEach;
  generator_detail::check_ports(others, p.nodes, p.options, "", p.octagons == 1 ? "routers" : "bridge routers");
  // Cannot overflow: the factors are below 2^32, 2^10 and 2^4.
  if ((std::uint64_t{p.octagons} * (p.routers - 1) + 1) * p.nodes > MaxNodes) {
    reject("{} Octagons of {} routers with {} nodes each have more than {} nodes; lower octagons, routers or nodes",
           p.octagons, p.routers, p.nodes, MaxNodes);
  }
}

/// The hop of a packet at position \p from that leaves the Octagon at position \p to. Ports begin at \p first_port.
ring_hop hop(std::uint32_t n, std::uint32_t from, std::uint32_t to, std::uint32_t first_port) {
  const ring_line line{n, false, 0};
  if (line.distance(from, to) <= n / 4) {
    return {first_port + (line.goes_minus(from, to) ? Minus : Plus), false, line.second_class(from, to)};
  }
  const std::uint32_t opposite = (from + n / 2) % n;
  const bool joint_ahead = opposite == line.joint || line.comes_to_joint(opposite, to);
  return {first_port + Across, false, from == line.joint || (!joint_ahead && line.prefers_second(to))};
}

/// A position in one of the Octagons.
struct seat {
  std::uint32_t octagon = 0, position = 0;
};

/// The layout of a chain. Bridge routers have a position in two Octagons and belong to the lower one.
class chain {
 public:
  explicit chain(const octagon_parameters& p) : m_n(p.routers), m_octagons(p.octagons) {}

  std::uint32_t ring() const { return m_n; }
  std::uint32_t octagons() const { return m_octagons; }
  router_id routers() const { return first(m_octagons); }
  /// Lowest router that belongs to \p octagon.
  router_id first(std::uint32_t octagon) const { return octagon == 0 ? 0 : octagon * (m_n - 1) + 1; }
  seat of(router_id r) const {
    if (r < m_n) return {0, r};
    return {(r - 1) / (m_n - 1), (r - 1) % (m_n - 1) + 1};
  }
  router_id at(std::uint32_t octagon, std::uint32_t position) const {
    if (octagon == 0) return position;
    return position == 0 ? at(octagon - 1, m_n / 2) : first(octagon) + position - 1;
  }
  /// First port of \p octagon at the router at \p position.
  std::uint32_t first_port(std::uint32_t octagon, std::uint32_t position) const {
    return octagon > 0 && position == 0 ? PortsEach : 0;
  }
  bool is_bridge(const seat& s) const { return s.position == m_n / 2 && s.octagon + 1 < m_octagons; }

 private:
  std::uint32_t m_n;
  std::uint32_t m_octagons;
};

table_rule rule_of(const chain& octagons, const octagon_parameters& p, router_id r, std::uint32_t first_local,
                   std::uint32_t ports) {
  const std::uint32_t n = octagons.ring();
  const seat here = octagons.of(r);
  ring_table table;
  // All earlier Octagons are reached by position 0.
  if (here.octagon > 0) table.add(0, hop(n, here.position, 0, 0));
  const router_id first = octagons.first(here.octagon), behind = octagons.first(here.octagon + 1);
  for (router_id to = first; to < behind; ++to) {
    if (to != r) {
      table.add(to * p.nodes, hop(n, here.position, octagons.of(to).position, 0));
      continue;
    }
    for (unsigned i = 0; i < p.nodes; ++i) {
      table.add(r * p.nodes + i, {first_local + i * p.options.nic_ports, true, false});
    }
  }
  if (octagons.is_bridge(here)) {
    const router_id end = octagons.first(here.octagon + 2);
    for (router_id to = behind; to < end; ++to) table.add(to * p.nodes, hop(n, 0, octagons.of(to).position, PortsEach));
    if (end < octagons.routers()) table.add(end * p.nodes, hop(n, 0, n / 2, PortsEach));
  } else if (behind < octagons.routers()) {
    table.add(behind * p.nodes, hop(n, here.position, n / 2, 0));
  }
  return table.rule(first_local, ports, std::size_t{octagons.routers()} * p.nodes, p.options);
}

/// The channels that leave \p position of \p octagon.
void connect(topology& t, const chain& octagons, std::uint32_t octagon, std::uint32_t position, unsigned cycles) {
  const std::uint32_t n = octagons.ring();
  const auto join = [&](std::uint32_t port, std::uint32_t other, std::uint32_t other_port) {
    t.channels.push_back({{octagons.at(octagon, position), octagons.first_port(octagon, position) + port},
                          {octagons.at(octagon, other), octagons.first_port(octagon, other) + other_port},
                          cycles});
  };
  join(Plus, (position + 1) % n, Minus);
  join(Minus, (position + n - 1) % n, Plus);
  join(Across, (position + n / 2) % n, Across);
}

/// On a square on its corner, with n / 4 steps a side; the next square touches its right corner.
std::vector<std::uint32_t> coordinates(const chain& octagons, const seat& s) {
  const std::uint32_t side = octagons.ring() / 4, p = s.position;
  const std::uint32_t x = p <= 2 * side ? p : 4 * side - p;
  const std::uint32_t y = p <= side ? side - p : p <= 3 * side ? p - side : 5 * side - p;
  return {s.octagon * 2 * side + x, y};
}

topology_kind make_octagon_kind() {
  topology_kind kind{};
  kind.name = "octagon";
  kind.noun = "an Octagon";
  kind.description = "an Octagon, which can be extended, fat, or part of a chain of Octagons";
  kind.keys = {{"routers", integer_option<topology_options, std::uint32_t>{&topology_options::routers, 2, 1U << 20}, "",
                "Number of routers of each Octagon, a multiple of 4. The original Octagon has 8 routers; with more "
                "routers, it is an extended Octagon."},
               {"octagons", integer_option<topology_options, std::uint32_t>{&topology_options::octagons, 1, 1U << 20},
                "", "Number of Octagons in a chain. Each shares one router with the next."},
               generator_detail::nodes_per_router_key()};
  kind.usual = &shortest_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) {
    const topology_options& o = plan.topology;
    return o.nodes_per_router * ((o.routers - 1) * std::uint64_t{o.octagons} + 1);
  };
  kind.make = [](const network_plan& plan) {
    const topology_options& o = plan.topology;
    return make_octagon({o.routers, plan.network, o.nodes_per_router, o.octagons});
  };
  return kind;
}

}  // namespace

topology make_octagon(const octagon_parameters& p) {
  check(p);
  const chain octagons(p);
  topology t;
  t.kind = "octagon";
  t.algorithm = "shortest";
  for (router_id r = 0; r < octagons.routers(); ++r) {
    const seat here = octagons.of(r);
    router_info router{0, {"+", "-", "across"}, coordinates(octagons, here)};
    connect(t, octagons, here.octagon, here.position, p.options.link_cycles);
    if (octagons.is_bridge(here)) {
      router.port_names.insert(router.port_names.end(), {"+next", "-next", "across_next"});
      connect(t, octagons, here.octagon + 1, 0, p.options.link_cycles);
    }
    const std::uint32_t first_local = generator_detail::attach_nodes(t, r, router, p.nodes, p.options);
    t.routing.emplace_back(rule_of(octagons, p, r, first_local, router.ports));
    t.routers.push_back(std::move(router));
  }
  return t;
}

const topology_kind& octagon_topology() {
  static const topology_kind Kind = make_octagon_kind();
  return Kind;
}

}  // namespace weft
