// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/graphml_elements.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/diagnostic.h"
#include "weft/core/printable.h"
#include "weft/core/suggest.h"
#include "weft/topology/files/xml_references.h"

namespace weft {
namespace {

using name_list = std::vector<std::string>;

[[noreturn]] void reject_at(const std::string& file, std::size_t line, const std::string& what) {
  throw input_error({{fmt::format("{}:{}", file, line), what}});
}

struct element_kind {
  name_list children, attributes;
};

/// Elements of GraphML that Weft reads or that do not affect the network. Attributes `parse.…` are hints for parsers.
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

  graphml_lines run() {
    while (to_tag()) {
      if (m_text.compare(m_at, 4, "<!--") == 0)
        skip_past("-->");
      else if (m_text.compare(m_at, 9, "<![CDATA[") == 0)
        skip_data();
      else if (m_text[m_at + 1] == '?')
        skip_past("?>");
      else if (m_text.compare(m_at, 9, "<!DOCTYPE") == 0)
        skip_document_type();
      else if (m_text[m_at + 1] == '!')
        skip_past(">");
      else if (m_text[m_at + 1] == '/')
        end_element();
      else
        begin_element();
    }
    return {std::move(m_keys), std::move(m_elements)};
  }

 private:
  bool to_tag() {
    const std::size_t at = m_text.find('<', m_at);
    if (at == std::string::npos || at + 1 == m_text.size()) return false;
    if (!m_open.empty()) check_references(m_at, at, false);
    check_text(at);
    go_to(at);
    return true;
  }
  void skip_data() {
    constexpr std::size_t Behind = 9;
    m_at += Behind;
    check_text(std::min(m_text.find("]]>", m_at), m_text.size()));
    skip_past("]]>");
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
  /// Skips a document type and the declarations in its brackets. Rejects attribute lists, because they may contain
  /// values of attributes.
  void skip_document_type() {
    std::size_t end = m_at, depth = 0;
    for (; end < m_text.size() && (depth > 0 || m_text[end] != '>'); ++end) {
      if (m_text[end] == '[') ++depth;
      if (m_text[end] == ']' && depth > 0) --depth;
    }
    const std::size_t values = m_text.find("<!ATTLIST", m_at);
    if (values < end) {
      go_to(values);
      reject_at(m_file, m_line,
                "XML syntax: values for attributes in a DOCTYPE are not read; write them in the elements");
    }
    go_to(std::min(end + 1, m_text.size()));
  }
  /// Rejects invalid references from \p begin to \p end, in the value of an attribute or in text.
  void check_references(std::size_t begin, std::size_t end, bool is_attribute) {
    const auto fault = reference_fault(std::string_view(m_text).substr(begin, end - begin), is_attribute);
    if (!fault) return;
    go_to(begin + fault->at);
    reject_at(m_file, m_line, "XML syntax: " + fault->what);
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
    m_at += 2;
    const std::string ended = name();
    if (!m_tags.empty() && ended != m_tags.back())
      reject_at(m_file, m_line,
                fmt::format("XML syntax: the element {} is closed as {}", in_quotes(m_tags.back()), in_quotes(ended)));
    if (!m_open.empty()) {
      m_open.pop_back();
      m_tags.pop_back();
    }
    skip_past(">");
  }

  void begin_element() {
    const std::size_t line = m_line;
    m_elements.push_back(line);
    ++m_at;
    const std::string element = name();
    const bool is_free = !m_open.empty() && has_free_content(m_open.back());
    if (!is_free) check_element(element, line);
    std::string id;
    std::set<std::string> attributes;
    for (skip_blanks(); m_at < m_text.size() && m_text[m_at] != '>' && m_text[m_at] != '/'; skip_blanks()) {
      const std::size_t place = m_line;
      const std::string attribute = name(), content = value();
      if (!attributes.insert(attribute).second)
        reject_at(
            m_file, place,
            fmt::format("XML syntax: the element {} has two attributes {}", in_quotes(element), in_quotes(attribute)));
      if (!is_free) check_attribute(element, attribute, place);
      if (attribute == "id") id = content;
    }
    const bool is_empty = m_at < m_text.size() && m_text[m_at] == '/';
    skip_past(">");
    if (element == "key" && !is_free) add_key(id, line);
    if (is_empty) return;
    m_open.push_back(is_free ? m_open.back() : element);  // everything within `data` counts as data
    m_tags.push_back(element);
  }

  void add_key(const std::string& id, std::size_t line) {
    m_has_default = false;
    if (id.empty()) reject_at(m_file, line, "a key has no id; give each key its own id");
    const auto [first, is_new] = m_keys.emplace(id, line);
    if (!is_new)
      reject_at(m_file, line,
                fmt::format("there are two keys {}, the first in line {}; give each key its own id", in_quotes(id),
                            first->second));
  }

  /// The quoted value after an equals sign.
  std::string value() {
    skip_blanks();
    if (m_at < m_text.size() && m_text[m_at] == '=') ++m_at;
    skip_blanks();
    if (m_at == m_text.size()) return {};
    const std::size_t begin = m_at + 1, end = std::min(m_text.find(m_text[m_at], begin), m_text.size());
    std::string found = m_text.substr(std::min(begin, m_text.size()), end - std::min(begin, end));
    if (begin < end) check_references(begin, end, true);
    go_to(std::min(end + 1, m_text.size()));
    return found;
  }

  /// Rejects text from here to \p end unless the open element may contain text.
  void check_text(std::size_t end) {
    skip_blanks();
    if (m_at >= end || m_open.empty() || has_free_content(m_open.back())) return;
    const std::string text = m_text.substr(m_at, m_text.find_last_not_of(" \t\r\n", end - 1) + 1 - m_at);
    reject_at(m_file, m_line,
              fmt::format("there is the text {} in '{}'; expected only elements: {}", in_quotes(text), m_open.back(),
                          fmt::join(element_kinds().at(m_open.back()).children, ", ")));
  }

  void check_element(const std::string& element, std::size_t line) {
    const std::string parent = m_open.empty() ? "" : m_open.back();
    const name_list& known = element_kinds().at(parent).children;
    const bool is_root = parent.empty() && element == "graphml", is_default = parent == "key" && element == "default";
    if ((is_root && m_has_root) || (is_default && m_has_default))
      reject_at(m_file, line,
                is_root ? "there is a second element 'graphml'; expected one root element"
                        : "there is a second element 'default' in 'key'; give one");
    m_has_root = m_has_root || is_root;
    m_has_default = m_has_default || is_default;
    if (is_among(known, element)) return;
    const std::string where = parent.empty() ? "" : fmt::format(" in '{}'", parent), shown = abridged(element);
    if (parent.empty()) reject_at(m_file, line, "expected the root element 'graphml'");
    if (element == "graph")
      reject_at(m_file, line, fmt::format("there is a nested graph{}; expected a graph without nested graphs", where));
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
              fmt::format("unknown attribute {} of element '{}'; expected {}; put values for Weft in elements 'data'",
                          in_quotes(attribute), element, fmt::join(known, ", ")));
  }

  const std::string& m_text;
  const std::string& m_file;
  std::size_t m_at = 0, m_line = 1;
  bool m_has_root = false, m_has_default = false;  // whether the file has a root; whether the last key has a default
  name_list m_open;                                // element kinds of the open elements
  name_list m_tags;                                // their tags
  key_lines m_keys;
  std::vector<std::size_t> m_elements;  // line of each element
};

}  // namespace

graphml_lines check_graphml_elements(const std::string& text, const std::string& file) {
  return element_checker(text, file).run();
}

}  // namespace weft
