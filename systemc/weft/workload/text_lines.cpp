// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/text_lines.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "weft/file/form.h"
#include "weft/workload/error.h"

namespace weft {

namespace {

constexpr std::string_view Blanks = " \t\r";

}  // namespace

text_lines::text_lines(std::string_view text, std::string name, std::string expected)
    : m_text(text), m_rest(without_byte_order_mark(text)), m_name(std::move(name)), m_expected(std::move(expected)) {}

bool text_lines::next(std::string_view& line) {
  if (m_rest.empty()) return false;
  ++m_line;
  line = m_rest.substr(0, m_rest.find('\n'));
  m_rest.remove_prefix(std::min(line.size() + 1, m_rest.size()));
  line = line.substr(0, line.find('#'));
  return true;
}

void text_lines::wrong_at(std::size_t line, const std::string& message) {
  constexpr std::size_t Most = 10;
  m_errors.push_back(fmt::format("{}:{}: {}", m_name, line, message));
  if (m_errors.size() < Most) return;
  m_errors.push_back(fmt::format("{}: there may be more errors; these are the first {}", m_name, Most));
  throw_errors();
}

/// If no line is a row, the file is not a table with errors, and a single message replaces the others.
void text_lines::throw_errors() const {
  const file_form form = form_of(m_text);
  if (m_has_row || (m_errors.size() == 1 && form == file_form::Other)) throw workload_error(m_errors);
  const std::string name = name_of(form);
  std::string found = fmt::format("{}: {}; expected {}", m_name,
                                  name.empty() ? "the file has no valid row" : "the file is " + name, m_expected);
  if (name.empty()) found += "; line " + m_errors.front().substr(m_name.size() + 1);
  throw workload_error(found);
}

void text_lines::fail(const std::string& message) {
  wrong(message);
  throw workload_error(m_errors);
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(Blanks), text.size()));
  return text.substr(0, text.find_last_not_of(Blanks) + 1);
}

std::string_view take_token(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(Blanks), line.size()));
  const std::string_view token = line.substr(0, line.find_first_of(Blanks));
  line.remove_prefix(token.size());
  return token;
}

}  // namespace weft
