// SPDX-License-Identifier: Apache-2.0
/// Geometry of a drawing of a network, that is positions of the routers and lines between them, and what all drawings
/// have in common as SVG. Lengths are in pixels.
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
inline drawing_point turned(drawing_point a) { return {a.y, -a.x}; }  // rotated by 90° counterclockwise
inline drawing_point polar(double radius, double angle) { return {radius * std::cos(angle), radius * std::sin(angle)}; }

using points = std::vector<drawing_point>;

inline constexpr double Pi = 3.14159265358979323846;
inline constexpr double HalfRouter = 13, NodeRadius = 9;
inline constexpr double Pitch = 84;         ///< between routers
inline constexpr double NodeDistance = 33;  ///< between the centers of a router and its node
inline constexpr double NodeRoom = 2 * NodeRadius + 4;
inline constexpr std::size_t MaxStress = 400;  ///< most routers that are laid out by graph distance

/// Positions of the routers.
struct drawing_layout {
  points routers;
  bool tree = false;  ///< nodes are drawn below their routers
  bool grid = false;  ///< wrap-around links run beside their row, and nodes lie to the lower right of their router
};

/// Places the routers of \p t.
drawing_layout lay_out(const topology& t);

/// A link between two routers.
struct drawing_line {
  router_id from = 0, to = 0;
  bool one_way = false;
  unsigned cycles = 1;
  bool narrow = false;  ///< narrower than a flit
  double bulge = 0;     ///< distance from the straight line
  bool beside = false;  ///< runs beside the routers between its ends: a wrap-around link of a row
};

/// The links of \p t. They are bent so that none crosses a router or overlaps another line.
std::vector<drawing_line> lines_of(const topology& t, const drawing_layout& made);

/// The curve of a line in the drawing.
struct drawing_curve {
  std::string path;  ///< SVG path data
  points course;     ///< points along the curve, from its start to its end
  drawing_point middle;
  drawing_point leaves_from, leaves_to;  ///< points towards which the curve leaves its ends
};

drawing_curve curve_of(const drawing_line& l, const points& at);

/// The routers, nodes and links of a network with their positions in the drawing.
struct network_drawing {
  drawing_layout routers;
  std::vector<drawing_line> lines;
  std::vector<drawing_curve> curves;  ///< of the lines
  points nodes;
  drawing_point low{1e9, 1e9}, high{-1e9, -1e9};  ///< corners of a frame around everything
};

network_drawing draw_network(const topology& t);

/// The beginning of an SVG file: \p head, such as the style, and a white background.
std::string begin_svg(double width, double height, const std::string& head);

/// Path data of the straight line from \p a to \p b.
std::string straight_path(drawing_point a, drawing_point b);

}  // namespace weft
