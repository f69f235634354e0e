// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/dot_tokens.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/topology/files/dot.h"

namespace weft {
namespace {

constexpr std::array Keywords = {"strict", "graph", "digraph", "node", "edge", "subgraph"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// As in Graphviz, names may contain letters beyond ASCII.
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

bool is_in_name(char c) { return begins_name(c) || is_digit(c); }

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

std::string dot_token::shown() const { return what == kind::End ? "the end of the file" : in_quotes(text); }

dot_tokens::dot_tokens(const std::string& text) : m_text(text) {
  if (starts_with("\xef\xbb\xbf")) m_at = m_first = 3;
}

/// Moves behind the next \p end, which is searched from \p behind bytes ahead.
void dot_tokens::skip_to(const char* end, std::size_t behind, const char* what) {
  const std::size_t found = m_text.find(end, m_at + behind);
  if (found == std::string::npos) throw dot_error(m_line, fmt::format("{} that begins here is not closed", what));
  const std::size_t after = found + std::string_view(end).size();
  m_line += static_cast<std::size_t>(std::count(&m_text[m_at], &m_text[0] + after, '\n'));
  m_at = after;
}

/// Returns whether there was a comment.
bool dot_tokens::skip_comment() {
  const bool is_first_of_line = m_at == m_first || m_text[m_at - 1] == '\n';
  if (starts_with("/*")) {
    skip_to("*/", 2, "a comment");
  } else if (starts_with("//") || (at() == '#' && is_first_of_line)) {
    m_at = std::min(m_text.find('\n', m_at), m_text.size());
  } else {
    return false;
  }
  return true;
}

void dot_tokens::skip_blanks() {
  while (m_at < m_text.size()) {
    if (starts_with("\\\n")) ++m_at;
    if (at() == '\n') ++m_line;
    if (std::string_view(" \t\r\n\f\v").find(at()) != std::string_view::npos)
      ++m_at;
    else if (!skip_comment())
      return;
  }
}

std::string dot_tokens::name() {
  const std::size_t begin = m_at;
  while (m_at < m_text.size() && is_in_name(m_text[m_at])) ++m_at;
  return m_text.substr(begin, m_at - begin);
}

std::string dot_tokens::number() {
  const std::size_t begin = m_at;
  if (at() == '-') ++m_at;
  while (is_digit(at())) ++m_at;
  if (at() == '.') ++m_at;
  while (is_digit(at())) ++m_at;
  if (begins_name(at()) || at() == '.') {
    while (is_in_name(at()) || at() == '.') ++m_at;
    throw dot_error(m_line, fmt::format("{} is neither a name nor a number; put it in quotes",
                                        in_quotes(m_text.substr(begin, m_at - begin))));
  }
  return m_text.substr(begin, m_at - begin);
}

/// A double-quoted text. A backslash escapes a quote or a line break; other backslashes stay.
std::string dot_tokens::quoted() {
  const std::size_t first = m_line;
  std::string text;
  for (++m_at; at() != '"'; ++m_at) {
    if (m_at >= m_text.size()) throw dot_error(first, "the quoted text that begins here is not closed");
    if (at() == '\n') ++m_line;
    if (at() == '\\' && (at(1) == '"' || at(1) == '\n')) {
      ++m_at;
      if (at() == '\n')
        ++m_line;
      else
        text += '"';
    } else if (at() == '\\' && at(1) == '\\') {
      text += "\\\\";
      ++m_at;
    } else {
      text += at();
    }
  }
  ++m_at;
  return text;
}

/// Concatenation: "a" + "b".
std::string dot_tokens::quoted_parts() {
  std::string text = quoted();
  for (skip_blanks(); at() == '+'; skip_blanks()) {
    ++m_at;
    skip_blanks();
    if (at() != '"') throw dot_error(m_line, "expected a text in quotes after '+'");
    text += quoted();
  }
  return text;
}

/// HTML-like text, including its angle brackets.
std::string dot_tokens::bracketed() {
  const std::size_t begin = m_at, first = m_line;
  std::size_t depth = 0;
  do {
    if (m_at >= m_text.size()) throw dot_error(first, "the text in angle brackets that begins here is not closed");
    if (at() == '<') ++depth;
    if (at() == '>') --depth;
    if (at() == '\n') ++m_line;
    ++m_at;
  } while (depth > 0);
  return m_text.substr(begin, m_at - begin);
}

dot_token dot_tokens::next() {
  skip_blanks();
  const std::size_t line = m_line;
  if (m_at >= m_text.size()) return {dot_token::kind::End, "", line};
  if (begins_name(at())) {
    const std::string word = name(), keyword = lower(word);
    const bool is_keyword = std::find(Keywords.begin(), Keywords.end(), keyword) != Keywords.end();
    return is_keyword ? dot_token{dot_token::kind::Keyword, keyword, line}
                      : dot_token{dot_token::kind::Word, word, line};
  }
  if (at() == '"') return {dot_token::kind::Word, quoted_parts(), line};
  if (at() == '<') return {dot_token::kind::Word, bracketed(), line};
  const std::size_t sign = at() == '-' ? 1 : 0;
  if (is_digit(at(sign)) || (at(sign) == '.' && is_digit(at(sign + 1)))) return {dot_token::kind::Word, number(), line};
  const std::size_t length = starts_with("->") || starts_with("--") ? 2 : 1;
  const std::string found = m_text.substr(m_at, length);
  if (length == 1 && std::string_view("{}[];,=:").find(found) == std::string_view::npos)
    throw dot_error(line, fmt::format("unexpected {}; put names that contain it in quotes", in_quotes(found)));
  m_at += length;
  return {dot_token::kind::Sign, found, line};
}

}  // namespace weft
