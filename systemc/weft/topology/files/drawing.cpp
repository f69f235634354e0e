/// A network as SVG: places for its routers, then lines, squares and circles.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/full_grid.h"
#include "weft/topology/files/export.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

constexpr double Pi = 3.14159265358979323846;
constexpr double HalfRouter = 13, NodeRadius = 9;  // pixels
constexpr double Pitch = 84;                       // between routers
constexpr double NodeDistance = 33;                // from the middle of a router to that of a node
constexpr double NodeRoom = 2 * NodeRadius + 4;
constexpr std::size_t MaxStress = 400;  // routers that are placed by their distances

struct point {
  double x = 0, y = 0;  // to the right and downwards
};
point operator+(point a, point b) { return {a.x + b.x, a.y + b.y}; }
point operator-(point a, point b) { return {a.x - b.x, a.y - b.y}; }
point operator*(double f, point a) { return {f * a.x, f * a.y}; }
double length(point a) { return std::hypot(a.x, a.y); }
point unit(point a) { return length(a) == 0 ? point{1, 0} : 1 / length(a) * a; }
point turned(point a) { return {a.y, -a.x}; }  // a quarter to the left
point polar(double radius, double angle) { return {radius * std::cos(angle), radius * std::sin(angle)}; }

using places = std::vector<point>;

// ---- Where the routers are ----

struct layout {
  places routers;
  bool tree = false;  ///< nodes hang below their routers
  bool grid = false;  ///< links round the end of a row run beside it, nodes lie to the lower right
};

/// Dimensions in threes: x, y and z aslant; the next three in the same way with the first three as one step.
places place_grid(const std::vector<std::uint32_t>& size, const std::vector<std::vector<std::uint32_t>>& coordinates) {
  std::vector<point> step(size.size());
  double width = Pitch, height = Pitch;  // of what has been placed, and room around it
  for (std::size_t d = 0; d < size.size(); d += 3) {
    const double depth = d + 2 < size.size() ? size[d + 2] : 1;
    const point aslant = d == 0 ? point{46, -34} : point{0.35 * width, -0.5 * height};
    const double room_x = depth > 1 ? (depth - 1) * aslant.x + (d == 0 ? 12 : 0) : 0;
    const double room_y = depth > 1 ? (1 - depth) * aslant.y + (d == 0 ? 12 : 0) : 0;
    // Further threes a little higher, so that links to them pass between the routers of a row.
    step[d] = {width + room_x, d == 0 ? 0 : -1.4 * Pitch};
    if (d + 1 < size.size()) step[d + 1] = {0, -(height + room_y)};
    if (d + 2 < size.size()) step[d + 2] = aslant;
    width = step[d].x * size[d] + room_x + 0.3 * Pitch;
    height = (height + room_y) * (d + 1 < size.size() ? size[d + 1] : 1) + room_y + 0.3 * Pitch;
  }
  places at(coordinates.size());
  for (std::size_t r = 0; r < at.size(); ++r)
    for (std::size_t d = 0; d < size.size(); ++d) at[r] = at[r] + coordinates[r][d] * step[d];
  return at;
}

/// Whatever way channels lead.
neighbour_lists joined_to(const topology& t) {
  neighbour_lists lists = neighbours_of(t);
  for (const channel& c : t.channels) lists[c.to.router].push_back(c.from.router);
  return lists;
}

/// Levels of equal width, the one with most nodes at the bottom.
places place_tree(const topology& t, const std::vector<std::size_t>& nodes_at) {
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
  places at(routers);
  const double rise = std::clamp(width / 6, 1.1 * Pitch, 3.5 * Pitch);
  double y = 0;
  for (const auto& [number, members] : levels) {
    for (std::size_t i = 0; i < members.size(); ++i)
      at[members[i]] = {width * (static_cast<double>(i) + 0.5) / static_cast<double>(members.size()), y};
    y -= rise;
  }
  return at;
}

