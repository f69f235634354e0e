// SPDX-License-Identifier: Apache-2.0
/// Reads networks from GraphML and Graphviz DOT.

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/core/warning.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/files/attributed_graph.h"
#include "weft/topology/files/dot.h"
#include "weft/topology/files/graphml.h"
#include "weft/topology/files/network_builder.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/routing/too_large_to_route.h"

namespace weft {
namespace {

using attributes = graph_attributes;

/// A vertex or an edge in a message: its name and line.
struct subject {
  std::string name;
  std::size_t line;
};

/// "FILE:LINE", or "FILE" if the line is unknown (0).
std::string place_in(const std::string& file, std::size_t line) {
  return line == 0 ? file : fmt::format("{}:{}", file, line);
}

/// Calls \p make and turns its errors into a graph_error in \p line.
template <class Make>
auto at_line(std::size_t line, Make make) {
  try {
    return make();
  } catch (const std::invalid_argument& e) {
    throw graph_error(line, e.what());
  }
}

std::uint64_t number(const attributes& data, const std::string& key, const subject& whose, std::uint64_t min,
                     std::uint64_t max, std::uint64_t otherwise) {
  const std::string text = value_of(data, key);
  if (text.empty()) return otherwise;
  const std::optional<std::uint64_t> found = parse_number<std::uint64_t>(text);
  if (!found || *found < min || *found > max)
    reject_line(line_of(data, key, whose.line),
                "{}: expected {} to be a whole number from {} to {}, got {}; leave it out for {}", whose.name, key, min,
                max, in_quotes(text), otherwise);
  return *found;
}

constexpr std::uint64_t UsualCycles = 1;

std::uint64_t cycles_in(const attributes& data, const std::string& key, const subject& whose) {
  return number(data, key, whose, 1, MaxFileCycles, UsualCycles);
}

unsigned phits_in(const attributes& data, const subject& whose) {
  return static_cast<unsigned>(number(data, "phits", whose, 1, MaxPhits, 1));
}

unsigned cycles_of(const attributed_edge& e, const subject& whose) {
  const std::string cycles = value_of(e.data, "cycles"), latency = value_of(e.data, "latency");
  if (!cycles.empty() && !latency.empty() && cycles != latency)
    reject_line(line_of(e.data, "latency", whose.line), "{}: cycles is {} and latency is {}; give only one of them",
                whose.name, abridged(cycles), abridged(latency));
  const char* const key = cycles.empty() ? "latency" : "cycles";
  return static_cast<unsigned>(cycles_in(e.data, key, whose));
}

/// Whole numbers separated by blanks; nothing if \p text is something else.
std::optional<std::vector<std::uint32_t>> numbers(const std::string& text) {
  std::vector<std::uint32_t> found;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::optional<std::uint64_t> one = parse_number<std::uint64_t>(word);
    if (!one || *one > 0xffffffff) return std::nullopt;
    found.push_back(static_cast<std::uint32_t>(*one));
  }
  return found;
}

/// Converts the vertices and edges of a graph to a network.
class importer {
 public:
  importer(const attributed_graph& g, const std::string& file) : m_graph(g), m_file(file) {
    m_has_nodes = std::any_of(g.vertices.begin(), g.vertices.end(), is_node);
    m_has_types = m_has_nodes || std::any_of(g.vertices.begin(), g.vertices.end(), [](const attributed_vertex& v) {
                    return value_of(v.data, "type") == "router";
                  });
  }

