// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/hierarchical_ring.h"

#include <algorithm>

#include "weft/topology/generators/generator.h"
#include "weft/topology/routing/ring_routing.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

using generator_detail::MaxNodes;
using generator_detail::reject;

constexpr std::uint32_t MaxSize = 1024;

void check_sizes(const hierarchical_ring_parameters& p) {
  if (p.sizes.empty()) reject("sizes has 0 levels of rings; give at least 1, such as [4, 4]");
  generator_detail::check_nodes(p.nodes);
  std::uint64_t nodes = p.nodes;
  for (const std::uint32_t size : p.sizes) {
    if (size < 2 || size > MaxSize) {
      reject("sizes [{}] has a ring of size {}; give 2 to {}", fmt::join(p.sizes, ", "), size, MaxSize);
    }
    nodes *= size;  // cannot overflow: at most 2^20 times 2^10, except for p.nodes < 2^32
    if (nodes > MaxNodes) {
      reject("sizes [{}] with {} nodes at a router have more than {} nodes; choose smaller rings or fewer levels",
             fmt::join(p.sizes, ", "), p.nodes, MaxNodes);
    }
  }
}

void check_ports(const hierarchical_ring_parameters& p) {
  const bool same = p.representative == ring_representative::Same;
  const std::size_t rings = same ? p.sizes.size() : std::min<std::size_t>(p.sizes.size(), 2);
  const std::uint64_t local = std::uint64_t{p.nodes} * p.options.nic_ports;
  if (2 * rings + local > MaxPorts) {
    reject(
        "routers have up to {} ports, {} to rings and {} to nodes, and may have at most {}; lower nodes_per_router, "
        "nic.ports{}",
        2 * rings + local, 2 * rings, local, MaxPorts,
        same && rings > 2 ? " or the number of sizes, or choose corners as representatives" : "");
  }
}

/// The structure: which router belongs to which ring, and the representatives that packets pass.
class hierarchy {
 public:
  explicit hierarchy(const hierarchical_ring_parameters& p) : m_sizes(p.sizes), m_one_way(p.one_way) {
    for (const std::uint32_t size : p.sizes) m_span.push_back(m_span.back() * size);
    std::uint32_t corner = p.sizes[0] / 2;
    for (unsigned l = 0; l < levels(); ++l) {
      const bool own = l >= 2 && p.representative == ring_representative::Corner;
      m_representative.push_back(own ? corner : 0);
      if (own) corner += m_span[l - 1];
    }
  }

  unsigned levels() const { return static_cast<unsigned>(m_sizes.size()); }
  std::uint32_t size(unsigned l) const { return m_sizes[l]; }
  /// Number of routers of a part whose representative is in a ring of level \p l.
  std::uint32_t span(unsigned l) const { return m_span[l]; }
  router_id routers() const { return m_span.back(); }
  std::uint32_t position(router_id r, unsigned l) const { return r / m_span[l] % m_sizes[l]; }
  bool stands_in(router_id r, unsigned l) const { return r % m_span[l] == m_representative[l]; }
  /// The representative, in the ring of level \p l, of the part that contains \p r.
  router_id representative(router_id r, unsigned l) const { return r - r % m_span[l] + m_representative[l]; }

  /// First port of \p r to the ring of level \p l, which must contain \p r.
  std::uint32_t first_port(router_id r, unsigned l) const {
    std::uint32_t rings = 0;
    for (unsigned lower = 0; lower < l; ++lower) rings += stands_in(r, lower);
    return 2 * rings;
  }

  /// The ring of level \p l that contains \p r or a representative of it. Its joint leads to the ring of the highest
  /// level.
  ring_line ring(router_id r, unsigned l) const {
    const unsigned top = levels() - 1;
    if (l == top) return {m_sizes[l], m_one_way, 0};
    const router_id way_out = next_in_part(r, representative(r, top), l + 1);
    return {m_sizes[l], m_one_way, position(way_out, l)};
  }

  /// The hop from \p r towards position \p to of its ring of level \p l, in a part other than its own.
  ring_hop hop(router_id r, unsigned l, std::uint32_t to) const {
    while (!stands_in(r, l)) {
      const router_id next = representative(r, l);
      l = highest_difference(r, next);
      to = position(next, l);
    }
    const ring_line line = ring(r, l);
    const std::uint32_t from = position(r, l);
    return {first_port(r, l) + line.goes_minus(from, to), false, line.second_class(from, to)};
  }

 private:
  /// Highest level at which two different routers have different positions.
  unsigned highest_difference(router_id a, router_id b) const {
    unsigned l = levels() - 1;
    while (position(a, l) == position(b, l)) --l;
    return l;
  }

  /// The last router, within the part of span(\p l) routers around \p r, on the path from \p r to \p destination.
  router_id next_in_part(router_id r, router_id destination, unsigned l) const {
    while (destination / m_span[l] != r / m_span[l]) {
      destination = representative(r, highest_difference(r, destination));
    }
    return destination;
  }

  std::vector<std::uint32_t> m_sizes;
  bool m_one_way;
  std::vector<std::uint32_t> m_span{1};  ///< of level l, S_l
  std::vector<std::uint32_t> m_representative;
};

