// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/attributed_graph.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <sstream>

#include <fmt/ranges.h>

#include "weft/core/printable.h"
#include "weft/core/warning.h"

namespace weft {
namespace {

/// Attributes documented for Graphviz 2 to 12, except those that Weft reads or that may have another meaning.
constexpr const char* DrawingAttributes =
    "Damping K URL area arrowhead arrowsize arrowtail bb bgcolor center charset class clusterrank color "
    "colorscheme comment compound concentrate constraint decorate defaultdist dim dimen distortion dpi "
    "edgeURL edgehref edgetarget edgetooltip epsilon esep fillcolor fixedsize fontcolor fontname fontnames "
    "fontpath fontsize forcelabels gradientangle group headURL head_lp headclip headhref headlabel headtarget "
    "headtooltip height href id image imagepath imagepos imagescale inputscale label labelURL labelangle "
    "labeldistance labelfloat labelfontcolor labelfontname labelfontsize labelhref labeljust labelloc "
    "labeltarget labeltooltip landscape layer layers layout lhead lheight lp ltail lwidth margin maxiter "
    "minlen mode model newrank nodesep nojustify normalize ordering orientation outputorder overlap pack "
    "packmode pad page pencolor penwidth peripheries pin pos quantum rank rankdir ranksep ratio rects regular "
    "remincross resolution root rotate samehead sametail samplepoints scale sep shape sides size skew "
    "smoothing sortv splines start style stylesheet tailURL tail_lp tailclip tailhref taillabel tailtarget "
    "tailtooltip target tooltip truecolor vertices viewport width xlabel xlp z";

constexpr std::array Parts = {graph_part::Graph, graph_part::Vertices, graph_part::Edges};

const char* noun_of(graph_part part) {
  switch (part) {
    case graph_part::Graph:
      return "the graph";
    case graph_part::Vertices:
      return "vertices";
    case graph_part::Edges:
      break;
  }
  return "edges";
}

/// Number of elements with each attribute.
std::map<std::string, std::size_t> counts_of(const attributed_graph& g, graph_part part) {
  std::map<std::string, std::size_t> counts;
  const auto add = [&counts](const graph_attributes& data) {
    for (const auto& [name, text] : data) ++counts[name];
  };
  if (part == graph_part::Graph) add(g.data);
  if (part == graph_part::Vertices)
    for (const attributed_vertex& v : g.vertices) add(v.data);
  if (part == graph_part::Edges)
    for (const attributed_edge& e : g.edges) add(e.data);
  if (const auto found = g.passed_over.find(part); found != g.passed_over.end())
    for (const auto& [name, count] : found->second) counts[name] += count;
  return counts;
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

void warn_of_unread(const attributed_graph& g, graph_part part, const std::string& file) {
  constexpr std::size_t MostNames = 8;
  std::vector<std::string> unread;
  std::size_t first = 0;
  for (const auto& [name, count] : counts_of(g, part)) {
    if (contains(read_attributes(part, g.format), name) || is_drawing_attribute(name, part)) continue;
    unread.push_back(fmt::format("{} ({})", abridged(name), count));
    const auto line = g.lines.find(name);
    if (line != g.lines.end() && (first == 0 || line->second < first)) first = line->second;
  }
  if (unread.empty()) return;
  std::string more;
  if (unread.size() > MostNames) {
    more = fmt::format(" and {} more", unread.size() - MostNames);
    unread.resize(MostNames);
  }
  const char* const others = part == graph_part::Edges && g.format == graph_format::GraphML
                                 ? "; ports and direction are the XML attributes sourceport, targetport and directed"
                                 : "";
  warn({first == 0 ? file : fmt::format("{}:{}", file, first),
        fmt::format("attributes of {} that Weft does not read, with their counts: {}{}; it reads {}{}", noun_of(part),
                    fmt::join(unread, ", "), more, fmt::join(read_attributes(part, g.format), ", "), others)});
}

}  // namespace

const std::vector<std::string>& read_attributes(graph_part part, graph_format format) {
  static const std::vector<std::string> OfGraph{"kind", "shape"}, OfVertices{"name", "nodes", "coordinates", "type"},
      OfEdges{"cycles", "latency", "phits"},
      OfGraphvizEdges{"cycles", "latency", "phits", "tailport", "headport", "dir"};
  if (part == graph_part::Graph) return OfGraph;
  if (part == graph_part::Vertices) return OfVertices;
  return format == graph_format::GraphML ? OfEdges : OfGraphvizEdges;
}

bool is_read_attribute(const std::string& name, graph_format format) {
  return std::any_of(Parts.begin(), Parts.end(),
                     [&](graph_part part) { return contains(read_attributes(part, format), name); });
}

bool is_drawing_attribute(const std::string& name, graph_part part) {
  static const std::set<std::string> Names = [] {
    std::istringstream words(DrawingAttributes);
    return std::set<std::string>(std::istream_iterator<std::string>(words), {});
  }();
  return Names.count(name) > 0 && !(name == "width" && part == graph_part::Edges);
}

void warn_of_unread(const attributed_graph& g, const std::string& file) {
  for (const graph_part part : Parts) warn_of_unread(g, part, file);
}

}  // namespace weft
