// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/full_grid.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace weft {
namespace {

/// Channels of one dimension: a step up or down, or a wrap-around channel.
enum direction : std::uint8_t { Up, Down, RoundUp, RoundDown, Directions };
using direction_counts = std::array<std::size_t, Directions>;

std::optional<full_grid::side> side_of(const direction_counts& n, std::size_t routers, std::uint32_t size) {
  using side = full_grid::side;
  const std::size_t rows = routers / size, steps = rows * (size - 1);
  if (n == direction_counts{steps, steps, 0, 0}) return side::Line;
  if (size == 2 && n == direction_counts{2 * rows, 2 * rows, 0, 0}) return side::Ring;
  if (n == direction_counts{steps, steps, rows, rows}) return side::Ring;
  if (n == direction_counts{steps, 0, rows, 0}) return side::OneWayRing;
  return std::nullopt;
}

/// Number of nodes at each router if it is the same everywhere and each node has one router; otherwise 0.
std::size_t nodes_at_each(const topology& t) {
  std::vector<std::size_t> at(t.routers.size());
  for (const node_attachment& node : t.nodes) {
    for (const port_ref port : node.ports)
      if (port.router != node.ports.front().router) return 0;
    ++at[node.ports.front().router];
  }
  return std::all_of(at.begin(), at.end(), [&](std::size_t n) { return n == at.front(); }) ? at.front() : 0;
}

}  // namespace

std::uint32_t full_grid::diameter() const {
  std::uint32_t hops = 0;
  for (std::size_t d = 0; d < size.size(); ++d) hops += sides[d] == side::Ring ? size[d] / 2 : size[d] - 1;
  return hops;
}

double full_grid::mean_distance() const {
  double hops = 0;
  for (std::size_t d = 0; d < size.size(); ++d) {
    const double k = size[d];
    if (sides[d] == side::Line) hops += (k * k - 1) / (3 * k);
    if (sides[d] == side::Ring) hops += size[d] % 2 == 0 ? k / 4 : (k * k - 1) / (4 * k);
    if (sides[d] == side::OneWayRing) hops += (k - 1) / 2;
  }
  return hops;
}

namespace {

/// A hypercube has no shape of its own; its grid has a side of 2 for each bit of the router number.
void take_bits_as_coordinates(full_grid& grid, std::size_t routers) {
  grid.size.assign(static_cast<std::size_t>(__builtin_ctzll(routers)), 2);
  for (router_id r = 0; r < routers; ++r) {
    grid.coordinates[r].clear();
    for (std::size_t d = 0; d < grid.size.size(); ++d) grid.coordinates[r].push_back(r >> d & 1);
  }
}

/// Whether there is exactly one router at each coordinate of the grid.
bool fills_its_sides(const full_grid& grid, std::size_t routers) {
  const std::size_t dimensions = grid.size.size();
  if (dimensions == 0 || std::count(grid.size.begin(), grid.size.end(), 0) != 0) return false;
  if (std::accumulate(grid.size.begin(), grid.size.end(), std::size_t{1}, std::multiplies<>()) != routers) return false;
  std::vector<bool> taken(routers);
  for (const std::vector<std::uint32_t>& at : grid.coordinates) {
    if (at.size() != dimensions) return false;
    std::size_t index = 0;
    for (std::size_t d = dimensions; d-- > 0;) {
      if (at[d] >= grid.size[d]) return false;
      index = index * grid.size[d] + at[d];
    }
    if (taken[index]) return false;
    taken[index] = true;
  }
  return true;
}

/// The step between two coordinates in a row of \p size routers; Directions if neither a line nor a ring has such a
/// channel.
direction direction_between(std::uint32_t from, std::uint32_t to, std::uint32_t size) {
  if (to == from + 1) return Up;
  if (from == to + 1) return Down;
  if (from == size - 1 && to == 0) return RoundUp;
  if (from == 0 && to == size - 1) return RoundDown;
  return Directions;
}

}  // namespace

std::optional<full_grid> recognise_grid(const topology& t) {
  const std::size_t routers = t.routers.size();
  full_grid grid{t.shape, {}, nodes_at_each(t)};
  if (grid.nodes == 0) return std::nullopt;
  for (const router_info& r : t.routers) grid.coordinates.push_back(r.coordinates);
  if (t.kind == "hypercube") take_bits_as_coordinates(grid, routers);
  if (!fills_its_sides(grid, routers)) return std::nullopt;

  const std::size_t dimensions = grid.size.size();
  std::vector<direction_counts> counts(dimensions);
  std::vector<bool> doubled(dimensions);
  std::vector<std::uint8_t> seen(routers * dimensions * Directions);  // by router, dimension and direction
  for (const channel& c : t.channels) {
    const auto &from = grid.coordinates[c.from.router], &to = grid.coordinates[c.to.router];
    const auto d = static_cast<std::size_t>(std::mismatch(from.begin(), from.end(), to.begin()).first - from.begin());
    if (d == dimensions || !std::equal(from.begin() + static_cast<std::ptrdiff_t>(d) + 1, from.end(),
                                       to.begin() + static_cast<std::ptrdiff_t>(d) + 1))
      return std::nullopt;
    const direction how = direction_between(from[d], to[d], grid.size[d]);
    if (how == Directions) return std::nullopt;
    std::uint8_t& times = seen[(c.from.router * dimensions + d) * Directions + how];
    if (++times > (grid.size[d] == 2 ? 2 : 1)) return std::nullopt;
    if (times == 2) doubled[d] = true;
    ++counts[d][how];
  }

  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto side = side_of(counts[d], routers, grid.size[d]);
    if (!side || (doubled[d] && *side == full_grid::side::Line)) return std::nullopt;
    grid.sides.push_back(*side);
  }
  return grid;
}

}  // namespace weft
