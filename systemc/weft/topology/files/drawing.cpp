// SPDX-License-Identifier: Apache-2.0
/// Draws a network as SVG: lines, squares and circles.

#include "weft/topology/files/drawing.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/escape.h"
#include "weft/topology/files/export.h"
#include "weft/topology/names.h"

namespace weft {
namespace {

constexpr double Margin = 16, Heading = 44;

/// Directions of the \p count nodes of a router whose lines leave at \p angles: in the widest gaps between the lines;
/// of gaps with equal width, the one to the lower right comes first.
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
    // The next node goes where there is the most space.
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

constexpr const char* Style =
    R"(  <style>
    text { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 10px; fill: #1d2b3a; text-anchor: middle }
    .title { font-size: 14px; font-weight: bold; text-anchor: start }
    .small { font-size: 10.5px; fill: #5a6775; text-anchor: start }
    .router { fill: #eaf1f8; stroke: #31475e; stroke-width: 1.3 }
    .node { fill: #fdf3d8; stroke: #8a6d1f; stroke-width: 1.2 }
    .number { font-size: 8.5px }
    .link { stroke: #31475e; stroke-width: 1.3; fill: none }
    .narrow { stroke-dasharray: 5 2.5 }
    .local { stroke: #9aa8b6; stroke-width: 1; fill: none }
    .cycles { font-size: 9px; stroke: #ffffff; stroke-width: 3; paint-order: stroke }
  </style>
  <defs>
    <marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" )"
    R"(markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0.5 L8,4 L0,7.5 z" fill="#31475e"/></marker>
  </defs>
)";

/// Places nodes below their router in a tree, otherwise in the gaps between the lines.
void place_nodes(network_drawing& p, const topology& t) {
  const points& at = p.routers.routers;
  std::vector<std::vector<double>> leaving(t.routers.size());
  for (std::size_t i = 0; i < p.lines.size(); ++i) {
    const drawing_line& l = p.lines[i];
    const drawing_point a = p.curves[i].leaves_from - at[l.from], b = p.curves[i].leaves_to - at[l.to];
    leaving[l.from].push_back(std::atan2(a.y, a.x));
    leaving[l.to].push_back(std::atan2(b.y, b.x));
  }
  std::vector<std::vector<node_id>> nodes_of(t.routers.size());
  for (node_id n = 0; n < t.nodes.size(); ++n) nodes_of[t.nodes[n].ports.front().router].push_back(n);
  p.nodes.resize(t.nodes.size());
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const std::vector<node_id>& nodes = nodes_of[r];
    if (p.routers.tree) {
      for (std::size_t i = 0; i < nodes.size(); ++i)
        p.nodes[nodes[i]] =
            at[r] + drawing_point{NodeRoom * (static_cast<double>(i) - static_cast<double>(nodes.size() - 1) / 2),
                                  1.4 * NodeDistance};
      continue;
    }
    if (p.routers.grid && nodes.size() == 1) {
      p.nodes[nodes.front()] = at[r] + polar(NodeDistance, Pi / 4);
      continue;
    }
    double distance = NodeDistance;
    const std::vector<double> angles = directions(leaving[r], nodes.size(), distance);
    for (std::size_t i = 0; i < nodes.size(); ++i) p.nodes[nodes[i]] = at[r] + polar(distance, angles[i]);
  }
}

void frame(network_drawing& p) {
  const auto include = [&](drawing_point at, double around) {
    p.low = {std::min(p.low.x, at.x - around), std::min(p.low.y, at.y - around)};
    p.high = {std::max(p.high.x, at.x + around), std::max(p.high.y, at.y + around)};
  };
  for (const drawing_point at : p.routers.routers) include(at, HalfRouter);
  for (const drawing_point at : p.nodes) include(at, NodeRadius);
  for (std::size_t i = 0; i < p.lines.size(); ++i) {
    include(p.curves[i].middle, 4);
    if (p.lines[i].beside) {
      include(p.curves[i].leaves_from, HalfRouter);
      include(p.curves[i].leaves_to, HalfRouter);
    }
  }
}

/// Whether all links have the same latency. It is then written once, below the title.
bool alike(const network_drawing& p) {
  return std::all_of(p.lines.begin(), p.lines.end(),
                     [&](const drawing_line& l) { return l.cycles == p.lines[0].cycles; });
}

/// The beginning of the SVG, with space for the title and for lines around the edges.
std::string heading(const network_drawing& p, const topology& t, const std::string& given_title) {
  std::string kind = t.kind;
  std::replace(kind.begin(), kind.end(), '_', ' ');
  const std::string title = !given_title.empty() ? given_title
                            : t.shape.empty()    ? kind
                                                 : fmt::format("{} {}", fmt::join(t.shape, "x"), kind);
  std::string subtitle =
      fmt::format("{} routers, {} nodes, {} links", t.routers.size(), t.nodes.size(), t.channels.size());
  if (alike(p) && !p.lines.empty() && p.lines[0].cycles != 1)
    subtitle += fmt::format(" of {} cycles", p.lines[0].cycles);
  if (has_narrow_channels(t)) subtitle += ", narrow ones dashed";
  const double width =
      std::max(p.high.x - p.low.x, 7.0 * static_cast<double>(std::max(subtitle.size(), title.size()))) + 2 * Margin;
  const double height = p.high.y - p.low.y + 2 * Margin + Heading;
  const drawing_point shift{(width - (p.high.x - p.low.x)) / 2 - p.low.x, Margin + Heading - p.low.y};
  return begin_svg(width, height, fmt::format("  <title>{}</title>\n{}", xml_text(title), Style)) +
         fmt::format(
             "  <text class=\"title\" x=\"{0}\" y=\"28\">{1}</text>\n"
             "  <text class=\"small\" x=\"{0}\" y=\"45\">{2}</text>\n"
             "  <g transform=\"translate({3:.1f},{4:.1f})\">\n",
             Margin, xml_text(title), subtitle, shift.x, shift.y);
}

std::string draw_lines(const network_drawing& p, const topology& t) {
  const points& at = p.routers.routers;
  std::string text;
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    for (const port_ref port : t.nodes[n].ports)
      text += fmt::format("  <path class=\"local\" d=\"{}\"/>\n", straight_path(p.nodes[n], at[port.router]));
  }
  for (std::size_t i = 0; i < p.lines.size(); ++i)
    text += fmt::format("  <path class=\"link{}\" d=\"{}\"{}/>\n", p.lines[i].narrow ? " narrow" : "", p.curves[i].path,
                        p.lines[i].one_way ? " marker-end=\"url(#tip)\"" : "");
  const bool one_length = alike(p);
  for (std::size_t i = 0; i < p.lines.size() && !one_length; ++i) {
    if (p.lines[i].cycles != 1)
      text += fmt::format("  <text class=\"cycles\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", p.curves[i].middle.x,
                          p.curves[i].middle.y + 3, p.lines[i].cycles);
  }
  return text;
}

std::string draw_routers_and_nodes(const network_drawing& p, const topology& t) {
  const points& at = p.routers.routers;
  std::string text;
  for (router_id r = 0; r < t.routers.size(); ++r)
    text += fmt::format(
        "  <rect class=\"router\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" "
        "rx=\"4\"><title>{}</title></rect>\n"
        "  <text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        at[r].x - HalfRouter, at[r].y - HalfRouter, 2 * HalfRouter, 2 * HalfRouter, xml_text(router_name(t, r)),
        at[r].x, at[r].y + 3.5, r);
  for (node_id n = 0; n < t.nodes.size(); ++n)
    text += fmt::format(
        "  <circle class=\"node\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>node {}</title></circle>\n"
        "  <text class=\"number\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        p.nodes[n].x, p.nodes[n].y, NodeRadius, n, p.nodes[n].x, p.nodes[n].y + 3, n);
  return text;
}

}  // namespace

network_drawing draw_network(const topology& t) {
  network_drawing p;
  p.routers = lay_out(t);
  p.lines = lines_of(t, p.routers);
  for (const drawing_line& l : p.lines) p.curves.push_back(curve_of(l, p.routers.routers));
  place_nodes(p, t);
  frame(p);
  return p;
}

std::string begin_svg(double width, double height, const std::string& head) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\">\n{2}  <rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
      std::ceil(width), std::ceil(height), head);
}

std::string straight_path(drawing_point a, drawing_point b) {
  return fmt::format("M{:.1f},{:.1f} L{:.1f},{:.1f}", a.x, a.y, b.x, b.y);
}

std::string to_svg(const topology& t, const std::string& title) {
  const network_drawing p = draw_network(t);
  return heading(p, t, title) + draw_lines(p, t) + draw_routers_and_nodes(p, t) + "  </g>\n</svg>\n";
}

}  // namespace weft
