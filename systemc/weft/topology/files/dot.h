// SPDX-License-Identifier: Apache-2.0
/// Parser of Graphviz's language DOT. It reads vertices, edges, and the attributes that describe a network.
/// A subgraph provides defaults for the vertices and edges that are first named in it. As an end of an edge, it stands
/// for all its vertices. The parser keeps ports of records (`a:east`) and ignores compass points. It counts the
/// attributes that it does not read.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "weft/topology/files/attributed_graph.h"

namespace weft {

using dot_attributes = graph_attributes;

struct dot_vertex {
  std::string name;
  dot_attributes attributes;
  std::size_t line;  ///< line of its first occurrence
};

/// An edge from one vertex to another, by index.
struct dot_edge {
  std::size_t from, to;
  dot_attributes attributes;
  std::size_t line;
};

struct dot_graph {
  bool is_directed = false;
  std::size_t line = 1;  ///< line where the graph begins
  dot_attributes attributes;
  std::vector<dot_vertex> vertices;  ///< in the order of their first occurrence
  std::vector<dot_edge> edges;
  std::map<std::string, std::size_t> lines;  ///< line of the first occurrence of each attribute name
  /// Attributes that the parser ignored, with the number of occurrences.
  std::map<graph_part, std::map<std::string, std::size_t>> passed_over;
  std::vector<attributed_default> defaults;  ///< from the statements `node` and `edge`
};

/// Thrown for a text that is not DOT or does not describe a network.
class dot_error : public graph_error {
 public:
  using graph_error::graph_error;
};

/// Parses the text of a file with one graph.
/// \throws dot_error if the text is not DOT, its subgraphs are nested deeper than MostNested, or it has more edges than
/// its routers can have ports
dot_graph parse_dot(const std::string& text);

}  // namespace weft
