// SPDX-License-Identifier: Apache-2.0
/// Splits DOT text into tokens.
#pragma once

#include <cstddef>
#include <string>

namespace weft {

struct dot_token {
  enum class kind {
    End,
    Word,     ///< a name, a number, quoted text or text in angle brackets
    Keyword,  ///< in lower case
    Sign,
  };
  kind what = kind::End;
  std::string text{};
  std::size_t line = 1;

  /// The token in the form in which messages show it.
  std::string shown() const;
};

/// Splits a text into tokens, without comments and whitespace.
class dot_tokens {
 public:
  /// \p text must outlive this object.
  explicit dot_tokens(const std::string& text);

  /// Returns the next token. \throws dot_error for invalid text
  dot_token next();

 private:
  char at(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
  bool starts_with(const char* sign) const {
    return m_text.compare(m_at, std::char_traits<char>::length(sign), sign) == 0;
  }
  void skip_to(const char* end, std::size_t behind, const char* what);
  bool skip_comment();
  void skip_blanks();
  std::string name();
  std::string number();
  std::string quoted();
  std::string quoted_parts();
  std::string bracketed();

  const std::string& m_text;
  std::size_t m_first = 0;  ///< position after a byte order mark
  std::size_t m_at = 0;
  std::size_t m_line = 1;
};

}  // namespace weft
