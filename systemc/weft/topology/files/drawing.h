// SPDX-License-Identifier: Apache-2.0
/// The parts of a drawing of a network: where its routers are, and the lines between them. Lengths are pixels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

struct drawing_point {
  double x = 0, y = 0;  // to the right and downwards
};
inline drawing_point operator+(drawing_point a, drawing_point b) { return {a.x + b.x, a.y + b.y}; }
inline drawing_point operator-(drawing_point a, drawing_point b) { return {a.x - b.x, a.y - b.y}; }
inline drawing_point operator*(double f, drawing_point a) { return {f * a.x, f * a.y}; }
inline double length(drawing_point a) { return std::hypot(a.x, a.y); }
inline drawing_point unit(drawing_point a) { return length(a) == 0 ? drawing_point{1, 0} : 1 / length(a) * a; }
inline drawing_point turned(drawing_point a) { return {a.y, -a.x}; }  // a quarter to the left
inline drawing_point polar(double radius, double angle) { return {radius * std::cos(angle), radius * std::sin(angle)}; }

using points = std::vector<drawing_point>;

inline constexpr double Pi = 3.14159265358979323846;
inline constexpr double HalfRouter = 13, NodeRadius = 9;
inline constexpr double Pitch = 84;         ///< between routers
inline constexpr double NodeDistance = 33;  ///< from the middle of a router to that of a node
inline constexpr double NodeRoom = 2 * NodeRadius + 4;
inline constexpr std::size_t MaxStress = 400;  ///< routers that are laid out by their distances

/// Where the routers are.
struct drawing_layout {
  points routers;
  bool tree = false;  ///< nodes hang below their routers
  bool grid = false;  ///< links round the end of a row run beside it, nodes lie to the lower right
};

/// \p nodes_at how many nodes each router has.
drawing_layout lay_out(const topology& t, const std::vector<std::size_t>& nodes_at);

/// A link between two routers.
struct drawing_line {
  router_id from = 0, to = 0;
  bool one_way = false;
  unsigned cycles = 1;
  double bulge = 0;     ///< beside the straight line
  bool beside = false;  ///< runs beside what is between: a link round the end of a row
};

/// All of \p t, bent so that none runs over a router or another line.
std::vector<drawing_line> lines_of(const topology& t, const drawing_layout& made);

/// How a line is drawn.
struct drawing_curve {
  std::string path;  ///< of SVG
  points course;     ///< points along it, from its beginning to its end
  drawing_point middle;
  drawing_point leaves_from, leaves_to;  ///< points towards which the curve leaves its ends
};

drawing_curve curve_of(const drawing_line& l, const points& at);

/// All that is drawn of a network, with its coordinates.
struct network_drawing {
  drawing_layout routers;
  std::vector<drawing_line> lines;
  std::vector<drawing_curve> curves;  ///< of the lines
  points nodes;
  drawing_point low{1e9, 1e9}, high{-1e9, -1e9};  ///< corners of a frame around everything
};

network_drawing draw_network(const topology& t);

}  // namespace weft
