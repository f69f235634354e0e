// SPDX-License-Identifier: Apache-2.0
/// Parser for CSV files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weft::experiment {

struct csv_row {
  std::size_t line = 1;  ///< line where the row begins
  std::vector<std::string> fields;
};

/// Thrown if a quoted field is not closed.
struct open_quote {
  std::size_t line;  ///< line where the row of the open field begins
};

/// The rows of \p text according to RFC 4180, with fields as returned by plain_csv_field(); empty lines are skipped.
/// \throws open_quote
std::vector<csv_row> rows_of_csv(const std::string& text);

/// The boolean in \p cell; nothing if the cell does not contain true or false.
inline std::optional<bool> boolean_of(const std::string& cell) {
  if (cell == "true") return true;
  return cell == "false" ? std::optional(false) : std::nullopt;
}

}  // namespace weft::experiment
