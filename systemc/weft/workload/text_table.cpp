// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/text_table.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "weft/workload/error.h"

namespace weft {

namespace {

constexpr std::string_view Blanks = " \t\r";

/// Takes the first token off \p line; empty when there is none.
std::string_view take_token(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(Blanks), line.size()));
  const std::string_view token = line.substr(0, line.find_first_of(Blanks));
  line.remove_prefix(token.size());
  return token;
}

}  // namespace

std::string read_bytes(const std::filesystem::path& file) {
  if (std::error_code ignored; std::filesystem::is_directory(file, ignored)) {
    throw workload_error(file.string() + ": is a directory, expected a file");
  }
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw workload_error(fmt::format("{}: cannot open: {}", file.string(), std::strerror(errno)));
  std::string bytes;
  std::array<char, 65536> block;
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    bytes.append(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw workload_error(fmt::format("{}: cannot read: {}", file.string(), std::strerror(errno)));
  return bytes;
}

std::string read_file(const std::filesystem::path& file) {
  std::string bytes = read_bytes(file);
  if (bytes.compare(0, 2, "\x1f\x8b") == 0) {
    throw workload_error(fmt::format("{0}: is compressed; unpack it first: gunzip -k {0}", file.string()));
  }
  return bytes;
}

text_table::text_table(std::string_view text, std::string name, std::vector<std::string_view> columns,
                       std::size_t optional)
    : m_rest(text), m_name(std::move(name)), m_columns(std::move(columns)), m_optional(optional) {}

std::size_t text_table::next(std::uint64_t* row) {
  while (!m_rest.empty()) {
    std::string_view line = next_line();
    std::size_t found = 0;
    for (auto token = take_token(line); !token.empty(); token = take_token(line), ++found) {
      if (found == m_columns.size()) fail_count(found + 1);
      const char* const end = token.data() + token.size();
      const auto [stop, error] = std::from_chars(token.data(), end, row[found]);
      if (error != std::errc{} || stop != end) {
        fail(fmt::format("column {} ({}): expected a whole number 0…2^64-1, found '{}'", found + 1, m_columns[found],
                         token));
      }
    }
    if (found == 0) continue;
    if (found < m_columns.size() - m_optional) fail_count(found);
    return found;
  }
  return 0;
}

/// The next line without its comment.
std::string_view text_table::next_line() {
  ++m_line;
  const std::string_view line = m_rest.substr(0, m_rest.find('\n'));
  m_rest.remove_prefix(std::min(line.size() + 1, m_rest.size()));
  return line.substr(0, line.find('#'));
}

void text_table::fail(const std::string& message) const {
  throw workload_error(fmt::format("{}:{}: {}", m_name, m_line, message));
}

void text_table::fail_count(std::size_t found) const {
  const std::size_t least = m_columns.size() - m_optional;
  fail(fmt::format("expected {}{} columns '{}', found {}{}", m_optional == 0 ? "" : fmt::format("{} to ", least),
                   m_columns.size(), fmt::join(m_columns, " "), found, found > m_columns.size() ? " or more" : ""));
}

}  // namespace weft
