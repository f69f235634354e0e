// SPDX-License-Identifier: Apache-2.0
/// Tables for the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weft::experiment {

/// Number of letters of \p text, which must be UTF-8.
std::size_t letters_of(const std::string& text);

/// The first letters of \p text, at most \p most.
std::string first_letters(const std::string& text, std::size_t most);

/// \p text if it has at most \p most letters; otherwise its first letters and "…", \p most in total. \p most must be
/// positive.
std::string shortened(const std::string& text, std::size_t most);

/// A table whose columns are as wide as their contents.
class text_columns {
 public:
  /// \param left number of left-aligned columns at the beginning; the others are right-aligned
  explicit text_columns(std::size_t left) : m_left(left) {}

  void row(std::vector<std::string> cells);

  /// The table, with each line indented by two blanks.
  std::string text() const;

 private:
  std::size_t m_left;
  std::vector<std::size_t> m_widths;
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace weft::experiment
