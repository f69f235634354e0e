// SPDX-License-Identifier: Apache-2.0
#include "weft/core/grid_routing.h"

#include "weft/core/members.h"

namespace weft {

unsigned grid_rule::classes(grid_algorithm algorithm, bool rings) {
  const bool two_parts = algorithm == grid_algorithm::O1Turn || algorithm == grid_algorithm::Valiant;
  const unsigned classes = (two_parts ? 2 : 1) * (rings ? 2 : 1);
  return classes + (algorithm == grid_algorithm::MinimalAdaptive);
}

bool grid_rule::is_adaptive(grid_algorithm algorithm) {
  return algorithm == grid_algorithm::MinimalAdaptive || algorithm == grid_algorithm::WestFirst ||
         algorithm == grid_algorithm::NorthLast || algorithm == grid_algorithm::NegativeFirst;
}

way_use grid_rule::use_of_way() const {
  switch (algorithm) {
    case grid_algorithm::O1Turn:
      return way_use::IsZero;
    case grid_algorithm::Valiant:
      return way_use::Router;
    case grid_algorithm::DimensionOrder:
    case grid_algorithm::MinimalAdaptive:
    case grid_algorithm::WestFirst:
    case grid_algorithm::NorthLast:
    case grid_algorithm::NegativeFirst:
      return way_use::Nothing;
  }
  return way_use::Each;
}

grid_rule::coordinates grid_rule::coordinates_of(router_id router) const {
  coordinates there;
  for (unsigned d = 0; d < MaxDimensions; ++d) {
    there[d] = 0;
    if (d < dimensions) {
      const unsigned row = divide<NodeBits>(router, stride[d]).quotient;
      there[d] = divide<NodeBits>(row, size[d]).rest;
    }
  }
  return there;
}

/// The first dimension, in the order or in its reverse, in which the router is not at \p there; MaxDimensions if it is.
unsigned grid_rule::first_to_correct(const coordinates& there, bool reverse) const {
  unsigned first = MaxDimensions;
  for (unsigned i = 0; i < MaxDimensions; ++i) {
    if (i < dimensions && first == MaxDimensions) {
      const unsigned d = order[reverse ? dimensions - 1 - i : i];
      if (there[d] != here[d]) first = d;
    }
  }
  return first;
}

grid_rule::direction grid_rule::towards(unsigned d, std::uint32_t there) const {
  direction onwards;
  onwards.minus = rings ? !one_way && is_shorter_down(here[d], there, size[d]) : there < here[d];
  if (rings) onwards.crosses = onwards.minus ? there > here[d] : there < here[d];
  return onwards;
}

/// Output ports that lead nearer to \p there.
port_set grid_rule::productive(const coordinates& there) const {
  port_set ports = 0;
  for (unsigned d = 0; d < MaxDimensions; ++d) {
    if (d < dimensions && there[d] != here[d]) {
      const bool half_way = rings && !one_way && 2 * hops_up(here[d], there[d], size[d]) == size[d];
      const port_set both = 3, one = towards(d, there[d]).minus ? 2 : 1;
      ports |= (half_way ? both : one) << 2 * d;
    }
  }
  return ports;
}

/// Part \p number of \p count equal parts of the VCs.
vc_set grid_rule::share(unsigned number, unsigned count) const {
  return count == 1 ? vcs : part_of_vcs(vcs, number, count);
}

route grid_rule::local(const route_query& q) const {
  return route(local_port(q, 2 * dimensions, nodes, local_ports), vcs);
}

/// \param part, parts which of several routes on VCs of their own this is
route grid_rule::in_order(const route_query& q, const coordinates& there, bool reverse, unsigned part,
                          unsigned parts) const {
  const unsigned d = first_to_correct(there, reverse);
  if (d == MaxDimensions) return local(q);
  return route(2 * d + towards(d, there[d]).minus,
               rings ? vcs_of_ring(q, d, there[d], part, parts) : share(part, parts));
}

/// The class of a packet that goes on along dimension \p d.
vc_set grid_rule::vcs_of_ring(const route_query& q, unsigned d, std::uint32_t there, unsigned part,
                              unsigned parts) const {
  const vc_set first = share(2 * part, 2 * parts), second = share(2 * part + 1, 2 * parts);
  const direction onwards = towards(d, there);
  if (one_way) return onwards.crosses ? first : second;
  const bool straight_on = q.in_port == ((2 * d + onwards.minus) ^ 1U);
  const vc_set came_on = 1U << q.in_vc;
  if (straight_on && (came_on & (first | second)) != 0) return (came_on & first) != 0 ? first : second;
  const std::uint32_t half = size[d] / 2;
  const bool passes_middle = (here[d] < half) != (there < half);
  const bool of_odd_router = divide<NodeBits>(q.destination, nodes).quotient % 2 != 0;
  return !onwards.crosses && (passes_middle || of_odd_router) ? second : first;
}

route grid_rule::adaptive(const route_query& q, const coordinates& there) const {
  const unsigned d = first_to_correct(there, false);
  if (d == MaxDimensions) return local(q);
  const direction onwards = towards(d, there[d]);
  const vc_set escape = rings && !onwards.crosses ? 2 : 1;
  return route(2 * d + onwards.minus, escape, productive(there), vcs & ~first_vcs(rings ? 2 : 1));
}

route grid_rule::by_turn_model(const route_query& q, const coordinates& there) const {
  constexpr port_set MinusX = 2, PlusY = 4, Negative = 0b10101010;
  static_assert(2 * MaxDimensions <= 8, "Negative");
  port_set ports = productive(there);
  if (ports == 0) return local(q);
  if (algorithm == grid_algorithm::WestFirst && (ports & MinusX) != 0) ports = MinusX;
  if (algorithm == grid_algorithm::NorthLast && ports != PlusY) ports &= ~PlusY;
  if (algorithm == grid_algorithm::NegativeFirst && (ports & Negative) != 0) ports &= Negative;
  return (ports & (ports - 1)) == 0 ? route(lowest(ports), vcs) : route(0, 0, ports, vcs);
}

route grid_rule::operator()(const route_query& q) const {
  const coordinates there = coordinates_of(divide<NodeBits>(q.destination, nodes).quotient);
  if (algorithm == grid_algorithm::DimensionOrder) return in_order(q, there, false, 0, 1);
  if (algorithm == grid_algorithm::O1Turn) return in_order(q, there, q.way != 0, q.way != 0, 2);
  if (algorithm == grid_algorithm::Valiant) {
    const coordinates between = coordinates_of(static_cast<router_id>(q.way));
    const bool from_node = q.in_port >= 2 * dimensions;
    const bool on_first_part = from_node || (share(0, 2) >> q.in_vc & 1) != 0;
    if (on_first_part && first_to_correct(between, false) != MaxDimensions) return in_order(q, between, false, 0, 2);
    return in_order(q, there, false, 1, 2);
  }
  return algorithm == grid_algorithm::MinimalAdaptive ? adaptive(q, there) : by_turn_model(q, there);
}

}  // namespace weft
