// SPDX-License-Identifier: Apache-2.0
/// A graph as GraphML and DOT have it: vertices and edges with attributes, which are texts with names.
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace weft {

using graph_attributes = std::map<std::string, std::string>;

/// What the attributes of a graph are of.
enum class graph_part { Graph, Vertices, Edges };

/// Where a graph comes from: the formats have some of their attributes alone.
enum class graph_format { GraphML, Graphviz };

struct attributed_vertex {
  std::string id;
  graph_attributes data;
  std::vector<std::string> ports;
};

struct attributed_edge {
  std::string from, to, from_port, to_port;
  bool two_way;
  graph_attributes data;
};

struct attributed_graph {
  graph_format format;
  graph_attributes data;
  std::vector<attributed_vertex> vertices;
  std::vector<attributed_edge> edges;
  std::map<std::string, std::size_t> lines;  ///< of the names of attributes, where each stands first
  /// Attributes that the reader did not keep, with how often they are written.
  std::map<graph_part, std::map<std::string, std::size_t>> passed_over;
};

/// The attribute \p key, empty if there is none.
inline std::string value_of(const graph_attributes& data, const std::string& key) {
  const auto found = data.find(key);
  return found == data.end() ? std::string() : found->second;
}

/// Attributes that Weft reads. Ports and directions of edges are among those of Graphviz alone: in GraphML they are XML
/// attributes.
const std::vector<std::string>& read_attributes(graph_part part, graph_format format);

/// Whether it is one of them, of whatever part.
bool is_read_attribute(const std::string& name, graph_format format);

/// Whether Graphviz reads it to draw and no network depends on it. Not among them: weight, len, and width of edges,
/// which may be meant otherwise.
bool is_drawing_attribute(const std::string& name, graph_part part);

/// Warns of the attributes of \p g that are neither read nor for drawing, once for each part.
void warn_of_unread(const attributed_graph& g, const std::string& file);

/// \throws std::invalid_argument with a text as fmt::format() makes it
template <class... Arguments>
[[noreturn]] void reject_graph(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(text, std::forward<Arguments>(arguments)...));
}

}  // namespace weft
