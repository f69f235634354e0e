// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/text_table.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/file/read_bytes.h"
#include "weft/workload/error.h"

namespace weft {

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
    : m_lines(text, std::move(name), fmt::format("lines of whole numbers, '{}'", fmt::join(columns, " "))),
      m_columns(std::move(columns)),
      m_optional(optional) {}

std::size_t text_table::next(std::uint64_t* row) {
  std::string_view line;
  while (m_lines.next(line))
    if (const std::size_t found = numbers_in(line, row)) return m_lines.accept(), found;
  m_lines.throw_if_any();
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

void text_table::wrong_count(std::size_t found) {
  const std::size_t least = m_columns.size() - m_optional;
  wrong(fmt::format("expected {}{} columns '{}', found {}{}", m_optional == 0 ? "" : fmt::format("{} to ", least),
                    m_columns.size(), fmt::join(m_columns, " "), found, found > m_columns.size() ? " or more" : ""));
}

}  // namespace weft
