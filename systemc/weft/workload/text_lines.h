// SPDX-License-Identifier: Apache-2.0
/// Reads a text file line by line, and collects the errors in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The lines of a text without their comments: `#` starts a comment. Errors are thrown together as one workload_error,
/// with a line `file:line: message` for each of the first ten. If no line is valid, and the text has several errors or
/// a known other format, a single message describes the file instead.
class text_lines {
 public:
  /// \p text must outlive the object.
  /// \param name file name in messages
  /// \param expected description of a valid file in messages
  text_lines(std::string_view text, std::string name, std::string expected);

  /// Reads the next line into \p line. Returns false after the last one.
  bool next(std::string_view& line);

  /// Number of the line that next() read last, from 1; 0 before the first one.
  std::size_t line() const { return m_line; }

  /// Notes that the line that next() read last is valid.
  void accept() { m_has_row = true; }

  /// Records the error \p message for the line that next() read last. \throws workload_error after ten errors
  void wrong(const std::string& message) { wrong_at(m_line, message); }
  /// The same for line \p line.
  void wrong_at(std::size_t line, const std::string& message);

  /// Throws workload_error with all recorded errors and \p message, an error in the line that next() read last.
  [[noreturn]] void fail(const std::string& message);

  /// \throws workload_error with all recorded errors, if there are any
  void throw_if_any() const {
    if (!m_errors.empty()) throw_errors();
  }

 private:
  [[noreturn]] void throw_errors() const;

  std::string_view m_text;
  std::string_view m_rest;  ///< lines that are not read yet
  std::string m_name;
  std::string m_expected;
  std::size_t m_line = 0;
  bool m_has_row = false;
  std::vector<std::string> m_errors;
};

/// \p text without blanks, tabs and carriage returns at its ends.
std::string_view trimmed(std::string_view text);

/// Removes the first token from \p line, up to a blank, and returns it; empty if there is none.
std::string_view take_token(std::string_view& line);

}  // namespace weft
