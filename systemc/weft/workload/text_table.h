// SPDX-License-Identifier: Apache-2.0
/// Reads files as text: whole, or as a table of whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// All bytes of a file. \throws workload_error if it cannot be read
std::string read_workload_bytes(const std::filesystem::path& file);

/// The same for a text file. Also rejects a file compressed with gzip, whose bytes are not the intended text.
std::string read_file(const std::filesystem::path& file);

/// Reads lines of whole numbers in named columns, separated by blanks. `#` starts a comment; empty lines are skipped.
/// Errors are a workload_error with a line `file:line: message` for each error, at most ten. If several lines are wrong
/// and none is right, a single message names the likely kind of the file.
class text_table {
 public:
  /// \p text must outlive the table. \param name file name, for messages \param optional number of final columns that a
  /// line may omit
  text_table(std::string_view text, std::string name, std::vector<std::string_view> columns, std::size_t optional = 0);

  /// Reads the next valid line into \p row, one number for each column. Returns how many there are, 0 at the end.
  /// Throws at the end if any line had an error.
  std::size_t next(std::uint64_t* row);

  /// Number of the line that next() read last, from 1.
  std::size_t line() const { return m_line; }

  /// Records an error in the line that next() read. Throws after ten errors.
  void wrong(const std::string& message);

  /// Throws workload_error with all errors; the last one is \p message, about the line that next() read.
  [[noreturn]] void fail(const std::string& message);

 private:
  std::string_view next_line();
  std::size_t numbers_in(std::string_view line, std::uint64_t* row);
  void wrong_count(std::size_t found);
  [[noreturn]] void throw_errors() const;

  std::string_view m_text;
  std::string_view m_rest;  ///< lines that are not read yet
  std::string m_name;
  std::vector<std::string_view> m_columns;
  std::size_t m_optional;
  std::size_t m_line = 0;
  bool m_has_row = false;
  std::vector<std::string> m_errors;
};

}  // namespace weft
