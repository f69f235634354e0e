// SPDX-License-Identifier: Apache-2.0
/// GraphML and Graphviz DOT.

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include <boost/graph/graphviz.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/files/network_builder.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/routing/too_large_to_route.h"

namespace weft {
namespace {

using attributes = std::map<std::string, std::string>;

struct vertex {
  std::string id;
  attributes data;
  std::vector<std::string> ports;
};

struct edge {
  std::string from, to, from_port, to_port;
  bool two_way;
  attributes data;
};

struct graph {
  attributes data;
  std::vector<vertex> vertices;
  std::vector<edge> edges;
};

template <class... Arguments>
[[noreturn]] void reject(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(text, std::forward<Arguments>(arguments)...));
}

std::string value(const attributes& data, const std::string& key) {
  const auto found = data.find(key);
  return found == data.end() ? std::string() : found->second;
}

std::uint64_t number(const attributes& data, const std::string& key, const std::string& whose, std::uint64_t min,
                     std::uint64_t max, std::uint64_t otherwise) {
  const std::string text = value(data, key);
  if (text.empty()) return otherwise;
  const std::optional<std::uint64_t> found = parse_number<std::uint64_t>(text);
  if (!found || *found < min || *found > max)
    reject("{}: {}: expected a whole number from {} to {}, got '{}'", whose, key, min, max, text);
  return *found;
}

unsigned cycles_of(const edge& e, const std::string& whose) {
  const char* const key = e.data.count("cycles") > 0 ? "cycles" : "latency";
  return static_cast<unsigned>(number(e.data, key, whose, 1, MaxFileCycles, 1));
}

std::vector<std::uint32_t> numbers(const std::string& text, const std::string& whose) {
  std::vector<std::uint32_t> found;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::optional<std::uint64_t> one = parse_number<std::uint64_t>(word);
    if (!one || *one > 0xffffffff) reject("{}: expected whole numbers, got '{}'", whose, text);
    found.push_back(static_cast<std::uint32_t>(*one));
  }
  return found;
}

/// What the vertices and edges of a graph are in a network.
class importer {
 public:
  explicit importer(const graph& g) : m_graph(g) {
    m_has_nodes = std::any_of(g.vertices.begin(), g.vertices.end(), is_node);
  }

  topology build(const read_options& options) {
    if (m_graph.vertices.empty()) reject("the graph has no vertices; give at least one");
    for (const vertex& v : m_graph.vertices) add_vertex(v);
    for (const edge& e : m_graph.edges) {
      for (const auto& [id, port] : {std::pair(e.from, e.from_port), {e.to, e.to_port}}) {
        const auto router = m_routers.find(id);
        if (router != m_routers.end()) m_builder.reserve(end_at(router->second, port, id));
      }
    }
    std::map<std::string, std::pair<std::vector<network_builder::end>, unsigned>> nodes;
    for (const edge& e : m_graph.edges) add_edge(e, nodes);
    for (const vertex& v : m_graph.vertices) {
      if (!is_node(v)) continue;
      const auto& [ends, cycles] = nodes[v.id];
      if (ends.empty()) reject("node '{}' has no edge; join it to a router", v.id);
      m_builder.add_node(ends, cycles, fmt::format("node '{}'", v.id));
    }
    for (const vertex& v : m_graph.vertices) {
      if (is_node(v)) continue;
      const std::string whose = fmt::format("vertex '{}'", v.id);
      for (std::uint64_t n = number(v.data, "nodes", whose, 0, MaxPorts, m_has_nodes ? 0 : 1); n > 0; --n)
        m_builder.add_node({{m_routers.at(v.id), {}}}, 1, whose);
    }
    topology t = m_builder.take();
    const std::string kind = value(m_graph.data, "kind");
    t.kind = kind.empty() ? "custom" : kind;
    t.shape = numbers(value(m_graph.data, "shape"), "shape");
    try {
      options.routing->route(t, options.vcs);
    } catch (const too_large_to_route& e) {
      throw unrouted_network({{"", e.what()}}, std::move(t));
    }
    check_structure(t, options.vcs);
    return t;
  }