places place_circle(std::size_t routers) {
  places at(routers);
  const auto count = static_cast<double>(routers);
  const double radius = std::max(0.8 * Pitch, 0.75 * Pitch * count / (2 * Pi));
  for (std::size_t r = 0; r < routers; ++r) at[r] = polar(radius, 2 * Pi * static_cast<double>(r) / count - Pi / 2);
  return at;
}

/// So that distances are near those of the graph (stress majorization; Gansner, Koren and North 2004).
places place_by_distances(const topology& t) {
  const std::size_t routers = t.routers.size();
  places at = place_circle(routers);
  const neighbour_lists neighbours = joined_to(t);
  std::vector<std::vector<double>> hops(routers);
  for (router_id r = 0; r < routers; ++r)
    for (const std::uint32_t h : hops_from(neighbours, {r}))
      hops[r].push_back(std::min<double>(h, static_cast<double>(routers)));
  for (int round = 0; round < 200; ++round) {
    for (std::size_t a = 0; a < routers; ++a) {
      point sum;
      double weights = 0;
      for (std::size_t b = 0; b < routers; ++b) {
        if (a == b) continue;
        const double wanted = 1.5 * Pitch * hops[a][b], weight = 1 / (wanted * wanted);
        sum = sum + weight * (at[b] + wanted * unit(at[a] - at[b]));
        weights += weight;
      }
      if (weights > 0) at[a] = 1 / weights * sum;
    }
  }
  // Routers that came too near to each other push all apart.
  double nearest = Pitch;
  for (std::size_t a = 0; a < routers; ++a)
    for (std::size_t b = 0; b < a; ++b) nearest = std::min(nearest, length(at[a] - at[b]));
  const double wider = std::min(2.5, 0.75 * Pitch / std::max(nearest, 1.0));
  if (wider > 1)
    for (point& p : at) p = wider * p;
  return at;
}

layout lay_out(const topology& t, const std::vector<std::size_t>& nodes_at) {
  const std::size_t routers = t.routers.size();
  const auto kind_has = [&](const char* word) { return t.kind.find(word) != std::string::npos; };
  std::vector<std::vector<std::uint32_t>> coordinates;
  for (const router_info& r : t.routers) coordinates.push_back(r.coordinates);
  const std::size_t depth = coordinates.front().size();
  const bool same_depth =
      depth > 0 && std::all_of(coordinates.begin(), coordinates.end(), [&](auto& c) { return c.size() == depth; });

  layout made;
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
  } else {
    made.routers = routers <= MaxStress ? place_by_distances(t) : place_circle(routers);
  }
  return made;
}

// ---- Lines ----

struct line {
  router_id from, to;
  bool one_way;
  unsigned cycles;
  double bulge = 0;     ///< pixels beside the straight line
  bool beside = false;  ///< runs beside what is between: a link round the end of a row
};

std::vector<line> lines_of(const topology& t) {
  std::vector<line> lines;
  for (const link_line& l : lines_between(t)) {
    const channel& c = t.channels[l.channel];
    lines.push_back({c.from.router, c.to.router, !l.two_way, c.cycles});
  }
  return lines;
}

double distance_to_segment(point p, point a, point b) {
  const point along = b - a;
  const double square = along.x * along.x + along.y * along.y;
  const double share = square == 0 ? 0 : ((p.x - a.x) * along.x + (p.y - a.y) * along.y) / square;
  return length(p - (a + std::clamp(share, 0.0, 1.0) * along));
}

/// Whether the ends lie in one row, but not next to each other.
bool round_the_end(const topology& t, const line& l) {
  const auto &a = t.routers[l.from].coordinates, &b = t.routers[l.to].coordinates;
  std::size_t unlike = 0, far = 0;
  for (std::size_t d = 0; d < std::min(a.size(), b.size()); ++d) {
    unlike += a[d] != b[d];
    far += a[d] > b[d] + 1 || b[d] > a[d] + 1;
  }
  return unlike == 1 && far == 1;
}

