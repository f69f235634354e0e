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

/// The value of an attribute, and the line where it stands; 0 where that is not known.
struct graph_value {
  std::string text;
  std::size_t line = 0;

  friend bool operator==(const graph_value& a, const graph_value& b) { return a.text == b.text; }
};

using graph_attributes = std::map<std::string, graph_value>;

/// What the attributes of a graph are of.
enum class graph_part { Graph, Vertices, Edges };

/// Where a graph comes from: the formats have some of their attributes alone.
enum class graph_format { GraphML, Graphviz };

struct attributed_vertex {
  std::string id;
  graph_attributes data;
  std::vector<std::string> ports;
  std::size_t line = 0;  ///< where it stands first
};

struct attributed_edge {
  std::string from, to, from_port, to_port;
  bool two_way;
  graph_attributes data;
  std::size_t line = 0;
};

/// What an attribute is where a vertex or an edge gives no value.
struct attributed_default {
  graph_part of;
  std::string name;
  graph_value value;
};

struct attributed_graph {
  graph_format format;
  graph_attributes data;
  std::vector<attributed_vertex> vertices;
  std::vector<attributed_edge> edges;
  std::map<std::string, std::size_t> lines;  ///< of the names of attributes, where each stands first
  /// Attributes that the reader did not keep, with how often they are written.
  std::map<graph_part, std::map<std::string, std::size_t>> passed_over;
  std::size_t line = 0;  ///< where the graph begins
  /// All that the file gives, used or not. Vertices and edges have those that they use among their data.
  std::vector<attributed_default> defaults{};
};

/// The attribute \p key, empty if there is none.
inline std::string value_of(const graph_attributes& data, const std::string& key) {
  const auto found = data.find(key);
  return found == data.end() ? std::string() : found->second.text;
}

/// The line of the attribute \p key, \p otherwise if it is not there.
inline std::size_t line_of(const graph_attributes& data, const std::string& key, std::size_t otherwise) {
  const auto found = data.find(key);
  return found == data.end() || found->second.line == 0 ? otherwise : found->second.line;
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

/// Something in a graph is no network. Its line, from 1, is 0 where none is to blame.
class graph_error : public std::invalid_argument {
 public:
  graph_error(std::size_t line, const std::string& what) : std::invalid_argument(what), m_line(line) {}
  std::size_t line() const { return m_line; }

 private:
  std::size_t m_line;
};

/// \throws graph_error with a text as fmt::format() makes it
template <class... Arguments>
[[noreturn]] void reject_line(std::size_t line, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw graph_error(line, fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// \throws std::invalid_argument with a text as fmt::format() makes it
template <class... Arguments>
[[noreturn]] void reject_graph(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(text, std::forward<Arguments>(arguments)...));
}

}  // namespace weft
