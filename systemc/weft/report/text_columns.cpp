// SPDX-License-Identifier: Apache-2.0
#include "weft/report/text_columns.h"

#include <algorithm>
#include <utility>

#include "weft/core/printable.h"

namespace weft::experiment {

namespace {

/// Whether \p c is the first byte of a letter.
bool begins_letter(char c) { return (c & 0xc0) != 0x80; }

}  // namespace

std::size_t letters_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
}

std::string first_letters(const std::string& text, std::size_t most) {
  std::size_t letters = 0;
  return {text.begin(),
          std::find_if(text.begin(), text.end(), [&](char c) { return begins_letter(c) && ++letters > most; })};
}

std::string shortened(const std::string& text, std::size_t most) {
  return letters_of(text) <= most ? text : first_letters(text, most - 1) + "…";
}

void text_columns::row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  m_widths.resize(std::max(m_widths.size(), cells.size()));
  for (std::size_t i = 0; i < cells.size(); ++i) m_widths[i] = std::max(m_widths[i], letters_of(cells[i]));
  m_rows.push_back(std::move(cells));
}

std::string text_columns::text() const {
  std::string text;
  for (const std::vector<std::string>& cells : m_rows) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string blanks(m_widths[i] - letters_of(cells[i]), ' ');
      line += "  " + (i < m_left ? cells[i] + blanks : blanks + cells[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace weft::experiment
