// SPDX-License-Identifier: Apache-2.0
#include "weft/report/csv_rows.h"

#include <utility>

#include "weft/core/escape.h"

namespace weft::experiment {

std::vector<csv_row> rows_of_csv(const std::string& text) {
  std::vector<csv_row> rows;
  csv_row row;
  std::string field;
  std::size_t line = 1;
  bool in_quotes = false, begun = false;
  const auto end_field = [&] { row.fields.push_back(plain_csv_field(std::exchange(field, {}))); };
  const auto end_row = [&] {
    if (!begun) return;
    end_field();
    rows.push_back(std::exchange(row, {}));
    begun = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!begun && c != '\n' && c != '\r') {
      row.line = line;
      begun = true;
    }
    line += c == '\n';
    if (in_quotes) {
      if (c != '"')
        field += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        field += text[++i];
      else
        in_quotes = false;
    } else if (c == '"') {
      in_quotes = true;
    } else if (c == ',') {
      end_field();
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      field += c;
    }
  }
  if (in_quotes) throw open_quote{row.line};
  end_row();
  return rows;
}

}  // namespace weft::experiment
