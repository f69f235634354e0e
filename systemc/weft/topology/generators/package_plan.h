// SPDX-License-Identifier: Apache-2.0
/// The structure of a network of dies in a package: places of routers, links between dies, border routers, interposer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"
#include "weft/topology/generators/chiplets.h"
#include "weft/topology/generators/plane.h"

namespace weft::package_detail {

using plane_detail::cheapest;
using plane_detail::distance;
using plane_detail::number_of;
using plane_detail::path_cost;
using plane_detail::place;
using plane_detail::place_of;

inline place grid_of(const std::vector<std::uint32_t>& numbers) {
  return {numbers[0], numbers.size() > 1 ? numbers[1] : 1};
}

/// The structure of the network: dies, links between them, border routers and interposer.
class package_plan {
 public:
  explicit package_plan(const chiplets_parameters& p)
      : m_die(grid_of(p.shape)),
        m_all{grid_of(p.dies).x * m_die.x, grid_of(p.dies).y * m_die.y},
        m_interposer(p.interposer.empty() ? place{} : grid_of(p.interposer)),
        m_rows(link_positions(p.links_per_side, m_die.y)),
        m_columns(link_positions(p.links_per_side, m_die.x)),
        m_border(p.border_routers.empty() ? corners_of(m_die) : p.border_routers) {
    std::sort(m_border.begin(), m_border.end());
    m_border.erase(std::unique(m_border.begin(), m_border.end()), m_border.end());
  }

  bool has_interposer() const { return m_interposer.area() != 0; }
  place all() const { return m_all; }  ///< routers of all dies
  place interposer() const { return m_interposer; }
  router_id die_routers() const { return m_all.area(); }
  place at(router_id r) const { return place_of(r, m_all); }
  place die_at(place of) const { return {of.x / m_die.x, of.y / m_die.y}; }
  bool is_border(router_id r) const {
    const place of = at(r);
    return has_interposer() &&
           std::binary_search(m_border.begin(), m_border.end(), number_of({of.x % m_die.x, of.y % m_die.y}, m_die));
  }
  /// The border routers of the die that contains \p inside.
  std::vector<router_id> border_of(place inside) const {
    std::vector<router_id> found;
    const place die = die_at(inside);
    for (const std::uint32_t local : m_border) {
      const place within = place_of(local, m_die);
      found.push_back(number_of({die.x * m_die.x + within.x, die.y * m_die.y + within.y}, m_all));
    }
    return found;
  }
  /// The place in the interposer below a router of a die.
  place below(router_id r) const {
    const auto scaled = [](std::uint32_t at, std::uint32_t to, std::uint32_t of) {
      return static_cast<std::uint32_t>(std::uint64_t{at} * to / of);
    };
    return {scaled(at(r).x, m_interposer.x, m_all.x), scaled(at(r).y, m_interposer.y, m_all.y)};
  }
  router_id interposer_router(place of) const { return die_routers() + number_of(of, m_interposer); }

  /// Whether the neighbors \p a and \p b in different dies are connected.
  bool are_linked(place a, place b) const {
    if (has_interposer()) return false;
    const auto& positions = a.y == b.y ? m_rows : m_columns;
    const std::uint32_t position = a.y == b.y ? a.y % m_die.y : a.x % m_die.x;
    return std::binary_search(positions.begin(), positions.end(), position);
  }
  /// The row with links, in the die of \p from, on the way to \p to.
  std::uint32_t link_row(place from, place to, node_id n) const {
    return cheapest(shifted(m_rows, from.y / m_die.y * m_die.y), n, [&](std::uint32_t y) {
      return path_cost{distance(from.y, y) + distance(y, to.y), distance(from.y, y)};
    });
  }
  std::uint32_t link_column(place from, place to, node_id n) const {
    return cheapest(shifted(m_columns, from.x / m_die.x * m_die.x), n, [&](std::uint32_t x) {
      return path_cost{distance(from.x, x) + distance(x, to.x), distance(x, to.x)};
    });
  }

 private:
  /// Positions of \p links links at a side of \p routers routers.
  static std::vector<std::uint32_t> link_positions(std::uint32_t links, std::uint32_t routers) {
    if (links == 0 || links > routers) links = routers;
    std::vector<std::uint32_t> positions(links);
    for (std::uint32_t i = 0; i < (links + 1) / 2; ++i) {
      positions[links - 1 - i] = routers - 1 - ((2 * i + 1) * routers - links) / (2 * links);
      positions[i] = ((2 * i + 1) * routers - links) / (2 * links);
    }
    return positions;
  }
  static std::vector<std::uint32_t> corners_of(place die) { return {0, die.x - 1, die.area() - die.x, die.area() - 1}; }
  static std::vector<std::uint32_t> shifted(std::vector<std::uint32_t> positions, std::uint32_t by) {
    for (std::uint32_t& each : positions) each += by;
    return positions;
  }

  place m_die, m_all, m_interposer;
  std::vector<std::uint32_t> m_rows, m_columns;  ///< of a die, those with links to other dies
  std::vector<std::uint32_t> m_border;           ///< numbers within a die
};

}  // namespace weft::package_detail
