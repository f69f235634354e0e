// SPDX-License-Identifier: Apache-2.0
/// CSV files, read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weft::experiment {

struct csv_row {
  std::size_t line = 1;  ///< on which it begins
  std::vector<std::string> fields;
};

/// Thrown where a field in quotes does not end.
struct open_quote {
  std::size_t line;  ///< on which its row begins
};

/// The rows of \p text as RFC 4180 has them, fields as plain_csv_field() gives them;
/// empty lines are none. \throws open_quote
std::vector<csv_row> rows_of_csv(const std::string& text);

/// What a cell with a truth value says; nothing where it is empty, or something else.
inline std::optional<bool> truth_in(const std::string& cell) {
  if (cell == "true") return true;
  return cell == "false" ? std::optional(false) : std::nullopt;
}

}  // namespace weft::experiment
