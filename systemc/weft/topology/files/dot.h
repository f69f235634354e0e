// SPDX-License-Identifier: Apache-2.0
/// Graphviz's language DOT as a graph: vertices, edges, and those attributes that describe a network.
///
/// Subgraphs give defaults to what is first named in them, and as ends of an edge stand for all their vertices. Ports
/// of records (`a:east`) are kept, compass points are for drawings. Attributes of other names are counted.
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
  std::size_t line;  ///< where the text first names it
};

/// From one vertex to another, by their numbers.
struct dot_edge {
  std::size_t from, to;
  dot_attributes attributes;
  std::size_t line;
};

struct dot_graph {
  bool is_directed = false;
  std::size_t line = 1;  ///< where it begins
  dot_attributes attributes;
  std::vector<dot_vertex> vertices;  ///< in the order in which the text first names them
  std::vector<dot_edge> edges;
  std::map<std::string, std::size_t> lines;  ///< of the names of attributes, where each stands first
  /// Attributes that were left out, with how often they are written.
  std::map<graph_part, std::map<std::string, std::size_t>> passed_over;
  std::vector<attributed_default> defaults;  ///< of statements `node` and `edge`
};

/// A text is not DOT, or describes no network.
class dot_error : public graph_error {
 public:
  using graph_error::graph_error;
};

/// The only graph of \p text.
/// \throws dot_error where it is not DOT, its subgraphs are nested deeper than MostNested, or it has more edges than
/// ports can take
dot_graph parse_dot(const std::string& text);

}  // namespace weft