void bend(const topology& t, std::vector<line>& lines, const layout& made) {
  const places& at = made.routers;
  std::map<std::pair<router_id, router_id>, std::vector<line*>> parallel;
  for (line& l : lines) parallel[std::minmax(l.from, l.to)].push_back(&l);
  for (auto& [ends, together] : parallel) {
    const point a = at[ends.first], b = at[ends.second];
    bool covered = false;  // a router lies between
    if (at.size() <= MaxStress && !made.tree) {
      const double steps = length(b - a);
      for (std::size_t r = 0; r < at.size() && !covered; ++r)
        covered = r != ends.first && r != ends.second && steps > HalfRouter &&
                  distance_to_segment(at[r], a, b) < HalfRouter + 4;
    }
    for (std::size_t i = 0; i < together.size(); ++i) {
      line& l = *together[i];
      const double side = l.from == ends.first ? 1 : -1;  // the bulge is to the left of a line
      l.beside = made.grid && round_the_end(t, l);
      l.bulge = side * 26 * (static_cast<double>(i) - static_cast<double>(together.size() - 1) / 2);
      if (covered && !l.beside) l.bulge += side * std::clamp(0.12 * length(b - a), 26.0, 60.0);
    }
  }
}

/// From \p from, at the edge of the square, in direction \p to.
point edge_of_square(point from, point to) {
  const point d = unit(to - from);
  return from + HalfRouter / std::max(std::abs(d.x), std::abs(d.y)) * d;
}

struct curve {
  std::string path;
  point middle;
  point leaves_from, leaves_to;  ///< points towards which the curve leaves its ends
};

curve curve_of(const line& l, const places& at) {
  const point a = at[l.from], b = at[l.to];
  const point along = unit(b - a);
  if (l.beside) {
    // Out of the far side of each end, and back beside the row: above it, or to its left.
    point side = turned(along);
    if (side.y > 0.01 || (std::abs(side.y) <= 0.01 && side.x > 0)) side = -1 * side;
    const point out = 20 * along, shift = (HalfRouter + 9) * side;
    const point p = a - HalfRouter * along, q = b + HalfRouter * along;
    return {fmt::format("M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f} L{:.1f},{:.1f} "
                        "C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}",
                        p.x, p.y, (p - out).x, (p - out).y, (p - out + shift).x, (p - out + shift).y, (p + shift).x,
                        (p + shift).y, (q + shift).x, (q + shift).y, (q + out + shift).x, (q + out + shift).y,
                        (q + out).x, (q + out).y, q.x, q.y),
            0.5 * (p + q) + shift, a - out, b + out};
  }
  const point middle = 0.5 * (a + b) + l.bulge * turned(along);
  const point control = 0.5 * (a + b) + 2 * l.bulge * turned(along);
  const point p = edge_of_square(a, control), q = edge_of_square(b, control);
  if (l.bulge == 0) return {fmt::format("M{:.1f},{:.1f} L{:.1f},{:.1f}", p.x, p.y, q.x, q.y), middle, b, a};
  return {fmt::format("M{:.1f},{:.1f} Q{:.1f},{:.1f} {:.1f},{:.1f}", p.x, p.y, control.x, control.y, q.x, q.y), middle,
          control, control};
}

// ---- Nodes ----

