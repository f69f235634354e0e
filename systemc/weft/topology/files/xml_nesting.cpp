// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/xml_nesting.h"

#include <algorithm>
#include <string_view>

namespace weft {
namespace {

constexpr std::string_view Blanks = " \t\n\r";

/// Scans the markup of a text like Boost's XML reader. Functions return false at the first error.
class xml_scanner {
 public:
  explicit xml_scanner(const std::string& xml) : m_text(xml.c_str()) {}  // the reader stops at a zero byte as well

  std::size_t find(std::size_t most) {
    for (std::size_t depth = 0; skip_behind("<");) {
      if (starts_with("/")) {
        if (!skip_behind(">")) return 0;
        if (depth > 0) --depth;
      } else if (starts_with("?")) {
        if (!skip_behind("?>")) return 0;
      } else if (starts_with("!")) {
        if (!skip_declaration()) return 0;
      } else {
        bool is_open = false;
        const std::size_t begin = m_at;
        if (!skip_tag(is_open)) return 0;
        if (is_open && ++depth > most) return line_of(begin);
      }
    }
    return 0;
  }

 private:
  std::size_t line_of(std::size_t at) const {
    return 1 + static_cast<std::size_t>(std::count(m_text.begin(), m_text.begin() + static_cast<long>(at), '\n'));
  }
  char at() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
  bool starts_with(std::string_view mark) const { return m_text.substr(m_at, mark.size()) == mark; }
  bool skip_behind(std::string_view mark) {
    const std::size_t found = m_text.find(mark, m_at);
    if (found == std::string_view::npos) return false;
    m_at = found + mark.size();
    return true;
  }
  /// Moves to the next of \p ends, or to the end of the text.
  void skip_until(std::string_view ends) { m_at = std::min(m_text.find_first_of(ends, m_at), m_text.size()); }
  void skip_blanks() { m_at = std::min(m_text.find_first_not_of(Blanks, m_at), m_text.size()); }

  /// A comment, CDATA section, document type or other declaration, after its `<`.
  bool skip_declaration() {
    constexpr std::string_view Comment = "!--", Data = "![CDATA[", Type = "!DOCTYPE";
    if (starts_with(Comment)) return m_at += Comment.size(), skip_behind("-->");
    if (starts_with(Data)) return m_at += Data.size(), skip_behind("]]>");
    const std::size_t behind = m_at + Type.size();
    const bool is_type = starts_with(Type) && behind < m_text.size() && Blanks.find(m_text[behind]) != Blanks.npos;
    if (!is_type) return skip_behind(">");
    for (skip_until("[>"); at() == '['; skip_until("[>")) {
      std::size_t open = 0;
      do {
        if (at() == '\0') return false;
        if (at() == '[') ++open;
        if (at() == ']') --open;
        ++m_at;
      } while (open > 0);
    }
    return skip_behind(">");
  }

  /// The name and attributes of an element. \param is_open set to whether the element has content, which follows
  bool skip_tag(bool& is_open) {
    constexpr std::string_view NameEnds = " \t\n\r/>?", AttributeEnds = " \t\n\r!/<=>?";
    skip_until(NameEnds);
    for (skip_blanks(); at() != '\0' && AttributeEnds.find(at()) == std::string_view::npos; skip_blanks()) {
      skip_until(AttributeEnds);
      skip_blanks();
      if (at() != '=') return false;
      ++m_at;
      skip_blanks();
      const char quote = at();
      if (quote != '"' && quote != '\'') return false;
      ++m_at;
      if (!skip_behind(std::string_view(&quote, 1))) return false;
    }
    is_open = at() == '>';
    if (!is_open && !starts_with("/>")) return false;
    m_at += is_open ? 1 : 2;
    return true;
  }

  const std::string_view m_text;
  std::size_t m_at = 0;
};

}  // namespace

std::size_t line_nested_deeper(const std::string& xml, std::size_t most) { return xml_scanner(xml).find(most); }

}  // namespace weft
