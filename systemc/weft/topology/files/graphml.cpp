// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/graphml.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <unordered_map>
#include <vector>

#include <boost/property_tree/xml_parser.hpp>

#include "weft/core/nesting.h"
#include "weft/core/printable.h"
#include "weft/topology/files/graphml_elements.h"
#include "weft/topology/files/xml_nesting.h"

namespace weft {
namespace {

using boost::property_tree::ptree;

std::string attribute(const ptree& element, const std::string& name) {
  const auto all = element.find("<xmlattr>");
  if (all == element.not_found()) return {};
  const auto found = all->second.find(name);
  return found == all->second.not_found() ? std::string() : found->second.data();
}

/// Name of \p element of kind \p kind in messages.
std::string name_of(const ptree& element, const std::string& kind) {
  if (kind == "edge")
    return fmt::format("edge {} to {}", in_quotes(attribute(element, "source")),
                       in_quotes(attribute(element, "target")));
  const std::string id = attribute(element, "id");
  return id.empty() ? kind : kind + " " + in_quotes(id);
}

/// Line numbers of the elements of a tree.
class element_lines {
 public:
  /// \param in_order lines of all elements of the text that \p root was parsed from
  element_lines(const ptree& root, const std::vector<std::size_t>& in_order) {
    std::size_t next = 0;
    add(root, in_order, next);
  }
  std::size_t of(const ptree& element) const {
    const auto found = m_line.find(&element);
    return found == m_line.end() ? 0 : found->second;
  }

 private:
  void add(const ptree& around, const std::vector<std::size_t>& in_order, std::size_t& next) {
    for (const auto& [tag, element] : around) {
      if (tag.front() == '<') continue;  // attributes and comments
      if (next < in_order.size()) m_line.emplace(&element, in_order[next++]);
      add(element, in_order, next);
    }
  }
  std::unordered_map<const ptree*, std::size_t> m_line;
};

/// The XML Schema boolean in attribute \p name of an edge; \p otherwise if there is no such attribute.
bool boolean_attribute(const ptree& element, const std::string& name, bool otherwise, std::size_t line) {
  const std::string text = attribute(element, name);
  if (text.empty()) return otherwise;
  if (text != "true" && text != "1" && text != "false" && text != "0")
    reject_line(line, "{}: expected {} to be true or false, got {}; leave it out to use edgedefault",
                name_of(element, "edge"), name, in_quotes(text));
  return text == "true" || text == "1";
}

/// The `key` elements of a file: names of the attributes, and their default values.
class graphml_keys {
 public:
  explicit graphml_keys(const element_lines& lines) : m_lines(lines) {}

  void add(const ptree& element) {
    const std::string id = attribute(element, "id"), given_name = attribute(element, "attr.name");
    const std::string name = given_name.empty() ? id : given_name;
    std::string of = attribute(element, "for");
    if (of.empty()) of = "all";
    m_keys[id] = {of, name, m_lines.of(element)};
    static const std::set<std::string> Kinds{"all",  "graphml",   "graph", "node",
                                             "edge", "hyperedge", "port",  "endpoint"};
    if (Kinds.count(of) == 0)
      reject_line(
          m_lines.of(element),
          "key {}: expected the attribute 'for' to be 'all', 'graph', 'node' or 'edge', got {}; leave it out for 'all'",
          in_quotes(id), in_quotes(of));
    const auto given = element.find("default");
    if (given == element.not_found()) return;
    const std::size_t line = m_lines.of(given->second);
    const std::string whose = "the default of the key " + in_quotes(id);
    const default_value added{of, name, {text_of(given->second, whose, name), line}};
    expect_number(whose, name, added.value, "the default");
    m_defaults.push_back(added);
    if (!is_read(name)) return;
    for (const default_value& d : m_defaults)
      if (d.name == name && (d.of == of || d.of == "all" || of == "all") && !(d.value == added.value))
        reject_line(line, "two keys declare defaults of the attribute '{}': {} in line {}, and {} here; give one", name,
                    in_quotes(d.value.text), d.value.line, in_quotes(added.value.text));
  }

  /// The attributes of \p element of kind \p kind, including defaults.
  graph_attributes read(const ptree& element, const std::string& kind) const {
    graph_attributes data;
    const std::string whose = name_of(element, kind);
    for (const auto& [tag, child] : element) {
      if (tag != "data") continue;
      const std::string& name = key_of(child, kind, whose).name;
      const auto [first, is_new] = data.emplace(name, graph_value{text_of(child, whose, name), m_lines.of(child)});
      if (!is_new && is_read(name))
        reject_line(m_lines.of(child), "{}: the attribute '{}' is given twice, first in line {}; give it once", whose,
                    name, first->second.line);
    }
    for (const char* const name : Numbers)
      if (const auto found = data.find(name); found != data.end())
        expect_number(whose, name, found->second, "the data");
    const bool has_cycles = data.count("cycles") + data.count("latency") > 0;
    const auto add_default = [&](const default_value& d) {
      const bool is_other_latency = has_cycles && (d.name == "cycles" || d.name == "latency");
      if ((d.of == "all" || d.of == kind) && !is_other_latency) data.emplace(d.name, d.value);
    };
    for (const default_value& d : m_defaults)
      if (d.name != "nodes") add_default(d);
    for (const default_value& d : m_defaults)
      if (d.name == "nodes" && value_of(data, "type") != "node") add_default(d);
    return data;
  }

