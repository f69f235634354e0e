// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/files/drawing.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/core/escape.h"
#include "weft/topology/files/drawing.h"

namespace weft::schedule {
namespace {

constexpr double Margin = 16, Heading = 62, RowHead = 58, RowHeight = 15;
constexpr double WideCell = 30, NarrowCell = 12;
constexpr std::size_t MostWideSteps = 40;  ///< steps wide enough for numbers in their cells
constexpr std::size_t MostDrawnSteps = 64, MostDrawnNodes = 64;
constexpr double PanelWidth = 230, PanelHead = 20, PanelGap = 14;

constexpr const char* Style =
    R"(  <style>
    text { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 9px; fill: #1d2b3a; text-anchor: middle }
    .title { font-size: 14px; font-weight: bold; text-anchor: start }
    .small { font-size: 10.5px; fill: #5a6775; text-anchor: start }
    .head { font-size: 10px; text-anchor: end }
    .panel { font-size: 11px; font-weight: bold; text-anchor: start }
    .empty { fill: #f3f5f8 }
    .router { fill: #eaf1f8; stroke: #8796a6; stroke-width: 1 }
    .node { stroke: #6b5a20; stroke-width: 1 }
    .link { stroke: #d5dce4; stroke-width: 1.5; fill: none }
    .path { stroke-width: 3; fill: none; stroke-linejoin: round }
  </style>
)";

/// Returns a color for each node. The hues are as different as possible and dark enough for white paper.
std::string colour_of(std::size_t node) {
  constexpr double GoldenAngle = 137.508;
  const double hue = std::fmod(static_cast<double>(node) * GoldenAngle + 210, 360);
  const bool is_bright = hue > 40 && hue < 200;
  return fmt::format("hsl({:.0f},{}%,{}%)", hue, node % 2 == 0 ? 62 : 80, (is_bright ? 32 : 42) + 5 * (node / 2 % 3));
}

/// Draws one schedule.
class chart {
 public:
  chart(const step_network& network, const recorded_schedule& s, const topology* graph)
      : m_network(network), m_s(s), m_graph(graph) {
    const std::size_t steps = s.schedule.start_ups();
    m_cell = steps <= MostWideSteps ? WideCell : NarrowCell;
    m_chart_width = RowHead + m_cell * static_cast<double>(steps);
    m_chart_height = RowHeight * static_cast<double>(network.nodes() + 1);
    m_by_destination = s.requested.what == operation::Scatter && s.requested.senders.size() == 1;
    m_has_panels = graph && steps <= MostDrawnSteps && network.nodes() <= MostDrawnNodes;
  }

  std::string run() {
    double width = std::max(m_chart_width, 4 * PanelWidth + 3 * PanelGap), height = Heading + m_chart_height;
    std::string panels;
    if (m_has_panels) panels = draw_panels(width, height);
    width += 2 * Margin;
    height += Margin;
    return begin_svg(width, height, Style) + draw_heading() + draw_chart() + panels + "</svg>\n";
  }

 private:
  std::string draw_heading() const {
    const std::string title =
        fmt::format("{}: {}, R = {}, TCO = {}", m_s.network, name_of(m_s.requested, m_network.nodes()),
                    m_s.schedule.start_ups(), m_s.schedule.occupancy());
    const std::string what = fmt::format("Steps across, nodes down: what a node receives, in the colour of the {}{}",
                                         m_by_destination ? "destination" : "origin",
                                         m_cell == WideCell ? "; the number is that of the node that sends" : "");
    const char* const panels = m_has_panels ? "Below, the paths of each step."
                               : m_graph    ? "The paths of each step are drawn for at most 64 nodes and 64 steps only."
                                            : "The paths of each step are drawn where the network is given as a file.";
    return fmt::format(
        "  <title>{0}</title>\n  <text class=\"title\" x=\"{1}\" y=\"26\">{0}</text>\n"
        "  <text class=\"small\" x=\"{1}\" y=\"42\">{2}</text>\n  <text class=\"small\" x=\"{1}\" "
        "y=\"56\">{3}</text>\n",
        xml_text(title), Margin, what, panels);
  }

  std::string draw_chart() const {
    const std::size_t steps = m_s.schedule.start_ups();
    std::string text = fmt::format("  <g transform=\"translate({},{})\">\n", Margin, Heading);
    for (std::size_t s = 0; s < steps; ++s) {
      if (m_cell == WideCell || s % 5 == 4 || s == 0)
        text += fmt::format("  <text x=\"{:.1f}\" y=\"10\">{}</text>\n", column(s) + m_cell / 2, s + 1);
    }
    for (node_id n = 0; n < m_network.nodes(); ++n) text += draw_row_head(n);
    for (std::size_t s = 0; s < steps; ++s) text += draw_column(s);
    return text + "  </g>\n";
  }

  std::string draw_row_head(node_id n) const {
    const bool sends = std::binary_search(m_s.requested.senders.begin(), m_s.requested.senders.end(), n);
    std::string text = fmt::format("  <text class=\"head\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", RowHead - 20,
                                   row(n) + 10, xml_text(m_network.name(n)));
    if (sends)
      text += fmt::format("  <rect x=\"{}\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"{}\"/>\n", RowHead - 16,
                          row(n) + 2, schedule::colour_of(n));
    return text + fmt::format("  <rect class=\"empty\" x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/>\n",
                              RowHead, row(n) + 0.5, m_chart_width - RowHead, RowHeight - 1);
  }

  /// Draws the messages that each node receives in a step, side by side.
  std::string draw_column(std::size_t s) const {
    std::map<node_id, std::vector<const transfer*>> received;
    for (const transfer& t : m_s.schedule.steps[s]) received[t.to].push_back(&t);
    std::string text;
    for (const auto& [node, transfers] : received) {
      const double width = (m_cell - 1) / static_cast<double>(transfers.size());
      for (std::size_t i = 0; i < transfers.size(); ++i)
        text += draw_cell(*transfers[i], s, column(s) + 0.5 + width * static_cast<double>(i), row(node) + 0.5, width);
    }
    return text;
  }

  /// Draws a stripe for each message.
  std::string draw_cell(const transfer& t, std::size_t s, double x, double y, double width) const {
    std::string text = fmt::format("  <g><title>{}</title>", xml_text(in_words(t, s)));
    const double height = (RowHeight - 1) / static_cast<double>(std::max<std::size_t>(t.payload.size(), 1));
    for (std::size_t i = 0; i < t.payload.size(); ++i)
      text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.1f}\" height=\"{:.2f}\" fill=\"{}\"/>", x,
                          y + height * static_cast<double>(i), width - 0.5, height, colour_of(t.payload[i]));
    constexpr double DigitWidth = 6;
    const std::string number = std::to_string(t.from);
    if (m_cell == WideCell && width > DigitWidth * static_cast<double>(number.size()))
      text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" style=\"fill:#ffffff\">{}</text>", x + width / 2,
                          y + RowHeight - 4.5, number);
    return text + "</g>\n";
  }

  std::string in_words(const transfer& t, std::size_t s) const {
    std::string origins;
    for (const message& m : t.payload) origins += (origins.empty() ? "" : ", ") + m_network.name(m.origin);
    return fmt::format("step {}: from {}, by {}", s + 1, origins, to_string(m_network, t.path));
  }

  // The network of each step

  std::string draw_panels(double& width, double& height) {
    m_drawing = draw_network(*m_graph);
    const drawing_point size = m_drawing.high - m_drawing.low;
    m_scale = std::min(1.0, PanelWidth / size.x);
    place_vertices();
    const double panel_height = size.y * m_scale + PanelHead + PanelGap, top = height + PanelGap;
    const std::size_t steps = m_s.schedule.start_ups();
    const auto across =
        static_cast<std::size_t>(std::max(1.0, std::floor((width + PanelGap) / (PanelWidth + PanelGap))));
    std::string text = define_network();
    for (std::size_t s = 0; s < steps; ++s) {
      const double x = Margin + static_cast<double>(s % across) * (PanelWidth + PanelGap);
      const std::size_t panel_row = s / across;
      const double y = top + static_cast<double>(panel_row) * panel_height;
      text += fmt::format("  <text class=\"panel\" x=\"{:.1f}\" y=\"{:.1f}\">step {}</text>\n", x, y + 12, s + 1);
      text += fmt::format("  <g transform=\"translate({:.1f},{:.1f}) scale({:.3f}) translate({:.1f},{:.1f})\">\n", x,
                          y + PanelHead, m_scale, -m_drawing.low.x, -m_drawing.low.y);
      text += "  <use href=\"#links\"/>\n";
      for (const transfer& t : m_s.schedule.steps[s]) text += draw_path(t, s);
      text += "  <use href=\"#nodes\"/>\n  </g>\n";
    }
    const std::size_t rows = (steps + across - 1) / across;
    height = top + static_cast<double>(rows) * panel_height;
    return text;
  }

  /// Determines the positions of vertices. A hub has the position of its node.
  void place_vertices() {
    m_at = m_drawing.nodes;
    m_at.insert(m_at.end(), m_drawing.routers.routers.begin(), m_drawing.routers.routers.end());
    m_at.resize(m_network.vertices());
    for (const step_channel& c : m_network.channels()) {
      const std::size_t first_hub = m_network.nodes() + m_network.routers();
      if (c.kind == channel_kind::Injection && c.to >= first_hub) m_at[c.to] = m_at[c.from];
      if (c.kind == channel_kind::Ejection && c.from >= first_hub) m_at[c.from] = m_at[c.to];
    }
    for (std::size_t i = 0; i < m_drawing.lines.size(); ++i) {
      const drawing_line& l = m_drawing.lines[i];
      m_bent[{m_network.router(l.from), m_network.router(l.to)}] = i;
    }
  }

  std::string define_network() const {
    std::string text = "  <defs>\n  <g id=\"links\">\n";
    for (const step_channel& c : m_network.channels())
      if (c.kind == channel_kind::Injection && m_at[c.to].x != m_at[c.from].x)
        text += fmt::format("  <path class=\"link\" d=\"{}\"/>\n", straight_path(m_at[c.from], m_at[c.to]));
    for (const drawing_curve& c : m_drawing.curves) text += fmt::format("  <path class=\"link\" d=\"{}\"/>\n", c.path);
    text += "  </g>\n  <g id=\"nodes\">\n";
    for (const drawing_point at : m_drawing.routers.routers)
      text += fmt::format("  <rect class=\"router\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" rx=\"4\"/>\n",
                          at.x - HalfRouter, at.y - HalfRouter, 2 * HalfRouter, 2 * HalfRouter);
    for (node_id n = 0; n < m_network.nodes(); ++n) {
      const drawing_point at = m_drawing.nodes[n];
      text += fmt::format("  <circle class=\"node\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", at.x, at.y,
                          NodeRadius, schedule::colour_of(n));
      text += fmt::format("  <text x=\"{:.1f}\" y=\"{:.1f}\" style=\"fill:#ffffff;font-size:10px\">{}</text>\n", at.x,
                          at.y + 3.5, n);
    }
    return text + "  </g>\n  </defs>\n";
  }

  /// Draws each channel to the right of the line between its ends, so both directions remain visible.
  std::string draw_path(const transfer& t, std::size_t s) const {
    const std::string colour = t.payload.empty() ? "#000000" : colour_of(t.payload.front());
    std::string text = fmt::format("  <g><title>{}</title>", xml_text(in_words(t, s)));
    for (const channel_id id : t.path) {
      const step_channel& c = m_network.channels()[id];
      const drawing_point a = m_at[c.from], b = m_at[c.to];
      if (length(b - a) == 0) continue;
      constexpr double Aside = 3.2;
      const drawing_point shift = -Aside * turned(unit(b - a));
      const auto there = m_bent.find({c.from, c.to}), back = m_bent.find({c.to, c.from});
      const auto line = there != m_bent.end() ? there : back;
      const bool is_link = line != m_bent.end();
      text +=
          fmt::format("<path class=\"path\" stroke=\"{}\" transform=\"translate({:.1f},{:.1f})\" d=\"{}\"/>", colour,
                      shift.x, shift.y, is_link ? m_drawing.curves[line->second].path : straight_path(a, b));
      if (!is_link) continue;
      const drawing_line& l = m_drawing.lines[line->second];
      const drawing_curve& curve = m_drawing.curves[line->second];
      const bool is_straight = l.bulge == 0 && !l.beside;
      const drawing_point before = is_straight                      ? a
                                   : m_network.router(l.to) == c.to ? curve.leaves_to
                                                                    : curve.leaves_from;
      text += arrow(before + (is_straight ? 0.62 : 0.0) * (b - before) + shift, unit(b - before), colour);
    }
    return text + "</g>\n";
  }

  /// An arrowhead that shows the direction.
  static std::string arrow(drawing_point at, drawing_point towards, const std::string& colour) {
    const drawing_point aside = 5.0 * turned(towards), tip = at + 8.0 * towards;
    return fmt::format("<path fill=\"{}\" d=\"M{:.1f},{:.1f} L{:.1f},{:.1f} L{:.1f},{:.1f} z\"/>", colour, tip.x, tip.y,
                       at.x + aside.x, at.y + aside.y, at.x - aside.x, at.y - aside.y);
  }

  std::string colour_of(const message& m) const {
    return schedule::colour_of(m_by_destination ? m.destination : m.origin);
  }

  double column(std::size_t s) const { return RowHead + m_cell * static_cast<double>(s); }
  static double row(node_id n) { return RowHeight * static_cast<double>(n + 1); }

  const step_network& m_network;
  const recorded_schedule& m_s;
  const topology* m_graph;
  double m_cell, m_chart_width, m_chart_height;
  bool m_has_panels, m_by_destination;
  network_drawing m_drawing;
  double m_scale = 1;
  points m_at;                                                    // by vertex
  std::map<std::pair<vertex_id, vertex_id>, std::size_t> m_bent;  // lines between routers, by their ends
};

}  // namespace

std::string to_svg(const step_network& network, const recorded_schedule& s, const topology* graph) {
  return chart(network, s, graph).run();
}

}  // namespace weft::schedule
