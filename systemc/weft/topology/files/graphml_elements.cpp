// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/graphml_elements.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/diagnostic.h"
#include "weft/core/printable.h"
#include "weft/core/suggest.h"

namespace weft {
namespace {

using name_list = std::vector<std::string>;

[[noreturn]] void reject_at(const std::string& file, std::size_t line, const std::string& what) {
  throw input_error({{fmt::format("{}:{}", file, line), what}});
}

struct element_kind {
  name_list children, attributes;
};

/// Elements of GraphML that are read or have no bearing on the network. Attributes `parse.…` are hints for parsers.
const std::map<std::string, element_kind>& element_kinds() {
  static const std::map<std::string, element_kind> Kinds = {
      {"", {{"graphml"}, {}}},
      {"graphml", {{"key", "graph", "data", "desc"}, {}}},
      {"key", {{"default", "desc"}, {"id", "for", "attr.name", "attr.type", "dynamic", "yfiles.type"}}},
      {"graph", {{"node", "edge", "data", "desc"}, {"id", "edgedefault"}}},
      {"node", {{"port", "data", "desc"}, {"id"}}},
      {"port", {{"data", "desc"}, {"name"}}},
      {"edge", {{"data", "desc"}, {"id", "source", "target", "sourceport", "targetport", "directed"}}},
      {"data", {{}, {"key", "id"}}},
      {"default", {}},
      {"desc", {}},
  };
  return Kinds;
}

bool has_free_content(const std::string& element) {
  return element == "data" || element == "default" || element == "desc";
}

bool is_among(const name_list& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

class element_checker {
 public:
  element_checker(const std::string& text, const std::string& file) : m_text(text), m_file(file) {}

  key_lines run() {
    while (to_tag()) {
      if (m_text.compare(m_at, 4, "<!--") == 0)
        skip_past("-->");
      else if (m_text.compare(m_at, 9, "<![CDATA[") == 0)
        skip_past("]]>");
      else if (m_text[m_at + 1] == '?')
        skip_past("?>");
      else if (m_text[m_at + 1] == '!')
        skip_past(">");
      else if (m_text[m_at + 1] == '/')
        end_element();
      else
        begin_element();
    }
    return std::move(m_keys);
  }

 private:
  bool to_tag() {
    const std::size_t at = m_text.find('<', m_at);
    if (at == std::string::npos || at + 1 == m_text.size()) return false;
    go_to(at);
    return true;
  }
  void go_to(std::size_t at) {
    m_line += static_cast<std::size_t>(std::count(m_text.begin() + static_cast<std::ptrdiff_t>(m_at),
                                                  m_text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    m_at = at;
  }
  void skip_past(const std::string& end) {
    const std::size_t at = m_text.find(end, m_at);
    go_to(at == std::string::npos ? m_text.size() : at + end.size());
  }
  void skip_blanks() {
    std::size_t at = m_at;
    while (at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[at])) != 0) ++at;
    go_to(at);
  }
  std::string name() {
    const std::size_t end = std::min(m_text.find_first_of(" \t\r\n/>=", m_at), m_text.size());
    std::string found = m_text.substr(m_at, end - m_at);
    m_at = end;
    return found;
  }

  void end_element() {
    if (!m_open.empty()) m_open.pop_back();
    skip_past(">");
  }

  void begin_element() {
    const std::size_t line = m_line;
    ++m_at;
    const std::string element = name();
    const bool is_free = !m_open.empty() && has_free_content(m_open.back());
    if (!is_free) check_element(element, line);
    std::string id;
    for (skip_blanks(); m_at < m_text.size() && m_text[m_at] != '>' && m_text[m_at] != '/'; skip_blanks()) {
      const std::size_t place = m_line;
      const std::string attribute = name(), content = value();
      if (!is_free) check_attribute(element, attribute, place);
      if (attribute == "id") id = content;
    }
    const bool is_empty = m_at < m_text.size() && m_text[m_at] == '/';
    skip_past(">");
    if (element == "key" && !is_free) m_keys.emplace(id, line);
    if (!is_empty) m_open.push_back(is_free ? m_open.back() : element);  // all within `data` counts as data
  }

  /// What stands in quotes behind an equals sign.
  std::string value() {
    skip_blanks();
    if (m_at < m_text.size() && m_text[m_at] == '=') ++m_at;
    skip_blanks();
    if (m_at == m_text.size()) return {};
    const std::size_t begin = m_at + 1, end = std::min(m_text.find(m_text[m_at], begin), m_text.size());
    std::string found = m_text.substr(std::min(begin, m_text.size()), end - std::min(begin, end));
    go_to(std::min(end + 1, m_text.size()));
    return found;
  }

  void check_element(const std::string& element, std::size_t line) const {
    const std::string& parent = m_open.empty() ? "" : m_open.back();
    const name_list& known = element_kinds().at(parent).children;
    if (is_among(known, element)) return;
    const std::string where = parent.empty() ? "" : fmt::format(" in '{}'", parent), shown = abridged(element);
    if (parent.empty()) reject_at(m_file, line, "expected an element 'graphml' around all");
    if (element == "graph") reject_at(m_file, line, fmt::format("there is a graph{}; expected a flat graph", where));
    if (element == "hyperedge") reject_at(m_file, line, "there is a hyperedge; expected edges between two vertices");
    reject_at(m_file, line,
              fmt::format("unknown element '{}'{}; expected {}{}", shown, where, fmt::join(known, ", "),
                          did_you_mean(shown, known)));
  }

  void check_attribute(const std::string& element, const std::string& attribute, std::size_t line) const {
    const name_list& known = element_kinds().at(element).attributes;
    if (element == "graphml" || is_among(known, attribute) || attribute.find(':') != std::string::npos) return;
    if (attribute.rfind("parse.", 0) == 0 || attribute.rfind("xmlns", 0) == 0) return;
    reject_at(m_file, line,
              fmt::format("unknown attribute {} of element '{}'; expected {}; values for Weft stand in elements 'data'",
                          in_quotes(attribute), element, fmt::join(known, ", ")));
  }

  const std::string& m_text;
  const std::string& m_file;
  std::size_t m_at = 0, m_line = 1;
  name_list m_open;
  key_lines m_keys;
};

}  // namespace

key_lines check_graphml_elements(const std::string& text, const std::string& file) {
  return element_checker(text, file).run();
}

}  // namespace weft