  topology build(const read_options& options) {
    if (m_graph.vertices.empty()) reject_line(m_graph.line, "the graph has no vertices; give at least one");
    for (const attributed_vertex& v : m_graph.vertices) add_vertex(v);
    for (const attributed_edge& e : m_graph.edges) {
      for (const auto& [id, port] : {std::pair(e.from, e.from_port), {e.to, e.to_port}}) {
        const auto router = m_routers.find(id);
        if (router != m_routers.end()) m_builder.reserve(end_at(router->second, port, id, e.line));
      }
    }
    std::map<std::string, std::pair<std::vector<network_builder::end>, unsigned>> nodes;
    for (const attributed_edge& e : m_graph.edges) add_edge(e, nodes);
    for (const attributed_vertex& v : m_graph.vertices) {
      if (!is_node(v)) continue;
      const auto& [ends, cycles] = nodes[v.id];
      if (ends.empty()) reject_line(v.line, "node {} has no edge; join it to a router", in_quotes(v.id));
      at_line(v.line,
              [&, &ends = ends, cycles = cycles] { m_builder.add_node(ends, cycles, "node " + in_quotes(v.id)); });
    }
    for (const attributed_vertex& v : m_graph.vertices) {
      if (is_node(v)) continue;
      const subject whose{"vertex " + in_quotes(v.id), v.line};
      const std::uint64_t its_nodes = nodes_in(v.data, whose);
      at_line(line_of(v.data, "nodes", v.line), [&] {
        for (std::uint64_t n = 0; n < its_nodes; ++n) m_builder.add_node({{m_routers.at(v.id), {}}}, 1, whose.name);
      });
    }
    check_defaults();
    topology t = m_builder.take();
    const std::string kind = value_of(m_graph.data, "kind");
    t.kind = kind.empty() ? "custom" : kind;
    t.shape = drawn_at(m_graph.data, "shape", m_graph.line);
    at_line(line_of(m_graph.data, "shape", m_graph.line), [&] { expect_filled(t.shape, t.routers.size()); });
    warn_of_unread(m_graph, m_file);
    m_left_out.warn_all();
    try {
      route_network(t, *options.routing, options.plan());
    } catch (const too_large_to_route& e) {
      throw unrouted_network({{"", e.what()}}, std::move(t));
    }
    check_structure(t, options.vcs);
    return t;
  }

 private:
  static bool is_node(const attributed_vertex& v) { return value_of(v.data, "type") == "node"; }

  std::uint64_t nodes_in(const attributes& data, const subject& whose) const {
    return number(data, "nodes", whose, 0, MaxPorts, m_has_nodes ? 0 : 1);
  }

  static void expect_router_or_node(const attributes& data, const subject& whose) {
    const std::string type = value_of(data, "type");
    if (!type.empty() && type != "router" && type != "node")
      reject_line(line_of(data, "type", whose.line),
                  "{}: expected 'type' to be 'router' or 'node', got {}; leave it out for a router", whose.name,
                  in_quotes(type));
  }

  /// Checks all defaults, including those that no vertex or edge uses.
  void check_defaults() const {
    for (const attributed_default& d : m_graph.defaults) {
      const attributes data{{d.name, d.value}};
      const bool of_edges = d.of == graph_part::Edges;
      const subject whose{of_edges ? "the default of edges" : "the default of vertices", d.value.line};
      if (of_edges && (d.name == "cycles" || d.name == "latency")) cycles_in(data, d.name, whose);
      if (of_edges && d.name == "phits") phits_in(data, whose);
      if (!of_edges && d.name == "nodes") nodes_in(data, whose);
      if (!of_edges && m_has_types) expect_router_or_node(data, whose);
    }
  }

  std::string place(std::size_t line) const { return place_in(m_file, line); }

  /// Leaves out the attribute \p key of \p data for the reason \p what. The warning ends with the value that was left
  /// out first.
  void leave_out(const attributes& data, const std::string& key, const std::string& what, std::size_t line) {
    const auto [text, is_new] = m_reasons.try_emplace(key);
    if (is_new) text->second = fmt::format("{}: {}", what, in_quotes(value_of(data, key)));
    m_left_out.add(text->second, place(line_of(data, key, line)));
  }

  /// Shape and coordinates affect only drawings and metrics; other programs write positions in their own units.
  /// \param line of the element that holds the data
  std::vector<std::uint32_t> drawn_at(const attributes& data, const std::string& key, std::size_t line) {
    if (std::optional<std::vector<std::uint32_t>> found = numbers(value_of(data, key))) return *std::move(found);
    leave_out(data, key,
              fmt::format("the attribute '{}' is not read, because it is not a list of whole numbers separated by "
                          "blanks",
                          key),
              line);
    return {};
  }

