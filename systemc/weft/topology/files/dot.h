// SPDX-License-Identifier: Apache-2.0
/// Graphviz's language DOT as a graph: vertices, edges, and those attributes that describe a network.
///
/// Subgraphs give defaults to what is first named in them, and as ends of an edge stand for all their vertices. Ports
/// of records (`a:east`) are kept, compass points are for drawings. Attributes of other names are counted.
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/topology/files/attributed_graph.h"

namespace weft {

using dot_attributes = std::map<std::string, std::string>;

struct dot_vertex {
  std::string name;
  dot_attributes attributes;
};

/// From one vertex to another, by their numbers.
struct dot_edge {
  std::size_t from, to;
  dot_attributes attributes;
};

struct dot_graph {
  bool is_directed = false;
  dot_attributes attributes;
  std::vector<dot_vertex> vertices;  ///< in the order in which the text first names them
  std::vector<dot_edge> edges;
  std::map<std::string, std::size_t> lines;  ///< of the names of attributes, where each stands first
  /// Attributes that were left out, with how often they are written.
  std::map<graph_part, std::map<std::string, std::size_t>> passed_over;
};

/// A text is not DOT, or describes no network.
class dot_error : public std::invalid_argument {
 public:
  dot_error(std::size_t line, const std::string& what) : std::invalid_argument(what), m_line(line) {}
  std::size_t line() const { return m_line; }  ///< from 1

 private:
  std::size_t m_line;
};

/// The only graph of \p text.
/// \throws dot_error where it is not DOT, its subgraphs are nested deeper than MostNested, or it has more edges than
/// ports can take
dot_graph parse_dot(const std::string& text);

}  // namespace weft
