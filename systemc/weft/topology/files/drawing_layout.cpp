// SPDX-License-Identifier: Apache-2.0
/// Positions of the routers in a drawing.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/full_grid.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/topology/files/drawing.h"

namespace weft {
namespace {

/// Groups dimensions in threes: x, y and an oblique z. The next three dimensions use the first three as one step.
points place_grid(const std::vector<std::uint32_t>& size, const std::vector<std::vector<std::uint32_t>>& coordinates) {
  std::vector<drawing_point> step(size.size());
  double width = Pitch, height = Pitch;  // extent of the placed part, and the margin around it
  for (std::size_t d = 0; d < size.size(); d += 3) {
    const double depth = d + 2 < size.size() ? size[d + 2] : 1;
    const drawing_point aslant = d == 0 ? drawing_point{46, -34} : drawing_point{0.35 * width, -0.5 * height};
    const double room_x = depth > 1 ? (depth - 1) * aslant.x + (d == 0 ? 12 : 0) : 0;
    const double room_y = depth > 1 ? (1 - depth) * aslant.y + (d == 0 ? 12 : 0) : 0;
    // Later groups are placed slightly higher, so that links to them pass between the routers of a row.
    step[d] = {width + room_x, d == 0 ? 0 : -1.4 * Pitch};
    if (d + 1 < size.size()) step[d + 1] = {0, -(height + room_y)};
    if (d + 2 < size.size()) step[d + 2] = aslant;
    width = step[d].x * size[d] + room_x + 0.3 * Pitch;
    height = (height + room_y) * (d + 1 < size.size() ? size[d + 1] : 1) + room_y + 0.3 * Pitch;
  }
  points at(coordinates.size());
  for (std::size_t r = 0; r < at.size(); ++r)
    for (std::size_t d = 0; d < size.size(); ++d) at[r] = at[r] + coordinates[r][d] * step[d];
  return at;
}

/// Sides of the smallest grid that contains all \p coordinates, which have the same length.
std::vector<std::uint32_t> sides_of(const std::vector<std::vector<std::uint32_t>>& coordinates) {
  std::vector<std::uint32_t> sides(coordinates.front().size(), 1);
  for (const auto& at : coordinates)
    for (std::size_t d = 0; d < sides.size(); ++d) sides[d] = std::max(sides[d], at[d] + 1);
  return sides;
}

/// Neighbors of each router, whatever the direction of the channels.
neighbour_lists joined_to(const topology& t) {
  neighbour_lists lists = neighbours_of(t);
  for (const channel& c : t.channels) lists[c.to.router].push_back(c.from.router);
  return lists;
}

/// Levels of equal width; the level with the most nodes is at the bottom.
points place_tree(const topology& t, const std::vector<std::size_t>& nodes_at) {
  const std::size_t routers = t.routers.size();
  const bool known =
      std::all_of(t.routers.begin(), t.routers.end(), [](const router_info& r) { return r.coordinates.size() == 2; });
  std::vector<std::uint32_t> level(routers);
  if (known) {
    for (router_id r = 0; r < routers; ++r) level[r] = t.routers[r].coordinates[1];
    double with_nodes = 0, all = 0;
    for (router_id r = 0; r < routers; ++r) {
      with_nodes += static_cast<double>(level[r] * nodes_at[r]) / static_cast<double>(t.nodes.size());
      all += level[r] / static_cast<double>(routers);
    }
    const std::uint32_t top = *std::max_element(level.begin(), level.end());
    if (with_nodes > all)
      for (std::uint32_t& l : level) l = top - l;
  } else {
    std::vector<router_id> leaves;
    for (router_id r = 0; r < routers; ++r)
      if (nodes_at[r] != 0) leaves.push_back(r);
    level = hops_from(joined_to(t), leaves);
  }
  std::map<std::uint32_t, std::vector<router_id>> levels;
  for (router_id r = 0; r < routers; ++r) levels[level[r]].push_back(r);

  double width = 0;
  for (auto& [number, members] : levels) {
    if (known)
      std::stable_sort(members.begin(), members.end(),
                       [&](auto a, auto b) { return t.routers[a].coordinates[0] < t.routers[b].coordinates[0]; });
    double widest = 2 * HalfRouter + 16;
    for (const router_id r : members) widest = std::max(widest, static_cast<double>(nodes_at[r]) * NodeRoom + 6);
    width = std::max(width, widest * static_cast<double>(members.size()));
  }
  points at(routers);
  const double rise = std::clamp(width / 6, 1.1 * Pitch, 3.5 * Pitch);
  double y = 0;
  for (const auto& [number, members] : levels) {
    for (std::size_t i = 0; i < members.size(); ++i)
      at[members[i]] = {width * (static_cast<double>(i) + 0.5) / static_cast<double>(members.size()), y};
    y -= rise;
  }
  return at;
}

points place_circle(std::size_t routers) {
  points at(routers);
  const auto count = static_cast<double>(routers);
  const double radius = std::max(0.8 * Pitch, 0.75 * Pitch * count / (2 * Pi));
  for (std::size_t r = 0; r < routers; ++r) at[r] = polar(radius, 2 * Pi * static_cast<double>(r) / count - Pi / 2);
  return at;
}

/// Positions whose distances approximate those of the graph (stress majorization; Gansner, Koren and North 2004).
points place_by_distances(const topology& t) {
  const std::size_t routers = t.routers.size();
  points at = place_circle(routers);
  const neighbour_lists neighbours = joined_to(t);
  std::vector<std::vector<double>> hops(routers);
  for (router_id r = 0; r < routers; ++r)
    for (const std::uint32_t h : hops_from(neighbours, {r}))
      hops[r].push_back(std::min<double>(h, static_cast<double>(routers)));
  for (int round = 0; round < 200; ++round) {
    for (std::size_t a = 0; a < routers; ++a) {
      drawing_point sum;
      double weights = 0;
      for (std::size_t b = 0; b < routers; ++b) {
        if (a == b) continue;
        const double target = 1.5 * Pitch * hops[a][b], weight = 1 / (target * target);
        sum = sum + weight * (at[b] + target * unit(at[a] - at[b]));
        weights += weight;
      }
      if (weights > 0) at[a] = 1 / weights * sum;
    }
  }
  // If two routers are too close, the whole layout is enlarged.
  double nearest = Pitch;
  for (std::size_t a = 0; a < routers; ++a)
    for (std::size_t b = 0; b < a; ++b) nearest = std::min(nearest, length(at[a] - at[b]));
  const double wider = std::min(2.5, 0.75 * Pitch / std::max(nearest, 1.0));
  if (wider > 1)
    for (drawing_point& p : at) p = wider * p;
  return at;
}

}  // namespace

drawing_layout lay_out(const topology& t) {
  std::vector<std::size_t> nodes_at(t.routers.size());
  for (const node_attachment& n : t.nodes) ++nodes_at[n.ports.front().router];
  const std::size_t routers = t.routers.size();
  const auto kind_has = [&](const char* word) { return t.kind.find(word) != std::string::npos; };
  std::vector<std::vector<std::uint32_t>> coordinates;
  for (const router_info& r : t.routers) coordinates.push_back(r.coordinates);
  const std::size_t depth = coordinates.front().size();
  const bool same_depth =
      depth > 0 && std::all_of(coordinates.begin(), coordinates.end(), [&](auto& c) { return c.size() == depth; });

  drawing_layout made;
  if (const std::optional<full_grid> grid = recognise_grid(t)) {
    if (grid->size.size() == 1 && grid->sides.front() != full_grid::side::Line) {
      made.routers = place_circle(routers);
    } else {
      made.routers = place_grid(grid->size, grid->coordinates);
      made.grid = true;
    }
  } else if (kind_has("tree")) {
    made.routers = place_tree(t, nodes_at);
    made.tree = true;
  } else if (same_depth && depth == 2) {
    made.routers = place_grid({1, 1}, coordinates);
  } else if (same_depth && depth == 3) {
    made.routers = place_grid(sides_of(coordinates), coordinates);
  } else if (const node_placement places = find_node_placement(t); depth > 2 && !places.shape.empty()) {
    made.routers = place_grid(places.shape, coordinates);
  } else {
    made.routers = routers <= MaxStress ? place_by_distances(t) : place_circle(routers);
  }
  return made;
}

}  // namespace weft
