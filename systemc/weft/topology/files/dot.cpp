// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/dot.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "weft/core/nesting.h"
#include "weft/core/printable.h"
#include "weft/core/types.h"
#include "weft/topology/files/dot_tokens.h"

namespace weft {
namespace {

constexpr std::array CompassPoints = {"n", "ne", "e", "se", "s", "sw", "w", "nw", "c", "_"};
constexpr std::size_t LongestValue = 255;                     // limited because every edge has a copy of its defaults
constexpr std::size_t MostVisits = std::size_t{1} << 24;      // members of subgraphs, summed over all edges
constexpr std::size_t MostInEnd = std::size_t{MaxPorts} + 1;  // a vertex is joined to all of an end except itself

template <class List>
bool has(const List& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Attributes shared by many elements.
using shared_attributes = std::shared_ptr<const dot_attributes>;

/// A subgraph, or the graph itself, which is the first scope.
struct scope {
  shared_attributes of_vertices = std::make_shared<dot_attributes>(), of_edges = of_vertices;  ///< defaults
  std::set<std::size_t> vertices{}, scopes{};                                                  ///< members
};

/// A vertex or a subgraph, where an edge begins or ends.
struct edge_end {
  bool is_scope;
  std::size_t number;
  std::string port{};
};

class dot_parser {
 public:
  explicit dot_parser(const std::string& text) : m_tokens(text), m_next(m_tokens.next()) {}

  dot_graph run() {
    if (is_keyword("strict")) {
      m_is_strict = true;
      take();
    }
    if (!is_keyword("graph") && !is_keyword("digraph")) fail("'graph' or 'digraph'");
    m_graph.line = m_next.line;
    m_graph.is_directed = take().text == "digraph";
    if (is_word()) take();
    expect("{");
    m_scopes.emplace_back();
    read_statements();
    expect("}");
    if (m_next.what != dot_token::kind::End) fail("the end of the file after the graph (a file has one graph)");
    return std::move(m_graph);
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw dot_error(m_next.line, fmt::format("expected {}, got {}", expected, m_next.shown()));
  }

  bool is_word() const { return m_next.what == dot_token::kind::Word; }
  bool is_sign(std::string_view sign) const { return m_next.what == dot_token::kind::Sign && m_next.text == sign; }
  bool is_keyword(std::string_view word) const {
    return m_next.what == dot_token::kind::Keyword && m_next.text == word;
  }
  dot_token take() { return std::exchange(m_next, m_tokens.next()); }
  void expect(const char* sign) {
    if (!is_sign(sign)) fail(fmt::format("'{}'", sign));
    take();
  }
  std::string take_word(const char* what) {
    if (m_next.what == dot_token::kind::Keyword)
      throw dot_error(m_next.line,
                      fmt::format("expected {}, got the keyword {}; put it in quotes", what, m_next.shown()));
    if (!is_word()) fail(what);
    return take().text;
  }

  void read_statements() {
    while (!is_sign("}")) {
      read_statement();
      if (is_sign(";")) take();
    }
  }

  void read_statement() {
    if (is_keyword("graph")) {
      take();
      return read_attributes(m_scope == 0 ? m_graph.attributes : m_unused, graph_part::Graph);
    }
    if (is_keyword("node") || is_keyword("edge")) {
      return read_defaults(take().text == "node" ? graph_part::Vertices : graph_part::Edges);
    }
    if (!is_word() && !is_sign("{") && !is_keyword("subgraph")) fail("a vertex, an edge, a subgraph or '}'");
    const bool begins_with_word = is_word();
    const dot_token first = take();
    if (begins_with_word && is_sign("=")) {
      take();
      return put(m_scope == 0 ? m_graph.attributes : m_unused, graph_part::Graph, first, take_word("a value"));
    }
    read_edges(read_end(first), first.line);
  }

  void read_defaults(graph_part of) {
    dot_attributes given;
    read_attributes(given, of);
    shared_attributes& all = of == graph_part::Vertices ? m_scopes[m_scope].of_vertices : m_scopes[m_scope].of_edges;
    dot_attributes changed = *all;
    for (auto& [name, value] : given) {
      changed[name] = value;
      m_graph.defaults.push_back({of, name, std::move(value)});
    }
    all = std::make_shared<const dot_attributes>(std::move(changed));
  }

  /// Reads a vertex or a subgraph, and the edges that continue from it.
  void read_edges(edge_end first, std::size_t line) {
    std::vector<edge_end> ends{std::move(first)};
    while (is_sign("--") || is_sign("->")) {
      if (is_sign("--") == m_graph.is_directed)
        fail(m_graph.is_directed ? "'->' in a digraph" : "'--' in an undirected graph");
      take();
      if (!is_word() && !is_sign("{") && !is_keyword("subgraph")) fail("a vertex or a subgraph");
      const dot_token token = take();
      ends.push_back(read_end(token));
    }
    for (const edge_end& e : ends)
      (e.is_scope ? m_scopes[m_scope].scopes : m_scopes[m_scope].vertices).insert(e.number);
    if (ends.size() == 1) {
      const edge_end& alone = ends.front();
      if (!alone.is_scope && is_sign("["))
        read_attributes(m_graph.vertices[alone.number].attributes, graph_part::Vertices);
      return;
    }
    dot_attributes attributes = *m_scopes[m_scope].of_edges;
    if (is_sign("[")) read_attributes(attributes, graph_part::Edges);
    for (std::size_t i = 1; i < ends.size(); ++i) join(ends[i - 1], ends[i], attributes, line);
  }

  edge_end read_end(const dot_token& first) {
    if (first.what != dot_token::kind::Word) return {true, read_subgraph(first), {}};
    const auto [found, is_new] = m_vertex.emplace(first.text, m_graph.vertices.size());
    if (is_new) m_graph.vertices.push_back({first.text, *m_scopes[m_scope].of_vertices, first.line});
    edge_end end{false, found->second, {}};
    for (unsigned parts = 0; is_sign(":"); ++parts) {
      take();
      const std::string port = take_word("the name of a port");
      if (parts == 2) fail("at most a port and a compass point");
      if (parts == 0 && !has(CompassPoints, port)) end.port = port;
    }
    return end;
  }

  /// Returns the number of the scope. \param first `subgraph`, or the opening bracket of an anonymous subgraph
  std::size_t read_subgraph(const dot_token& first) {
    std::string name;
    bool has_name = false;
    if (first.what == dot_token::kind::Keyword) {
      has_name = is_word();
      if (has_name) name = take().text;
      if (!has_name && !is_sign("{")) fail("the name of the subgraph or '{'");
    }
    const auto known = has_name ? m_scope_named.find(name) : m_scope_named.end();
    std::size_t number = m_scopes.size();
    if (known != m_scope_named.end()) {
      number = known->second;
    } else {
      scope inner;
      inner.of_vertices = m_scopes[m_scope].of_vertices;
      inner.of_edges = m_scopes[m_scope].of_edges;
      m_scopes.push_back(std::move(inner));
      if (has_name) m_scope_named.emplace(name, number);
    }
    if (first.what == dot_token::kind::Keyword) {
      if (!is_sign("{")) return number;
      take();
    }
    if (++m_depth > MostNested)
      throw dot_error(first.line, fmt::format("subgraphs are nested more than {} deep; nest them less", MostNested));
    const std::size_t around = std::exchange(m_scope, number);
    read_statements();
    expect("}");
    m_scope = around;
    --m_depth;
    return number;
  }

  void read_attributes(dot_attributes& to, graph_part of) {
    if (!is_sign("[")) fail("'[' and attributes");
    std::map<std::string, graph_value> given;  // by this statement
    while (is_sign("[")) {
      take();
      while (!is_sign("]")) {
        const std::size_t line = m_next.line;
        const dot_token name{dot_token::kind::Word, take_word("the name of an attribute or ']'"), line};
        std::string value = "true";
        if (is_sign("=")) {
          take();
          value = take_word("the value of the attribute");
        }
        expect_one_value(given, of, name, value);
        put(to, of, name, std::move(value));
        if (is_sign(",") || is_sign(";")) take();
      }
      take();
    }
  }

  /// Rejects a second, different value. Graphviz would use the last one, but it is unclear which one the user means.
  static void expect_one_value(std::map<std::string, graph_value>& given, graph_part of, const dot_token& name,
                               const std::string& value) {
    const auto [first, is_new] = given.emplace(name.text, graph_value{value, name.line});
    if (is_new || first->second.text == value) return;
    if (!has(weft::read_attributes(of, graph_format::Graphviz), name.text)) return;
    throw dot_error(name.line,
                    fmt::format("the attribute {} is given twice, as {} in line {} and as {}; give it once", name.text,
                                in_quotes(first->second.text), first->second.line, in_quotes(value)));
  }

  void put(dot_attributes& to, graph_part of, const dot_token& name, std::string value) {
    if (!is_drawing_attribute(name.text, of)) m_graph.lines.emplace(name.text, name.line);
    if (!has(weft::read_attributes(of, graph_format::Graphviz), name.text)) {
      ++m_graph.passed_over[of][name.text];
      return;
    }
    if (value.size() > LongestValue)
      throw dot_error(name.line, fmt::format("{} has {} bytes, expected {} at most: {}", name.text, value.size(),
                                             LongestValue, in_quotes(value)));
    to[name.text] = {std::move(value), name.line};
  }

  /// The vertices that \p end of an edge in \p line represents, by name.
  std::vector<std::size_t> vertices_of(const edge_end& end, std::size_t line) {
    if (!end.is_scope) return {end.number};
    std::vector<std::size_t> scopes{end.number};
    std::set<std::size_t> seen{end.number}, found;
    for (std::size_t i = 0; i < scopes.size(); ++i) {
      const scope& one = m_scopes[scopes[i]];
      found.insert(one.vertices.begin(), one.vertices.end());
      for (const std::size_t inner : one.scopes)
        if (seen.insert(inner).second) scopes.push_back(inner);
      m_visits += 1 + one.vertices.size() + one.scopes.size();
      if (m_visits > MostVisits)
        throw dot_error(line,
                        "the edges between subgraphs join too many pairs of vertices; join single vertices instead");
      if (found.size() > MostInEnd)
        throw dot_error(line,
                        fmt::format("an edge ends at a subgraph of more than {} vertices, which joins a vertex to more "
                                    "than {} others, but a router has at most {} ports; join fewer vertices",
                                    MostInEnd, MaxPorts, MaxPorts));
    }
    std::vector<std::size_t> list(found.begin(), found.end());
    std::sort(list.begin(), list.end(),
              [this](std::size_t a, std::size_t b) { return m_graph.vertices[a].name < m_graph.vertices[b].name; });
    return list;
  }

  /// In a strict graph, a repeated edge is the same edge.
  void expect_same(const dot_edge& first, const dot_edge& again) const {
    if (first.attributes == again.attributes && (first.from == again.from || first.attributes.empty())) return;
    throw dot_error(
        again.line,
        fmt::format("the edge {} to {} of a strict graph is given twice with different attributes; give it once",
                    in_quotes(m_graph.vertices[again.from].name), in_quotes(m_graph.vertices[again.to].name)));
  }

  static void put_port(dot_attributes& attributes, const char* key, const std::string& port, std::size_t line) {
    if (port.empty()) return;
    const auto [given, is_new] = attributes.emplace(key, graph_value{port, line});
    if (is_new || given->second.text == port) return;
    throw dot_error(
        line,
        fmt::format("an edge has the port {} after its vertex and the attribute {} with the value {}; give one of them",
                    in_quotes(port), key, in_quotes(given->second.text)));
  }

  void join(const edge_end& from, const edge_end& to, dot_attributes attributes, std::size_t line) {
    put_port(attributes, "tailport", from.port, line);
    put_port(attributes, "headport", to.port, line);
    const std::vector<std::size_t> starts = vertices_of(from, line), ends = vertices_of(to, line);
    for (const std::size_t a : starts)
      for (const std::size_t b : ends) {
        const bool turns = !m_graph.is_directed && b < a;  // the same edge in the other direction
        if (m_is_strict && a == b) continue;
        if (m_is_strict) {
          const auto [first, is_new] = m_joined.emplace(std::pair(turns ? b : a, turns ? a : b), m_graph.edges.size());
          if (!is_new) {
            expect_same(m_graph.edges[first->second], {a, b, attributes, line});
            continue;
          }
        }
        m_graph.edges.push_back({a, b, attributes, line});
      }
    if (m_graph.edges.size() > MaxPorts * m_graph.vertices.size())
      throw dot_error(
          line, fmt::format(
                    "{} edges so far for {} vertices are too many, because a router has at most {} ports; remove edges",
                    m_graph.edges.size(), m_graph.vertices.size(), MaxPorts));
  }

  dot_tokens m_tokens;
  dot_token m_next;
  dot_graph m_graph;
  dot_attributes m_unused;  ///< attributes of subgraphs, for drawing only
  bool m_is_strict = false;
  std::vector<scope> m_scopes;
  std::size_t m_scope = 0;  ///< the scope that is being read
  unsigned m_depth = 0;
  std::size_t m_visits = 0;
  std::unordered_map<std::string, std::size_t> m_vertex, m_scope_named;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> m_joined;  ///< strict graph: edges by their ends
};

}  // namespace

dot_graph parse_dot(const std::string& text) { return dot_parser(text).run(); }

}  // namespace weft
