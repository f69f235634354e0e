// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/text_table.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/file/form.h"
#include "weft/file/read_bytes.h"
#include "weft/workload/error.h"

namespace weft {

namespace {

constexpr std::string_view Blanks = " \t\r";

/// Removes the first token from \p line and returns it; empty if there is none.
std::string_view take_token(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(Blanks), line.size()));
  const std::string_view token = line.substr(0, line.find_first_of(Blanks));
  line.remove_prefix(token.size());
  return token;
}

}  // namespace

std::string read_workload_bytes(const std::filesystem::path& file) {
  try {
    return read_bytes(file);
  } catch (const file_error& e) {
    throw workload_error(fmt::format("{}: {}", file.string(), e.what()));
  }
}

std::string read_file(const std::filesystem::path& file) {
  std::string bytes = read_workload_bytes(file);
  if (bytes.compare(0, 2, "\x1f\x8b") == 0) {
    throw workload_error(
        fmt::format("{0}: the file is compressed; decompress it first, with gunzip -k {0}", file.string()));
  }
  return bytes;
}

text_table::text_table(std::string_view text, std::string name, std::vector<std::string_view> columns,
                       std::size_t optional)
    : m_text(text),
      m_rest(without_byte_order_mark(text)),
      m_name(std::move(name)),
      m_columns(std::move(columns)),
      m_optional(optional) {}

std::size_t text_table::next(std::uint64_t* row) {
  while (!m_rest.empty())
    if (const std::size_t found = numbers_in(next_line(), row)) return m_has_row = true, found;
  if (!m_errors.empty()) throw_errors();
  return 0;
}

/// Parses the numbers of \p line. Returns how many there are; 0 if there are none or if \p line is invalid.
std::size_t text_table::numbers_in(std::string_view line, std::uint64_t* row) {
  std::size_t found = 0;
  for (auto token = take_token(line); !token.empty(); token = take_token(line), ++found) {
    if (found == m_columns.size()) return wrong_count(found + 1), 0;
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, row[found]);
    if (error != std::errc{} || stop != end) {
      wrong(fmt::format("column {} ({}): expected a whole number 0…2^64-1, found {}", found + 1, m_columns[found],
                        in_quotes(std::string(token))));
      return 0;
    }
  }
  if (found > 0 && found < m_columns.size() - m_optional) return wrong_count(found), 0;
  return found;
}

/// The next line without its comment.
std::string_view text_table::next_line() {
  ++m_line;
  const std::string_view line = m_rest.substr(0, m_rest.find('\n'));
  m_rest.remove_prefix(std::min(line.size() + 1, m_rest.size()));
  return line.substr(0, line.find('#'));
}

void text_table::wrong(const std::string& message) {
  constexpr std::size_t Most = 10;
  m_errors.push_back(fmt::format("{}:{}: {}", m_name, m_line, message));
  if (m_errors.size() < Most) return;
  m_errors.push_back(fmt::format("{}: there may be more errors; these are the first {}", m_name, Most));
  throw_errors();
}

/// If no line is a row, the file is not a table with errors, and a single message replaces the others.
void text_table::throw_errors() const {
  const file_form form = form_of(m_text);
  if (m_has_row || (m_errors.size() == 1 && form == file_form::Other)) throw workload_error(m_errors);
  const std::string name = name_of(form);
  std::string found =
      fmt::format("{}: {}; expected lines of whole numbers, '{}'", m_name,
                  name.empty() ? "the file has no valid row" : "the file is " + name, fmt::join(m_columns, " "));
  if (name.empty()) found += "; line " + m_errors.front().substr(m_name.size() + 1);
  throw workload_error(found);
}

void text_table::fail(const std::string& message) {
  wrong(message);
  throw workload_error(m_errors);
}

void text_table::wrong_count(std::size_t found) {
  const std::size_t least = m_columns.size() - m_optional;
  wrong(fmt::format("expected {}{} columns '{}', found {}{}", m_optional == 0 ? "" : fmt::format("{} to ", least),
                    m_columns.size(), fmt::join(m_columns, " "), found, found > m_columns.size() ? " or more" : ""));
}

}  // namespace weft
