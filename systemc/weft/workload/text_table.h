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

/// All bytes of a file. Throws workload_error when it cannot be read.
std::string read_workload_bytes(const std::filesystem::path& file);

/// The same of a file of text. Throws when it is compressed with gzip, too: its bytes are not what the user
/// means.
std::string read_file(const std::filesystem::path& file);

/// Reads lines of whole numbers in named columns, separated by blanks. `#` starts a comment; empty lines are
/// skipped. What is wrong is a workload_error with a line `file:line: message` for each fault, ten at most; where
/// several lines are wrong and none is right, with one that says what the file is.
class text_table {
 public:
  /// \p text must outlive the table. \p name is the file's, for messages. The last \p optional columns may be absent
  /// from a line.
  text_table(std::string_view text, std::string name, std::vector<std::string_view> columns, std::size_t optional = 0);

  /// The numbers of the next good line into \p row, one for each column; how many there are, 0 at the end. Throws at
  /// the end if any line had a fault.
  std::size_t next(std::uint64_t* row);

  /// Number of the line that next() read, from 1.
  std::size_t line() const { return m_line; }

  /// Notes a fault of the line that next() read. Throws when there are ten.
  void wrong(const std::string& message);

  /// Throws workload_error with all faults, the last of them this one, about the line that next() read.
  [[noreturn]] void fail(const std::string& message);

 private:
  std::string_view next_line();
  std::size_t numbers_in(std::string_view line, std::uint64_t* row);
  void wrong_count(std::size_t found);
  [[noreturn]] void throw_faults() const;

  std::string_view m_text;
  std::string_view m_rest;  ///< lines not read yet
  std::string m_name;
  std::vector<std::string_view> m_columns;
  std::size_t m_optional;
  std::size_t m_line = 0;
  bool m_has_row = false;
  std::vector<std::string> m_faults;
};

}  // namespace weft
