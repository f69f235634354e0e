// SPDX-License-Identifier: Apache-2.0
/// Reads text files: a whole file as a string, or a table of whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "weft/workload/text_lines.h"

namespace weft {

/// Returns all bytes of \p file. \throws workload_error if the file cannot be read
std::string read_workload_bytes(const std::filesystem::path& file);

/// Returns all bytes of a text file. \throws workload_error if it cannot be read, or is compressed with gzip
std::string read_file(const std::filesystem::path& file);

/// Reads lines of whole numbers in named columns, separated by blanks. `#` starts a comment; empty lines are skipped.
/// Errors are thrown together as one workload_error, with a line `file:line: message` for each of the first ten. If no
/// line is valid, and the text has several errors or a known other format, a single message describes the file instead.
class text_table {
 public:
  /// \p text must outlive the table.
  /// \param name file name in messages
  /// \param optional number of columns, from the last one on, that a line may omit
  text_table(std::string_view text, std::string name, std::vector<std::string_view> columns, std::size_t optional = 0);

  /// Reads the next valid line into \p row, one number for each column. Returns the number of columns read, or 0 after
  /// the last line.
  /// \throws workload_error after the last line if any line had an error
  std::size_t next(std::uint64_t* row);

  /// Number of the line that next() read last, from 1.
  std::size_t line() const { return m_lines.line(); }

  /// Records the error \p message for the line that next() read last. \throws workload_error after ten errors
  void wrong(const std::string& message) { m_lines.wrong(message); }

  /// Throws workload_error with all recorded errors and \p message, an error in the line that next() read last.
  [[noreturn]] void fail(const std::string& message) { m_lines.fail(message); }

 private:
  std::size_t numbers_in(std::string_view line, std::uint64_t* row);
  void wrong_count(std::size_t found);

  text_lines m_lines;
  std::vector<std::string_view> m_columns;
  std::size_t m_optional;
};

}  // namespace weft
