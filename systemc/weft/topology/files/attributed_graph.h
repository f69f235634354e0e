// SPDX-License-Identifier: Apache-2.0
/// Graphs with the contents of GraphML and DOT files: vertices and edges with named text attributes.
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace weft {

/// The value of an attribute, and the number of its line; 0 if the line is unknown.
struct graph_value {
  std::string text;
  std::size_t line = 0;

  friend bool operator==(const graph_value& a, const graph_value& b) { return a.text == b.text; }
};

using graph_attributes = std::map<std::string, graph_value>;

/// The kinds of parts of a graph that can have attributes.
enum class graph_part { Graph, Vertices, Edges };

/// The file format of a graph; some attributes exist in one format only.
enum class graph_format { GraphML, Graphviz };

struct attributed_vertex {
  std::string id;
  graph_attributes data;
  std::vector<std::string> ports;
  std::size_t line = 0;  ///< of its first occurrence
};

struct attributed_edge {
  std::string from, to, from_port, to_port;
  bool two_way;
  graph_attributes data;
  std::size_t line = 0;
};

/// The default value of an attribute, for vertices or edges that do not set it.
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
  std::map<std::string, std::size_t> lines;  ///< line of the first occurrence of each attribute name
  /// Attributes that the reader ignored, with the number of occurrences.
  std::map<graph_part, std::map<std::string, std::size_t>> passed_over;
  std::size_t line = 0;  ///< first line of the graph
  /// All defaults of the file, used or not. The data of vertices and edges include those that apply to them.
  std::vector<attributed_default> defaults{};
};

/// The value of the attribute \p key; empty if \p data has no such attribute.
inline std::string value_of(const graph_attributes& data, const std::string& key) {
  const auto found = data.find(key);
  return found == data.end() ? std::string() : found->second.text;
}

/// The line of the attribute \p key; \p otherwise if \p data has no such attribute.
inline std::size_t line_of(const graph_attributes& data, const std::string& key, std::size_t otherwise) {
  const auto found = data.find(key);
  return found == data.end() || found->second.line == 0 ? otherwise : found->second.line;
}

/// The names of the attributes that Weft reads. The ports and the direction of an edge are attributes of the graph in
/// Graphviz; in GraphML they are attributes of the XML element.
const std::vector<std::string>& read_attributes(graph_part part, graph_format format);

/// Whether Weft reads the attribute \p name for any part of a graph.
bool is_read_attribute(const std::string& name, graph_format format);

/// Whether \p name is an attribute that Graphviz uses only for drawing. The function excludes weight, len and the width
/// of edges, because they may have another meaning.
bool is_drawing_attribute(const std::string& name, graph_part part);

/// Warns about the attributes of \p g that are neither read nor used only for drawing, once for each kind of part.
void warn_of_unread(const attributed_graph& g, const std::string& file);

/// An error in a graph. Its line is counted from 1; it is 0 if the error has no line.
class graph_error : public std::invalid_argument {
 public:
  graph_error(std::size_t line, const std::string& what) : std::invalid_argument(what), m_line(line) {}
  std::size_t line() const { return m_line; }

 private:
  std::size_t m_line;
};

/// Throws graph_error with a message in the syntax of fmt::format().
template <class... Arguments>
[[noreturn]] void reject_line(std::size_t line, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw graph_error(line, fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// Throws std::invalid_argument with a message in the syntax of fmt::format().
template <class... Arguments>
[[noreturn]] void reject_graph(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(text, std::forward<Arguments>(arguments)...));
}

}  // namespace weft
