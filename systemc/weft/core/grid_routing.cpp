// SPDX-License-Identifier: Apache-2.0
#include "weft/core/grid_routing.h"

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
  coordinates there{};
  for (unsigned d = 0; d < dimensions; ++d) there[d] = router / stride[d] % size[d];
  return there;
}

grid_rule::direction grid_rule::towards(unsigned d, std::uint32_t there) const {
  if (!rings) return {there < here[d], false};
  const bool minus = !one_way && is_shorter_down(here[d], there, size[d]);
  return {minus, minus ? there > here[d] : there < here[d]};
}

/// Output ports that lead nearer to \p there.
port_set grid_rule::productive(const coordinates& there) const {
  port_set ports = 0;
  for (unsigned d = 0; d < dimensions; ++d) {
    if (there[d] == here[d]) continue;
    const bool half_way = rings && !one_way && 2 * hops_up(here[d], there[d], size[d]) == size[d];
    ports |= port_set{half_way ? 3U : 1U + towards(d, there[d]).minus} << 2 * d;
  }
  return ports;
}

/// Part \p number of \p count equal parts of the VCs.
vc_set grid_rule::share(unsigned number, unsigned count) const {
  return count == 1 ? vcs : part_of_vcs(vcs, number, count);
}

route grid_rule::local(const route_query& q) const { return {local_port(q, 2 * dimensions, nodes, local_ports), vcs}; }

/// \param part, parts which of several routes on VCs of their own this is
route grid_rule::in_order(const route_query& q, const coordinates& there, bool reverse, unsigned part,
                          unsigned parts) const {
  for (unsigned i = 0; i < dimensions; ++i) {
    const unsigned d = order[reverse ? dimensions - 1 - i : i];
    if (there[d] == here[d]) continue;
    const direction onwards = towards(d, there[d]);
    const auto port = static_cast<std::uint8_t>(2 * d + onwards.minus);
    if (!rings) return {port, share(part, parts)};
    const vc_set first = share(2 * part, 2 * parts), second = share(2 * part + 1, 2 * parts);
    if (one_way) return {port, onwards.crosses ? first : second};
    const bool straight_on = q.in_port == (port ^ 1U);
    const vc_set came_on = vc_set{1} << q.in_vc;
    if (straight_on && came_on & (first | second)) return {port, came_on & first ? first : second};
    if (onwards.crosses) return {port, first};
    const std::uint32_t half = size[d] / 2;
    const bool passes_middle = (here[d] < half) != (there[d] < half);
    return {port, passes_middle || q.destination / nodes % 2 != 0 ? second : first};
  }
  return local(q);
}

route grid_rule::adaptive(const route_query& q, const coordinates& there) const {
  const unsigned escapes = rings ? 2 : 1;
  for (unsigned i = 0; i < dimensions; ++i) {
    const unsigned d = order[i];
    if (there[d] == here[d]) continue;
    const direction onwards = towards(d, there[d]);
    const vc_set escape = rings && !onwards.crosses ? 2 : 1;
    return {static_cast<std::uint8_t>(2 * d + onwards.minus), escape, productive(there), vcs & ~first_vcs(escapes)};
  }
  return local(q);
}

route grid_rule::by_turn_model(const route_query& q, const coordinates& there) const {
  constexpr port_set MinusX = 2, PlusY = 4, Negative = 0b10101010;
  static_assert(2 * MaxDimensions <= 8, "Negative");
  port_set ports = productive(there);
  if (ports == 0) return local(q);
  if (algorithm == grid_algorithm::WestFirst && ports & MinusX) ports = MinusX;
  if (algorithm == grid_algorithm::NorthLast && ports != PlusY) ports &= ~PlusY;
  if (algorithm == grid_algorithm::NegativeFirst && ports & Negative) ports &= Negative;
  return (ports & (ports - 1)) == 0 ? route{static_cast<std::uint8_t>(__builtin_ctz(ports)), vcs}
                                    : route{0, 0, ports, vcs};
}

route grid_rule::operator()(const route_query& q) const {
  const coordinates there = coordinates_of(q.destination / nodes);
  switch (algorithm) {
    case grid_algorithm::DimensionOrder:
      return in_order(q, there, false, 0, 1);
    case grid_algorithm::O1Turn:
      return in_order(q, there, q.way != 0, q.way != 0, 2);
    case grid_algorithm::Valiant: {
      const coordinates between = coordinates_of(static_cast<router_id>(q.way));
      const bool from_node = q.in_port >= 2 * dimensions;
      const bool first_part = (from_node || share(0, 2) >> q.in_vc & 1) && between != here;
      return first_part ? in_order(q, between, false, 0, 2) : in_order(q, there, false, 1, 2);
    }
    case grid_algorithm::MinimalAdaptive:
      return adaptive(q, there);
    default:
      return by_turn_model(q, there);
  }
}

}  // namespace weft
