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

path_id_use grid_rule::use_of_path_id() const {
  switch (algorithm) {
    case grid_algorithm::O1Turn:
      return path_id_use::IsZero;
    case grid_algorithm::Valiant:
      return path_id_use::Router;
    case grid_algorithm::DimensionOrder:
    case grid_algorithm::MinimalAdaptive:
    case grid_algorithm::WestFirst:
    case grid_algorithm::NorthLast:
    case grid_algorithm::NegativeFirst:
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

route grid_rule::by_turn_model(const route_query& q, const position& there) const {
  constexpr port_set MinusX = 2, PlusY = 4, Negative = 0b10101010;
  static_assert(2 * MaxDimensions <= 8, "Negative");
  port_set ports = productive(there);
  const bool arrived = ports == 0;
  if (algorithm == grid_algorithm::WestFirst && (ports & MinusX) != 0) ports = MinusX;
  if (algorithm == grid_algorithm::NorthLast && ports != PlusY) ports &= ~PlusY;
  if (algorithm == grid_algorithm::NegativeFirst && (ports & Negative) != 0) ports &= Negative;
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

route grid_rule::answer(const route_query& q) const {
  const router_id to = divide<NodeBits>(q.destination, nodes);
  position there;
  locate(to, there);
  route r;
  if (algorithm == grid_algorithm::DimensionOrder) {
    r = in_order(q, there, false, 0, 1);
  } else if (algorithm == grid_algorithm::O1Turn) {
    r = in_order(q, there, q.path_id != 0, q.path_id != 0, 2);
  } else if (algorithm == grid_algorithm::Valiant) {
    position between;
    locate(static_cast<router_id>(q.path_id), between);
    const bool from_node = q.in_port >= 2 * dimensions;
    const bool on_first_part = from_node || (share(0, 2) >> q.in_vc & 1) != 0;
    if (on_first_part && first_to_correct(between, false) != MaxDimensions)
      r = in_order(q, between, false, 0, 2);
    else
      r = in_order(q, there, false, 1, 2);
  } else if (algorithm == grid_algorithm::MinimalAdaptive) {
    r = adaptive(q, there);
  } else {
    r = by_turn_model(q, there);
  }
  return r;
}

}  // namespace weft