table_rule rule_of(const hierarchy& rings, const hierarchical_ring_parameters& p, router_id r,
                   std::uint32_t first_local, std::uint32_t ports) {
  ring_table table;
  // Adds the parts of the ring of level l that precede or follow router r.
  const auto add_parts = [&](unsigned l, std::uint32_t from, std::uint32_t end) {
    const router_id first = r - r % rings.span(l + 1);
    if (!rings.stands_in(r, l)) end = std::min(end, from + 1);  // all in the same direction
    for (std::uint32_t to = from; to < end; ++to) {
      table.add((first + to * rings.span(l)) * p.nodes, rings.hop(r, l, to));
    }
  };
  for (unsigned l = rings.levels(); l-- > 0;) add_parts(l, 0, rings.position(r, l));
  for (unsigned i = 0; i < p.nodes; ++i) {
    table.add(r * p.nodes + i, {first_local + i * p.options.nic_ports, true, false});
  }
  for (unsigned l = 0; l < rings.levels(); ++l) add_parts(l, rings.position(r, l) + 1, rings.size(l));
  return table.rule(first_local, ports, std::size_t{rings.routers()} * p.nodes, p.options);
}

struct point {
  std::uint32_t x = 0, y = 0;
};

/// Position of router \p r in the drawing. A ring is folded into two rows. Parts to the left of the middle or below it
/// are mirrored, so that the lower left corners of all parts, which contain the first representatives, meet there.
point place_of(const hierarchy& rings, router_id r) {
  point at, extent{1, 1};
  for (unsigned l = 0; l < rings.levels(); ++l) {
    const std::uint32_t position = rings.position(r, l), columns = (rings.size(l) + 1) / 2;
    const bool upper = position >= columns;
    const std::uint32_t column = upper ? 2 * columns - 1 - position : position;
    if (l > 0 && 2 * column < columns) at.x = extent.x - 1 - at.x;
    if (l > 0 && !upper) at.y = extent.y - 1 - at.y;
    at.x += column * extent.x;
    at.y += upper ? extent.y : 0;
    extent = {extent.x * columns, extent.y * 2};
  }
  return at;
}

topology_kind make_hierarchical_ring_kind() {
  topology_kind kind{};
  kind.name = "hierarchical_ring";
  kind.noun = "a hierarchical ring";
  kind.description = "rings that are connected by rings";
  kind.keys = {generator_detail::direction_key(),
               {"rings", list_option<topology_options>{&topology_options::rings, 2, MaxSize, 1, 20}, "routers",
                "Number of members of a ring on each level, lowest level first. For example, `[4, 4]` describes four "
                "rings of four routers, which a ring of four connects."},
               {"representative",
                choice_of<topology_options, ring_representative, &topology_options::representative>(
                    {{"same", ring_representative::Same}, {"corner", ring_representative::Corner}}),
                "",
                "Which router represents a ring in the ring above it, from the third level on: the `same` router as on "
                "the level below, or a `corner` router of a basic ring, which represents no other ring."},
               generator_detail::nodes_per_router_key()};
  kind.usual = &shortest_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) {
    return generator_detail::product(plan.topology.nodes_per_router, plan.topology.rings);
  };
  kind.make = [](const network_plan& plan) {
    const topology_options& o = plan.topology;
    return make_hierarchical_ring(
        {o.rings, plan.network, o.direction == ring_direction::OneWay, o.representative, o.nodes_per_router});
  };
  return kind;
}

}  // namespace

topology make_hierarchical_ring(const hierarchical_ring_parameters& p) {
  generator_detail::check_options(p.options, 2, "routing in hierarchical rings");
  generator_detail::check_nic_ports(p.options);
  check_sizes(p);
  check_ports(p);
  const hierarchy rings(p);

  topology t;
  t.kind = "hierarchical_ring";
  t.algorithm = "shortest";
  for (router_id r = 0; r < rings.routers(); ++r) {
    const point at = place_of(rings, r);
    router_info router{0, {}, {at.x, at.y}};
    for (unsigned l = 0; l < rings.levels(); ++l) {
      if (!rings.stands_in(r, l)) continue;
      const auto plus = static_cast<std::uint32_t>(router.port_names.size());
      router.port_names.push_back(fmt::format("+{}", l));
      router.port_names.push_back(fmt::format("-{}", l));
      const std::uint32_t position = rings.position(r, l), size = rings.size(l), span = rings.span(l);
      const router_id first = r - position * span;
      const router_id next = first + (position + 1) % size * span,
                      previous = first + (position + size - 1) % size * span;
      t.channels.push_back({{r, plus}, {next, rings.first_port(next, l) + 1}, p.options.link_cycles});
      if (!p.one_way)
        t.channels.push_back({{r, plus + 1}, {previous, rings.first_port(previous, l)}, p.options.link_cycles});
    }
    const std::uint32_t first_local = generator_detail::attach_nodes(t, r, router, p.nodes, p.options);
    t.routing.emplace_back(rule_of(rings, p, r, first_local, router.ports));
    t.routers.push_back(std::move(router));
  }
  return t;
}

const topology_kind& hierarchical_ring_topology() {
  static const topology_kind Kind = make_hierarchical_ring_kind();
  return Kind;
}

}  // namespace weft