  void add_vertex(const attributed_vertex& v) {
    if (m_routers.count(v.id) > 0 || !m_ids.insert(v.id).second)
      reject_line(v.line, "there are two vertices {}; give each vertex its own id", in_quotes(v.id));
    const std::string type = m_has_types ? value_of(v.data, "type") : "";
    if (type == "node") {
      if (!v.ports.empty())
        m_left_out.add("ports of a vertex of type node are not read, because its edges are its ports", place(v.line));
      if (v.data.count("nodes") > 0)
        leave_out(v.data, "nodes",
                  "the attribute 'nodes' of a vertex of type node is not read, because it applies to routers", v.line);
      return;
    }
    if (m_has_types) expect_router_or_node(v.data, {"vertex " + in_quotes(v.id), v.line});
    if (!m_has_types && v.data.count("type") > 0)
      leave_out(v.data, "type",
                "the attribute 'type' of vertices is not read, because no vertex has the type router or node", v.line);
    const std::string name = v.data.count("name") > 0 || !type.empty() ? value_of(v.data, "name") : v.id;
    m_routers[v.id] =
        at_line(v.line, [&] { return m_builder.add_router(name, v.ports, drawn_at(v.data, "coordinates", v.line)); });
  }

  /// \param line of the edge with this end
  network_builder::end end_at(router_id router, const std::string& port, const std::string& id, std::size_t line) {
    if (port.empty()) return {router, std::nullopt};
    const auto found = at_line(line, [&] { return m_builder.port_named(router, port); });
    if (!found)
      reject_line(line, "vertex {} has no port {}, which an edge names; list it at the vertex, or name another",
                  in_quotes(id), in_quotes(port));
    return {router, found};
  }

  void add_edge(const attributed_edge& e,
                std::map<std::string, std::pair<std::vector<network_builder::end>, unsigned>>& nodes) {
    const subject whose{fmt::format("edge {} to {}", in_quotes(e.from), in_quotes(e.to)), e.line};
    for (const std::string& id : {e.from, e.to})
      if (m_ids.count(id) == 0)
        reject_line(e.line, "{}: there is no vertex {}; add it, or name another", whose.name, in_quotes(id));
    const unsigned cycles = cycles_of(e, whose), phits = phits_in(e.data, whose);
    const auto from = m_routers.find(e.from), to = m_routers.find(e.to);
    if (from == m_routers.end() && to == m_routers.end())
      reject_line(e.line, "{}: it joins two nodes; put a router between them", whose.name);
    if (from == m_routers.end() || to == m_routers.end()) {
      const bool begins = from == m_routers.end();
      if (phits != 1)
        reject_line(line_of(e.data, "phits", e.line),
                    "{}: phits is {}, but channels of nodes are as wide as flits; leave it out", whose.name, phits);
      if (!e.two_way)
        reject_line(e.line, "{}: it joins a node and a router in one direction only; make it undirected", whose.name);
      if (!(begins ? e.from_port : e.to_port).empty())
        m_left_out.add("an edge names a port of a node, which is not read, because a node has a port for each edge",
                       place(e.line));
      auto& [ends, its_cycles] = nodes[begins ? e.from : e.to];
      if (!ends.empty() && its_cycles != cycles)
        reject_line(e.line,
                    "{}: it takes {} cycles and another edge of the node {}; give all edges of a node the same latency",
                    whose.name, cycles, its_cycles);
      ends.push_back(begins ? end_at(to->second, e.to_port, e.to, e.line)
                            : end_at(from->second, e.from_port, e.from, e.line));
      its_cycles = cycles;
    } else if (from == to) {
      reject_line(e.line, "{}: it joins a router to itself; name two vertices", whose.name);
    } else {
      const network_builder::end begin = end_at(from->second, e.from_port, e.from, e.line),
                                 end = end_at(to->second, e.to_port, e.to, e.line);
      at_line(e.line, [&] { m_builder.add_link(begin, end, e.two_way, {{}, {}, cycles, phits}, whose.name); });
    }
  }

  const attributed_graph& m_graph;
  const std::string& m_file;
  bool m_has_nodes, m_has_types;
  omissions m_left_out;
  std::map<std::string, std::string> m_reasons;  ///< why attributes are left out, by attribute name
  network_builder m_builder;
  std::set<std::string> m_ids;
  std::map<std::string, router_id> m_routers;
};

// ---- Graphviz ----

/// Natural order: digits in names compare as numbers.
bool comes_before(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  const auto digits = [](const std::string& text, std::size_t& at) {
    std::string run;
    for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at)
      if (!run.empty() || text[at] != '0') run += text[at];
    return run;
  };
  while (i < a.size() && j < b.size()) {
    if (std::isdigit(static_cast<unsigned char>(a[i])) && std::isdigit(static_cast<unsigned char>(b[j]))) {
      const std::string m = digits(a, i), n = digits(b, j);
      if (m != n) return std::make_pair(m.size(), m) < std::make_pair(n.size(), n);
    } else if (a[i] != b[j]) {
      return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
    } else {
      ++i;
      ++j;
    }
  }
  return std::make_tuple(a.size() - i, a) < std::make_tuple(b.size() - j, b);
}

