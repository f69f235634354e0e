// SPDX-License-Identifier: Apache-2.0
/// The lines of a drawing.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/files/drawing.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

std::vector<drawing_line> straight_lines(const topology& t) {
  std::vector<drawing_line> lines;
  for (const link_line& l : lines_between(t)) {
    const channel& c = t.channels[l.channel];
    drawing_line made;
    made.from = c.from.router;
    made.to = c.to.router;
    made.one_way = !l.two_way;
    made.cycles = c.cycles;
    made.narrow = c.phits > 1;
    lines.push_back(made);
  }
  return lines;
}

double distance_to_segment(drawing_point p, drawing_point a, drawing_point b) {
  const drawing_point along = b - a;
  const double square = along.x * along.x + along.y * along.y;
  const double share = square == 0 ? 0 : ((p.x - a.x) * along.x + (p.y - a.y) * along.y) / square;
  return length(p - (a + std::clamp(share, 0.0, 1.0) * along));
}

/// Whether the ends are in one row but not adjacent.
bool round_the_end(const topology& t, const drawing_line& l) {
  const auto &a = t.routers[l.from].coordinates, &b = t.routers[l.to].coordinates;
  std::size_t unlike = 0, far = 0;
  for (std::size_t d = 0; d < std::min(a.size(), b.size()); ++d) {
    unlike += a[d] != b[d];
    far += a[d] > b[d] + 1 || b[d] > a[d] + 1;
  }
  return unlike == 1 && far == 1;
}

void bend(const topology& t, std::vector<drawing_line>& lines, const drawing_layout& made) {
  const points& at = made.routers;
  std::map<std::pair<router_id, router_id>, std::vector<drawing_line*>> parallel;
  for (drawing_line& l : lines) parallel[std::minmax(l.from, l.to)].push_back(&l);
  for (auto& [ends, together] : parallel) {
    const drawing_point a = at[ends.first], b = at[ends.second];
    bool covered = false;  // a router is between the ends
    if (at.size() <= MaxStress && !made.tree) {
      const double steps = length(b - a);
      for (std::size_t r = 0; r < at.size() && !covered; ++r)
        covered = r != ends.first && r != ends.second && steps > HalfRouter &&
                  distance_to_segment(at[r], a, b) < HalfRouter + 4;
    }
    for (std::size_t i = 0; i < together.size(); ++i) {
      drawing_line& l = *together[i];
      const double side = l.from == ends.first ? 1 : -1;  // the bulge is to the left of a line
      l.beside = made.grid && round_the_end(t, l);
      l.bulge = side * 26 * (static_cast<double>(i) - static_cast<double>(together.size() - 1) / 2);
      if (covered && !l.beside) l.bulge += side * std::clamp(0.12 * length(b - a), 26.0, 60.0);
    }
  }
}

/// The point on the edge of the router's square at \p from in direction \p to.
drawing_point edge_of_square(drawing_point from, drawing_point to) {
  const drawing_point d = unit(to - from);
  return from + HalfRouter / std::max(std::abs(d.x), std::abs(d.y)) * d;
}

/// Points along a Bézier curve, including both ends.
points along_curve(const points& controls) {
  constexpr int Steps = 12;
  points course;
  for (int i = 0; i <= Steps; ++i) {
    points rest = controls;  // de Casteljau
    const double share = static_cast<double>(i) / Steps;
    for (std::size_t left = rest.size() - 1; left > 0; --left)
      for (std::size_t k = 0; k < left; ++k) rest[k] = (1 - share) * rest[k] + share * rest[k + 1];
    course.push_back(rest.front());
  }
  return course;
}

/// A wrap-around curve: leaves at the far side of each end and runs beside the row, above it or to its left.
drawing_curve curve_beside(drawing_point a, drawing_point b) {
  const drawing_point along = unit(b - a);
  drawing_point side = turned(along);
  if (side.y > 0.01 || (std::abs(side.y) <= 0.01 && side.x > 0)) side = -1 * side;
  const drawing_point out = 20 * along, shift = (HalfRouter + 9) * side;
  const drawing_point p = a - HalfRouter * along, q = b + HalfRouter * along;
  drawing_curve curve{fmt::format("M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f} L{:.1f},{:.1f} "
                                  "C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}",
                                  p.x, p.y, (p - out).x, (p - out).y, (p - out + shift).x, (p - out + shift).y,
                                  (p + shift).x, (p + shift).y, (q + shift).x, (q + shift).y, (q + out + shift).x,
                                  (q + out + shift).y, (q + out).x, (q + out).y, q.x, q.y),
                      along_curve({p, p - out, p - out + shift, p + shift}), 0.5 * (p + q) + shift, a - out, b + out};
  const points back = along_curve({q + shift, q + out + shift, q + out, q});
  curve.course.insert(curve.course.end(), back.begin(), back.end());
  return curve;
}

}  // namespace

std::vector<drawing_line> lines_of(const topology& t, const drawing_layout& made) {
  std::vector<drawing_line> lines = straight_lines(t);
  bend(t, lines, made);
  return lines;
}

drawing_curve curve_of(const drawing_line& l, const points& at) {
  const drawing_point a = at[l.from], b = at[l.to];
  if (l.beside) return curve_beside(a, b);
  const drawing_point along = unit(b - a);
  const drawing_point middle = 0.5 * (a + b) + l.bulge * turned(along);
  const drawing_point control = 0.5 * (a + b) + 2 * l.bulge * turned(along);
  const drawing_point p = edge_of_square(a, control), q = edge_of_square(b, control);
  if (l.bulge == 0) return {straight_path(p, q), {p, q}, middle, b, a};
  return {fmt::format("M{:.1f},{:.1f} Q{:.1f},{:.1f} {:.1f},{:.1f}", p.x, p.y, control.x, control.y, q.x, q.y),
          along_curve({p, control, q}), middle, control, control};
}

}  // namespace weft
