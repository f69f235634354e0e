// SPDX-License-Identifier: Apache-2.0
/// Routers in a plane, for generators of networks that are composed of meshes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "weft/core/types.h"
#include "weft/topology/topology.h"

namespace weft::plane_detail {

enum side_port : unsigned { Right, Left, Up, Down, Sides };
inline constexpr std::array<const char*, Sides> SideNames{"+x", "-x", "+y", "-y"};

inline std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

/// A place in a grid, or the size of a grid.
struct place {
  std::uint32_t x = 0, y = 0;

  std::uint32_t area() const { return x * y; }
  std::uint32_t hops(place to) const { return distance(x, to.x) + distance(y, to.y); }
  friend bool operator==(place a, place b) { return a.x == b.x && a.y == b.y; }
};

inline place place_of(std::uint32_t number, place grid) { return {number % grid.x, number / grid.x}; }
inline std::uint32_t number_of(place at, place grid) { return at.x + at.y * grid.x; }

/// The cost of a path over a link: its hops, and then those on one side of the link.
struct path_cost {
  std::uint32_t hops = 0, on_one_side = 0;
  friend bool operator<(path_cost a, path_cost b) {
    return std::pair(a.hops, a.on_one_side) < std::pair(b.hops, b.on_one_side);
  }
};

/// Of \p choices, the first with the lowest cost; the search begins at number \p first and wraps around. A packet that
/// moves towards its choice selects it again at every router on the way, because no other cost decreases more.
template <class Cost>
std::uint32_t cheapest(const std::vector<std::uint32_t>& choices, std::uint32_t first, Cost cost) {
  constexpr std::uint32_t Most = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t best = 0;
  path_cost least{Most, Most};
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::uint32_t choice = choices[(first + i) % choices.size()];
    if (const path_cost found = cost(choice); found < least) best = choice, least = found;
  }
  return best;
}

/// The port towards \p to, y first. The places differ.
inline unsigned port_towards(place from, place to) {
  if (from.y != to.y) return from.y < to.y ? Up : Down;
  return from.x < to.x ? Right : Left;
}

/// The place next to \p from in the direction of \p port. Below 0, a coordinate wraps to a large number.
inline place neighbour(place from, unsigned port) {
  const std::array<place, Sides> next{
      {{from.x + 1, from.y}, {from.x - 1, from.y}, {from.x, from.y + 1}, {from.x, from.y - 1}}};
  return next[port];
}

/// Adds the channels from the router at \p from of a mesh of \p size routers, the first of which is \p first. The
/// function \p cycles_of returns the latency of a link, or 0 if there is none.
template <class CyclesOf>
void connect_mesh(topology& t, router_id first, place size, place from, CyclesOf cycles_of) {
  for (unsigned port = 0; port < Sides; ++port) {
    const place to = neighbour(from, port);
    if (to.x >= size.x || to.y >= size.y) continue;
    if (const unsigned cycles = cycles_of(from, to); cycles != 0)
      t.channels.push_back({{first + number_of(from, size), port}, {first + number_of(to, size), port ^ 1U}, cycles});
  }
}

}  // namespace weft::plane_detail
