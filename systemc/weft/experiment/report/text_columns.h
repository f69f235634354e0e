// SPDX-License-Identifier: Apache-2.0
/// A table for the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weft::experiment {

/// Letters of \p text, which is UTF-8.
std::size_t letters_of(const std::string& text);

/// The first letters of \p text, at most \p most.
std::string first_letters(const std::string& text, std::size_t most);

/// \p text, if it has at most \p most letters; else its first ones and "…", together \p most, which is above 0.
std::string shortened(const std::string& text, std::size_t most);

/// Columns as wide as what is in them.
class text_columns {
 public:
  /// \param left how many of the first columns begin at the left; the others end at the right
  explicit text_columns(std::size_t left) : m_left(left) {}

  void row(std::vector<std::string> cells);

  /// Lines that begin with two blanks.
  std::string text() const;

 private:
  std::size_t m_left;
  std::vector<std::size_t> m_widths;
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace weft::experiment