/// Directions of \p count nodes of a router from which lines leave at \p angles: in the widest gaps between these; where
/// several are as wide, first to the lower right.
std::vector<double> directions(std::vector<double> angles, std::size_t count, double& distance) {
  struct gap {
    double from, width;
    std::size_t nodes;
  };
  const double preferred = Pi / 4;
  std::vector<gap> gaps;
  if (angles.empty()) {
    gaps.push_back({preferred - Pi, 2 * Pi, 0});
  } else {
    for (double& a : angles) a = std::remainder(a, 2 * Pi);
    std::sort(angles.begin(), angles.end());
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const double next = i + 1 < angles.size() ? angles[i + 1] : angles[0] + 2 * Pi;
      if (next - angles[i] > 0.02) gaps.push_back({angles[i], next - angles[i], 0});
    }
  }
  const auto off = [&](const gap& g) { return std::abs(std::remainder(g.from + g.width / 2 - preferred, 2 * Pi)); };
  for (std::size_t i = 0; i < count; ++i) {
    // Where the next one has most room.
    const auto best = std::max_element(gaps.begin(), gaps.end(), [&](const gap& a, const gap& b) {
      const double room_a = a.width / static_cast<double>(a.nodes + 1),
                   room_b = b.width / static_cast<double>(b.nodes + 1);
      return std::abs(room_a - room_b) > 0.02 ? room_a < room_b : off(a) > off(b) + 0.02;
    });
    ++best->nodes;
  }
  std::vector<double> found;
  for (const gap& g : gaps) {
    const double space = std::min(g.width / static_cast<double>(g.nodes + 1), 2 * Pi / 9);
    for (std::size_t i = 0; i < g.nodes; ++i)
      found.push_back(g.from + g.width / 2 + space * (static_cast<double>(i) - static_cast<double>(g.nodes - 1) / 2));
    if (g.nodes > 1) distance = std::max(distance, NodeRoom / (2 * std::sin(std::min(space, Pi / 2) / 2)));
  }
  // Clockwise from the upper left.
  const auto from_upper_left = [](double angle) { return std::fmod(angle + 0.75 * Pi + 4 * Pi + 1e-6, 2 * Pi); };
  std::sort(found.begin(), found.end(), [&](double x, double y) { return from_upper_left(x) < from_upper_left(y); });
  return found;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