  std::vector<attributed_default> defaults() const {
    std::vector<attributed_default> all;
    for (const default_value& d : m_defaults) {
      if (d.of == "node" || d.of == "all") all.push_back({graph_part::Vertices, d.name, d.value});
      if (d.of == "edge" || d.of == "all") all.push_back({graph_part::Edges, d.name, d.value});
    }
    return all;
  }

  /// Lines of the attributes, by name.
  key_lines lines(const key_lines& by_id) const {
    key_lines by_name;
    for (const auto& [id, line] : by_id)
      if (const auto key = m_keys.find(id); key != m_keys.end()) by_name.emplace(key->second.name, line);
    return by_name;
  }

 private:
  struct declared_key {
    std::string of, name;
    std::size_t line = 0;
  };
  struct default_value {
    std::string of, name;
    graph_value value;
  };
  static constexpr std::array Numbers = {"cycles", "latency", "nodes"};
  /// Rejects an empty value of a numeric attribute. \param what the element that the user can leave out: "the data"
  static void expect_number(const std::string& whose, const std::string& name, const graph_value& value,
                            const char* what) {
    if (value.text.empty() && std::find(Numbers.begin(), Numbers.end(), name) != Numbers.end())
      reject_line(value.line, "{}: {} is empty; give a number, or leave {} out", whose, name, what);
  }
  static bool is_read(const std::string& name) { return is_read_attribute(name, graph_format::GraphML); }

  /// The content of \p element, which holds the attribute \p name of \p whose.
  std::string text_of(const ptree& element, const std::string& whose, const std::string& name) const {
    for (const auto& [tag, child] : element)
      if (is_read(name) && tag != "<xmlattr>" && tag != "<xmlcomment>")
        reject_line(m_lines.of(child), "{}: there is an element {} in the attribute '{}'; expected only text", whose,
                    in_quotes(tag), name);
    return element.data();
  }

  /// The key of \p data, an element in \p whose. \param kind tag of the element with the data: "node"
  const declared_key& key_of(const ptree& data, const std::string& kind, const std::string& whose) const {
    const std::string id = attribute(data, "key");
    const auto key = m_keys.find(id);
    if (key == m_keys.end())
      reject_line(m_lines.of(data), "{}: data of the undeclared key {}; declare it by an element 'key'", whose,
                  in_quotes(id));
    if (key->second.of != "all" && key->second.of != kind)
      reject_line(m_lines.of(data),
                  "{}: data of the key {}, which is declared for '{}' in line {}; declare a key for '{}'", whose,
                  in_quotes(id), key->second.of, key->second.line, kind);
    return key->second;
  }

  const element_lines& m_lines;
  std::map<std::string, declared_key> m_keys;  // by id
  std::vector<default_value> m_defaults;
};

}  // namespace

attributed_graph parse_graphml(const std::string& text, const std::string& file) {
  if (const std::size_t line = line_nested_deeper(text, MostNested); line != 0)
    throw boost::property_tree::xml_parser_error(
        fmt::format("elements are nested more than {} deep; nest them less", MostNested), "", line);
  ptree root;
  std::istringstream in(text);
  boost::property_tree::read_xml(in, root, boost::property_tree::xml_parser::trim_whitespace);
  const graphml_lines in_order = check_graphml_elements(text, file);
  const element_lines lines(root, in_order.elements);
  const auto document = root.find("graphml");
  if (document == root.not_found()) reject_graph("expected the root element 'graphml'");
  graphml_keys keys(lines);
  const ptree* found = nullptr;
  for (const auto& [tag, element] : document->second) {
    if (tag == "key") {
      keys.add(element);
    } else if (tag == "graph") {
      if (found != nullptr) reject_line(lines.of(element), "there are two graphs; expected one");
      found = &element;
    }
  }
  if (found == nullptr) reject_line(lines.of(document->second), "expected an element 'graph' in 'graphml'");
  const std::string direction = attribute(*found, "edgedefault");
  if (!direction.empty() && direction != "directed" && direction != "undirected")
    reject_line(lines.of(*found), "graph: expected 'edgedefault' to be 'directed' or 'undirected', got {}",
                in_quotes(direction));
  attributed_graph g{graph_format::GraphML, {}, {}, {}, {}, {}, lines.of(*found)};
  g.data = keys.read(*found, "graph");
  g.lines = keys.lines(in_order.keys);
  g.defaults = keys.defaults();
  for (const auto& [tag, element] : *found) {
    if (tag == "node") {
      attributed_vertex v{attribute(element, "id"), {}, {}, lines.of(element)};
      if (v.id.empty()) reject_line(v.line, "a node has no id; give each node its own id");
      v.data = keys.read(element, "node");
      for (const auto& [inner, child] : element)
        if (inner == "port") v.ports.push_back(attribute(child, "name"));
      g.vertices.push_back(std::move(v));
    } else if (tag == "edge") {
      g.edges.push_back({attribute(element, "source"), attribute(element, "target"), attribute(element, "sourceport"),
                         attribute(element, "targetport"),
                         !boolean_attribute(element, "directed", direction == "directed", lines.of(element)),
                         keys.read(element, "edge"), lines.of(element)});
    }
  }
  return g;
}

}  // namespace weft