 private:
  static bool is_node(const vertex& v) { return value(v.data, "type") == "node"; }

  void add_vertex(const vertex& v) {
    if (m_routers.count(v.id) > 0 || !m_ids.insert(v.id).second)
      reject("there are two vertices '{}'; give each its own id", v.id);
    const std::string type = value(v.data, "type");
    if (type == "node") return;
    const std::string whose = fmt::format("vertex '{}'", v.id);
    if (!type.empty() && type != "router") reject("{}: type: expected router or node, got '{}'", whose, type);
    const std::string name = v.data.count("name") > 0 || !type.empty() ? value(v.data, "name") : v.id;
    m_routers[v.id] = m_builder.add_router(name, v.ports, numbers(value(v.data, "coordinates"), whose));
  }

  network_builder::end end_at(router_id router, const std::string& port, const std::string& id) {
    if (port.empty()) return {router, std::nullopt};
    const auto found = m_builder.port_named(router, port);
    if (!found) reject("vertex '{}' has no port '{}', which an edge names", id, port);
    return {router, found};
  }

  void add_edge(const edge& e, std::map<std::string, std::pair<std::vector<network_builder::end>, unsigned>>& nodes) {
    const std::string whose = fmt::format("edge '{}' to '{}'", e.from, e.to);
    for (const std::string& id : {e.from, e.to})
      if (m_ids.count(id) == 0) reject("{}: there is no vertex '{}'", whose, id);
    const unsigned cycles = cycles_of(e, whose);
    const auto from = m_routers.find(e.from), to = m_routers.find(e.to);
    if (from == m_routers.end() && to == m_routers.end()) reject("{}: it joins two nodes; put a router between", whose);
    if (from == m_routers.end()) {
      nodes[e.from].first.push_back(end_at(to->second, e.to_port, e.to));
      nodes[e.from].second = cycles;
    } else if (to == m_routers.end()) {
      nodes[e.to].first.push_back(end_at(from->second, e.from_port, e.from));
      nodes[e.to].second = cycles;
    } else if (from == to) {
      reject("{}: it joins a router to itself; name two vertices", whose);
    } else {
      m_builder.add_link(end_at(from->second, e.from_port, e.from), end_at(to->second, e.to_port, e.to), e.two_way,
                         cycles, whose);
    }
  }

  const graph& m_graph;
  bool m_has_nodes;
  network_builder m_builder;
  std::set<std::string> m_ids;
  std::map<std::string, router_id> m_routers;
};

// ---- GraphML ----

using boost::property_tree::ptree;

std::string attribute(const ptree& element, const std::string& name) {
  const auto all = element.find("<xmlattr>");
  if (all == element.not_found()) return {};
  const auto found = all->second.find(name);
  return found == all->second.not_found() ? std::string() : found->second.data();
}