/// Rejects unknown directions, and one direction for an edge of an undirected graph: such an edge is a link in both
/// directions, while Graphviz would draw it as an arrow in one.
void check_direction(const std::string& whose, const std::string& direction, bool is_directed, std::size_t line) {
  if (direction.empty() || direction == "both" || direction == "none") return;
  const bool is_one_way = direction == "forward" || direction == "back";
  if (is_one_way && is_directed) return;
  if (is_one_way)
    reject_line(line,
                "{}: expected dir to be both or none in an undirected graph, got {}; leave it out, or write a digraph",
                whose, in_quotes(direction));
  reject_line(line, "{}: expected dir to be {}both or none, got {}; leave it out for {}", whose,
              is_directed ? "forward, back, " : "", in_quotes(direction), is_directed ? "forward" : "both");
}

attributed_graph parse_graphviz(const std::string& text, const std::string& /*file*/) {
  dot_graph found = parse_dot(text);
  attributed_graph g{graph_format::Graphviz, {}, {}, {}, {}, {}, found.line};
  for (const dot_edge& e : found.edges)
    g.edges.push_back(
        {found.vertices[e.from].name, found.vertices[e.to].name, {}, {}, !found.is_directed, e.attributes, e.line});
  for (dot_vertex& v : found.vertices) g.vertices.push_back({std::move(v.name), std::move(v.attributes), {}, v.line});
  g.data = std::move(found.attributes);
  g.lines = std::move(found.lines);
  g.passed_over = std::move(found.passed_over);
  g.defaults = std::move(found.defaults);
  for (const attributed_default& d : g.defaults)
    if (d.name == "dir") check_direction("the default of edges", d.value.text, found.is_directed, d.value.line);
  std::sort(g.vertices.begin(), g.vertices.end(),
            [](const attributed_vertex& a, const attributed_vertex& b) { return comes_before(a.id, b.id); });
  for (attributed_edge& e : g.edges) {
    e.from_port = value_of(e.data, "tailport");
    e.to_port = value_of(e.data, "headport");
    const std::string direction = value_of(e.data, "dir");
    check_direction(fmt::format("edge {} to {}", in_quotes(e.from), in_quotes(e.to)), direction, found.is_directed,
                    line_of(e.data, "dir", e.line));
    e.two_way = e.two_way || direction == "both" || direction == "none";
    if (direction == "back") {
      std::swap(e.from, e.to);
      std::swap(e.from_port, e.to_port);
    }
  }
  return g;
}

template <class Parse>
topology import(const std::string& text, const std::string& file, const read_options& options, Parse parse) {
  try {
    if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c); }))
      reject_graph("the file is empty; expected a graph");
    const attributed_graph g = parse(text, file);
    return importer(g, file).build(options);
  } catch (const boost::property_tree::xml_parser_error& e) {
    throw input_error({{place_in(file, e.line()), "XML syntax: " + e.message()}});
  } catch (const dot_error& e) {
    throw input_error({{place_in(file, e.line()), fmt::format("Graphviz: {}", e.what())}});
  } catch (const graph_error& e) {
    throw input_error({{place_in(file, e.line()), e.what()}});
  } catch (const unrouted_network& e) {
    throw unrouted_network({{file, e.found().front().message}}, e.graph());
  } catch (const input_error&) {  // already has a place
    throw;
  } catch (const std::invalid_argument& e) {
    throw input_error({{file, e.what()}});
  }
}

}  // namespace

topology read_graphml(const std::string& text, const std::string& file, const read_options& options) {
  return import(text, file, options, parse_graphml);
}

topology read_graphviz(const std::string& text, const std::string& file, const read_options& options) {
  return import(text, file, options, parse_graphviz);
}

}  // namespace weft