constexpr const char* Style = R"(  <style>
    text { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 10px; fill: #1d2b3a; text-anchor: middle }
    .title { font-size: 14px; font-weight: bold; text-anchor: start }
    .small { font-size: 10.5px; fill: #5a6775; text-anchor: start }
    .router { fill: #eaf1f8; stroke: #31475e; stroke-width: 1.3 }
    .node { fill: #fdf3d8; stroke: #8a6d1f; stroke-width: 1.2 }
    .number { font-size: 8.5px }
    .link { stroke: #31475e; stroke-width: 1.3; fill: none }
    .local { stroke: #9aa8b6; stroke-width: 1; fill: none }
    .cycles { font-size: 9px; stroke: #ffffff; stroke-width: 3; paint-order: stroke }
  </style>
  <defs>
    <marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0.5 L8,4 L0,7.5 z" fill="#31475e"/></marker>
  </defs>
)";

}  // namespace

std::string to_svg(const topology& t, const std::string& given_title) {
  std::vector<std::vector<node_id>> nodes_of(t.routers.size());
  for (node_id n = 0; n < t.nodes.size(); ++n) nodes_of[t.nodes[n].ports.front().router].push_back(n);
  std::vector<std::size_t> counts;
  for (const auto& list : nodes_of) counts.push_back(list.size());

  layout made = lay_out(t, counts);
  const places& at = made.routers;
  std::vector<line> lines = lines_of(t);
  bend(t, lines, made);
  std::vector<std::vector<double>> leaving(t.routers.size());
  std::vector<curve> curves;
  for (const line& l : lines) {
    curves.push_back(curve_of(l, at));
    const point a = curves.back().leaves_from - at[l.from], b = curves.back().leaves_to - at[l.to];
    leaving[l.from].push_back(std::atan2(a.y, a.x));
    leaving[l.to].push_back(std::atan2(b.y, b.x));
  }

  places node_at(t.nodes.size());
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const std::vector<node_id>& nodes = nodes_of[r];
    if (made.tree) {
      for (std::size_t i = 0; i < nodes.size(); ++i)
        node_at[nodes[i]] =
            at[r] +
            point{NodeRoom * (static_cast<double>(i) - static_cast<double>(nodes.size() - 1) / 2), 1.4 * NodeDistance};
      continue;
    }
    if (made.grid && nodes.size() == 1) {
      node_at[nodes.front()] = at[r] + polar(NodeDistance, Pi / 4);
      continue;
    }
    double distance = NodeDistance;
    const std::vector<double> angles = directions(leaving[r], nodes.size(), distance);
    for (std::size_t i = 0; i < nodes.size(); ++i) node_at[nodes[i]] = at[r] + polar(distance, angles[i]);
  }

  // Everything into one frame, with room for the title and for lines around the edges.
  point low{1e9, 1e9}, high{-1e9, -1e9};
  const auto include = [&](point p, double around) {
    low = {std::min(low.x, p.x - around), std::min(low.y, p.y - around)};
    high = {std::max(high.x, p.x + around), std::max(high.y, p.y + around)};
  };
  for (const point p : at) include(p, HalfRouter);
  for (const point p : node_at) include(p, NodeRadius);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    include(curves[i].middle, 4);
    if (lines[i].beside) {
      include(curves[i].leaves_from, HalfRouter);
      include(curves[i].leaves_to, HalfRouter);
    }
  }

  const bool alike =
      std::all_of(lines.begin(), lines.end(), [&](const line& l) { return l.cycles == lines[0].cycles; });
  std::string kind = t.kind;
  std::replace(kind.begin(), kind.end(), '_', ' ');
  const std::string title = !given_title.empty() ? given_title
                            : t.shape.empty()    ? kind
                                                 : fmt::format("{} {}", fmt::join(t.shape, "x"), kind);
  std::string subtitle =
      fmt::format("{} routers, {} nodes, {} links", t.routers.size(), t.nodes.size(), t.channels.size());
  if (alike && !lines.empty() && lines[0].cycles != 1) subtitle += fmt::format(" of {} cycles", lines[0].cycles);
  constexpr double Margin = 16, Heading = 44;
  const double width =
      std::max(high.x - low.x, 7.0 * static_cast<double>(std::max(subtitle.size(), title.size()))) + 2 * Margin;
  const double height = high.y - low.y + 2 * Margin + Heading;
  const point shift{(width - (high.x - low.x)) / 2 - low.x, Margin + Heading - low.y};

  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n  <title>{2}</title>\n{3}  <rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n"
      "  <text class=\"title\" x=\"{4}\" y=\"28\">{2}</text>\n  <text class=\"small\" x=\"{4}\" y=\"45\">{5}</text>\n",
      std::ceil(width), std::ceil(height), escaped(title), Style, Margin, subtitle);
  text += fmt::format("  <g transform=\"translate({:.1f},{:.1f})\">\n", shift.x, shift.y);
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    for (const port_ref port : t.nodes[n].ports)
      text += fmt::format("  <path class=\"local\" d=\"M{:.1f},{:.1f} L{:.1f},{:.1f}\"/>\n", node_at[n].x, node_at[n].y,
                          at[port.router].x, at[port.router].y);
  }
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += fmt::format("  <path class=\"link\" d=\"{}\"{}/>\n", curves[i].path,
                        lines[i].one_way ? " marker-end=\"url(#tip)\"" : "");
  for (std::size_t i = 0; i < lines.size() && !alike; ++i) {
    if (lines[i].cycles != 1)
      text += fmt::format("  <text class=\"cycles\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", curves[i].middle.x,
                          curves[i].middle.y + 3, lines[i].cycles);
  }
  for (router_id r = 0; r < t.routers.size(); ++r)
    text += fmt::format(
        "  <rect class=\"router\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" "
        "rx=\"4\"><title>{}</title></rect>\n"
        "  <text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        at[r].x - HalfRouter, at[r].y - HalfRouter, 2 * HalfRouter, 2 * HalfRouter, router_name(t, r), at[r].x,
        at[r].y + 3.5, r);
  for (node_id n = 0; n < t.nodes.size(); ++n)
    text += fmt::format(
        "  <circle class=\"node\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>node {}</title></circle>\n"
        "  <text class=\"number\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        node_at[n].x, node_at[n].y, NodeRadius, n, node_at[n].x, node_at[n].y + 3, n);
  return text + "  </g>\n</svg>\n";
}

}  // namespace weft