graph parse_graphml(const std::string& text) {
  ptree root;
  std::istringstream in(text);
  boost::property_tree::read_xml(in, root, boost::property_tree::xml_parser::trim_whitespace);
  const auto document = root.find("graphml");
  if (document == root.not_found()) reject("expected an element 'graphml' around all");
  std::map<std::string, std::string> names;  // of keys
  const ptree* found = nullptr;
  for (const auto& [tag, element] : document->second) {
    if (tag == "key") {
      const std::string name = attribute(element, "attr.name");
      names[attribute(element, "id")] = name.empty() ? attribute(element, "id") : name;
    } else if (tag == "graph") {
      if (found != nullptr) reject("there are two graphs; expected one");
      found = &element;
    }
  }
  if (found == nullptr) reject("expected an element 'graph' in 'graphml'");
  const auto read_data = [&](const ptree& element, attributes& to) {
    for (const auto& [tag, child] : element)
      if (tag == "data") to[names[attribute(child, "key")]] = child.data();
  };
  graph g;
  const bool directed = attribute(*found, "edgedefault") == "directed";
  read_data(*found, g.data);
  for (const auto& [tag, element] : *found) {
    if (tag == "node") {
      vertex v{attribute(element, "id"), {}, {}};
      if (v.id.empty()) reject("a node has no id; give each its own");
      read_data(element, v.data);
      for (const auto& [inner, child] : element) {
        if (inner == "port") v.ports.push_back(attribute(child, "name"));
        if (inner == "graph") reject("node '{}' has a graph inside; expected a flat graph", v.id);
      }
      g.vertices.push_back(std::move(v));
    } else if (tag == "edge") {
      const std::string own = attribute(element, "directed");
      edge e{attribute(element, "source"),
             attribute(element, "target"),
             attribute(element, "sourceport"),
             attribute(element, "targetport"),
             own.empty() ? !directed : own == "false",
             {}};
      read_data(element, e.data);
      g.edges.push_back(std::move(e));
    } else if (tag == "hyperedge") {
      reject("there is a hyperedge; expected edges between two vertices");
    }
  }
  return g;
}

// ---- Graphviz ----

/// Order in which numbers in names count as numbers.
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
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return std::make_tuple(a.size() - i, a) < std::make_tuple(b.size() - j, b);
}

namespace dot = boost::detail::graph;

/// What Boost's reader finds.
class collector final : public dot::mutate_graph {
 public:
  explicit collector(bool directed) : m_directed(directed) {}
  graph take() { return std::move(m_found); }

  bool is_directed() const override { return m_directed; }
  void do_add_vertex(const dot::node_t& id) override {
    m_vertices[id] = m_found.vertices.size();
    m_found.vertices.push_back({id, {}, {}});
  }
  void do_add_edge(const dot::edge_t& e, const dot::node_t& from, const dot::node_t& to) override {
    m_edges.emplace(e, m_found.edges.size());
    m_found.edges.push_back({from, to, {}, {}, !m_directed, {}});
  }
  void set_node_property(const dot::id_t& key, const dot::node_t& id, const dot::id_t& value) override {
    m_found.vertices[m_vertices.at(id)].data[key] = value;
  }
  void set_edge_property(const dot::id_t& key, const dot::edge_t& e, const dot::id_t& value) override {
    m_found.edges[m_edges.at(e)].data[key] = value;
  }
  void set_graph_property(const dot::id_t& key, const dot::id_t& value) override { m_found.data[key] = value; }
  void finish_building_graph() override {}

 private:
  const bool m_directed;
  graph m_found;
  std::map<dot::node_t, std::size_t> m_vertices;
  std::map<dot::edge_t, std::size_t> m_edges;
};

graph parse_graphviz(const std::string& text) {
  graph g;
  try {
    collector found(true);
    dot::read_graphviz_new(text, &found);
    g = found.take();
  } catch (const boost::undirected_graph_error&) {
    collector found(false);
    dot::read_graphviz_new(text, &found);
    g = found.take();
  }
  std::sort(g.vertices.begin(), g.vertices.end(),
            [](const vertex& a, const vertex& b) { return comes_before(a.id, b.id); });
  for (edge& e : g.edges) {
    e.from_port = value(e.data, "tailport");
    e.to_port = value(e.data, "headport");
    const std::string direction = value(e.data, "dir");
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
      reject("the file is empty; expected a graph");
    const graph g = parse(text);
    return importer(g).build(options);
  } catch (const boost::property_tree::xml_parser_error& e) {
    throw input_error({{fmt::format("{}:{}", file, e.line()), "XML syntax: " + e.message()}});
  } catch (const boost::graph_exception& e) {
    throw input_error({{file, fmt::format("Graphviz syntax: {}", e.what())}});
  } catch (const unrouted_network& e) {
    throw unrouted_network({{file, e.found().front().message}}, e.graph());
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
