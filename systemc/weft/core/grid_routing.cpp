// SPDX-License-Identifier: Apache-2.0
#include "weft/core/grid_routing.h"

#include "weft/core/members.h"

namespace weft {

unsigned grid_rule::classes(grid_algorithm algorithm, bool rings, unsigned dimensions) {
  const bool two_parts =
      algorithm == grid_algorithm::O1Turn || algorithm == grid_algorithm::Valiant || algorithm == grid_algorithm::Romm;
  const unsigned of_planes = dimensions < 3 ? dimensions : 3;
  const unsigned of_order = (two_parts ? 2 : 1) * (rings ? 2 : 1) + (algorithm == grid_algorithm::MinimalAdaptive);
  return algorithm == grid_algorithm::PlanarAdaptive ? of_planes : of_order;
}

bool grid_rule::is_adaptive(grid_algorithm algorithm) {
  return algorithm == grid_algorithm::MinimalAdaptive || algorithm == grid_algorithm::WestFirst ||
         algorithm == grid_algorithm::NorthLast || algorithm == grid_algorithm::NegativeFirst ||
         algorithm == grid_algorithm::OddEven || algorithm == grid_algorithm::PlanarAdaptive;
}

quadrant grid_rule::minimal_quadrant() const {
  quadrant q;
  q.dimensions = dimensions;
  q.size = size;
  q.stride = stride;
  q.from = here;
  q.rings = rings;
  q.nodes = nodes;
  return q;
}

path_id_use grid_rule::use_of_path_id() const {
  switch (algorithm) {
    case grid_algorithm::O1Turn:
      return path_id_use::IsZero;
    case grid_algorithm::Valiant:
    case grid_algorithm::Romm:
      return path_id_use::Router;
    case grid_algorithm::DimensionOrder:
    case grid_algorithm::MinimalAdaptive:
    case grid_algorithm::WestFirst:
    case grid_algorithm::NorthLast:
    case grid_algorithm::NegativeFirst:
    case grid_algorithm::OddEven:
    case grid_algorithm::PlanarAdaptive:
      return path_id_use::Nothing;
  }
  return path_id_use::Each;
}

/// Computes the position of \p router. It is not a return value because translators from SystemC lose the sizes of
/// returned arrays.
void grid_rule::locate(router_id router, position& there) const {
  for (unsigned d = 0; d < MaxDimensions; ++d) {
    there.at[d] = 0;
    if (d < dimensions) {
      const unsigned row = divide<NodeBits>(router, stride[d]);
      there.at[d] = modulo<NodeBits>(row, size[d]);
    }
  }
}

/// The first dimension, in order or in reverse, in which this router differs from \p there; MaxDimensions if none does.
unsigned grid_rule::first_to_correct(const position& there, bool reverse) const {
  unsigned first = MaxDimensions;
  for (unsigned i = 0; i < MaxDimensions; ++i) {
    if (i < dimensions && first == MaxDimensions) {
      const unsigned d = order[reverse ? dimensions - 1 - i : i];
      if (there.at[d] != here[d]) first = d;
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
port_set grid_rule::productive(const position& there) const {
  port_set ports = 0;
  for (unsigned d = 0; d < MaxDimensions; ++d) {
    if (d < dimensions && there.at[d] != here[d]) {
      const std::uint32_t to = there.at[d];
      const bool half_way = rings && !one_way && 2 * hops_up(here[d], to, size[d]) == size[d];
      const direction onwards = towards(d, to);
      const port_set both = 3, one = onwards.minus ? 2 : 1;
      ports |= (half_way ? both : one) << 2 * d;
    }
  }
  return ports;
}

/// Part number \p number of the VCs, which are divided into \p count equal parts.
vc_set grid_rule::share(unsigned number, unsigned count) const {
  return count == 1 ? vcs : part_of_vcs(vcs, number, count);
}

route grid_rule::local(const route_query& q) const {
  const unsigned port = local_port(q, 2 * dimensions, nodes, local_ports);
  const route r(port, vcs);
  return r;
}

/// \param part  number of the part of the VCs that this route uses; each of \p parts routes has its own part
route grid_rule::in_order(const route_query& q, const position& there, bool reverse, unsigned part,
                          unsigned parts) const {
  const unsigned d = first_to_correct(there, reverse);
  route r;
  if (d == MaxDimensions) {
    r = local(q);
  } else {
    const std::uint32_t to = there.at[d];
    const direction onwards = towards(d, to);
    r.port = static_cast<std::uint8_t>(2 * d + onwards.minus);
    r.vcs = rings ? vcs_of_ring(q, d, to, part, parts) : share(part, parts);
  }
  return r;
}

/// The VC class of a packet that continues along dimension \p d.
vc_set grid_rule::vcs_of_ring(const route_query& q, unsigned d, std::uint32_t there, unsigned part,
                              unsigned parts) const {
  const vc_set first = share(2 * part, 2 * parts), second = share(2 * part + 1, 2 * parts);
  const direction onwards = towards(d, there);
  const bool straight_on = q.in_port == ((2 * d + onwards.minus) ^ 1U);
  const vc_set came_on = 1U << q.in_vc;
  bool in_second = !onwards.crosses;
  if (!one_way) {
    if (straight_on && (came_on & (first | second)) != 0) {
      in_second = (came_on & first) == 0;
    } else {
      const std::uint32_t half = size[d] / 2;
      const bool passes_middle = (here[d] < half) != (there < half);
      const bool of_odd_router = divide<NodeBits>(q.destination, nodes) % 2 != 0;
      in_second = !onwards.crosses && (passes_middle || of_odd_router);
    }
  }
  return in_second ? second : first;
}

route grid_rule::adaptive(const route_query& q, const position& there) const {
  const unsigned d = first_to_correct(there, false);
  route r;
  if (d == MaxDimensions) {
    r = local(q);
  } else {
    const std::uint32_t to = there.at[d];
    const direction onwards = towards(d, to);
    const vc_set escape = rings && !onwards.crosses ? 2 : 1;
    r.port = static_cast<std::uint8_t>(2 * d + onwards.minus);
    r.vcs = escape;
    r.choices = productive(there);
    r.choice_vcs = vcs & ~first_vcs(rings ? 2 : 1);
  }
  return r;
}

/// Removes from the productive \p ports those that lead to a forbidden turn. Rules 1 and 2 of Chiu 2000: in an even
/// column, no packet turns from +x to y; in an odd column, none turns from y to -x. Chiu's function ROUTE also depends
/// on the column of the source: a packet that does not come from -x is in this column, or it may turn anyway.
port_set grid_rule::odd_even_turns(const route_query& q, const position& there, port_set ports) const {
  constexpr port_set PlusX = 1, MinusX = 2;
  constexpr unsigned FromMinusX = 1;
  const bool odd = here[0] % 2 != 0;
  const bool along_y = (ports & ~(PlusX | MinusX)) != 0;
  if (along_y && (ports & PlusX) != 0) {
    const bool odd_destination = there.at[0] % 2 != 0;
    if (!odd && q.in_port == FromMinusX) {
      ports = PlusX;
    } else if (!odd_destination && there.at[0] == here[0] + 1) {
      ports &= ~PlusX;  // in the next column, which is even, the packet would have to turn
    }
  }
  if (odd && (ports & MinusX) != 0) ports = MinusX;
  return ports;
}

route grid_rule::by_turn_model(const route_query& q, const position& there) const {
  constexpr port_set MinusX = 2, PlusY = 4, Negative = 0b10101010;
  static_assert(2 * MaxDimensions <= 8, "Negative");
  port_set ports = productive(there);
  const bool arrived = ports == 0;
  if (algorithm == grid_algorithm::WestFirst && (ports & MinusX) != 0) ports = MinusX;
  if (algorithm == grid_algorithm::NorthLast && ports != PlusY) ports &= ~PlusY;
  if (algorithm == grid_algorithm::NegativeFirst && (ports & Negative) != 0) ports &= Negative;
  if (algorithm == grid_algorithm::OddEven) ports = odd_even_turns(q, there, ports);
  route r;
  if (arrived) {
    r = local(q);
  } else {
    const bool is_sure = (ports & (ports - 1)) == 0;
    r.port = static_cast<std::uint8_t>(is_sure ? lowest(ports) : 0);
    r.vcs = is_sure ? vcs : 0;
    r.choices = is_sure ? 0 : ports;
    r.choice_vcs = is_sure ? 0 : vcs;
  }
  return r;
}

/// Dimension order to the router that the path id names, and then to the destination. The VC shows the part of the
/// path.
route grid_rule::over_intermediate(const route_query& q, const position& there) const {
  position between;
  locate(static_cast<router_id>(q.path_id), between);
  const bool from_node = q.in_port >= 2 * dimensions;
  const bool on_first_part = from_node || (share(0, 2) >> q.in_vc & 1) != 0;
  route r;
  if (on_first_part && first_to_correct(between, false) != MaxDimensions) {
    r = in_order(q, between, false, 0, 2);
  } else {
    r = in_order(q, there, false, 1, 2);
  }
  return r;
}

/// The route of a packet that only has to correct dimension number \p last of the order, the last one. In the last
/// plane it keeps its VC class. If it was never in this plane, it may use both classes.
route grid_rule::last_of_plane(const route_query& q, unsigned last, unsigned port) const {
  route r(port, vcs);
  if (last != 0) {
    const unsigned parts = classes(algorithm, rings, dimensions), plane = last - 1;
    const unsigned up = 2 * plane % 3, down = (2 * plane + 1) % 3, from = q.in_port / 2;
    const vc_set first = share(up, parts), second = share(down, parts), came_on = 1U << q.in_vc;
    const bool in_plane = from == order[plane] || from == order[last];
    r.vcs = !in_plane ? first | second : (came_on & first) != 0 ? first : second;
  }
  return r;
}

route grid_rule::in_planes(const route_query& q, const position& there) const {
  unsigned plane = MaxDimensions;
  for (unsigned i = MaxDimensions; i > 0; --i)
    if (i <= dimensions && there.at[order[i - 1]] != here[order[i - 1]]) plane = i - 1;
  route r;
  if (plane == MaxDimensions) {
    r = local(q);
  } else {
    const unsigned d = order[plane];
    const direction onwards = towards(d, there.at[d]);
    const unsigned port = 2 * d + onwards.minus;
    if (plane + 1 == dimensions) {
      r = last_of_plane(q, plane, port);
    } else {
      const unsigned other = order[plane + 1];
      const vc_set own = share((2 * plane + onwards.minus) % 3, classes(algorithm, rings, dimensions));
      if (there.at[other] == here[other]) {
        r = route(port, own);
      } else {
        const direction aside = towards(other, there.at[other]);
        r = route(0, 0, 1U << port | 1U << (2 * other + aside.minus), own);
      }
    }
  }
  return r;
}

route grid_rule::answer(const route_query& q) const {
  const router_id to = divide<NodeBits>(q.destination, nodes);
  position there;
  locate(to, there);
  route r;
  if (algorithm == grid_algorithm::DimensionOrder) {
    r = in_order(q, there, false, 0, 1);
  } else if (algorithm == grid_algorithm::O1Turn) {
    r = in_order(q, there, q.path_id != 0, q.path_id != 0, 2);
  } else if (algorithm == grid_algorithm::Valiant || algorithm == grid_algorithm::Romm) {
    r = over_intermediate(q, there);
  } else if (algorithm == grid_algorithm::MinimalAdaptive) {
    r = adaptive(q, there);
  } else if (algorithm == grid_algorithm::PlanarAdaptive) {
    r = in_planes(q, there);
  } else {
    r = by_turn_model(q, there);
  }
  return r;
}

}  // namespace weft
