// SPDX-License-Identifier: Apache-2.0
#include "weft/import/booksim_file.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "weft/core/diagnostic.h"

namespace weft::experiment {

namespace {

bool is_space(unsigned char c) { return std::isspace(c) != 0; }

std::string trimmed(const std::string& text) {
  const auto first = std::find_if_not(text.begin(), text.end(), is_space);
  const auto last = std::find_if_not(text.rbegin(), text.rend(), is_space).base();
  return first < last ? std::string(first, last) : std::string();
}

/// Whether \p text is a name: letters, digits and underscores.
bool is_name(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// The setting of the statement `name = value`, without its semicolon. Adds to \p errors if it is none.
void add_statement(const std::string& text, const std::string& place, std::vector<imported_setting>& all,
                   std::vector<diagnostic>& errors) {
  const std::size_t equals = text.find('=');
  const std::string name = trimmed(text.substr(0, equals));
  const std::string value = equals == std::string::npos ? "" : trimmed(text.substr(equals + 1));
  if (!is_name(name) || value.empty() || value.find('=') != std::string::npos)
    errors.push_back({place, fmt::format("expected a statement of the form name = value;, got {}", in_quotes(text))});
  else if (std::any_of(value.begin(), value.end(), is_space))
    errors.push_back(
        {place, fmt::format("{}: expected a value without blanks, as BookSim2 does, got {}", name, in_quotes(value))});
  else
    all.push_back({name, value, place});
}

/// Whether \p statement ends within a name or path, to which slashes then belong. Behind a number, a list or a blank,
/// `//` begins a comment.
bool ends_in_name(const std::string& statement) {
  const std::size_t word = statement.find_last_of(" \t\r\n=") + 1;
  if (word == statement.size()) return false;
  const auto first = static_cast<unsigned char>(statement[word]);
  return std::isalpha(first) != 0 || first == '_' || first == '/' || first == '.';
}

/// The parts of \p text between commas outside of brackets and braces.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty() || !parts.empty()) parts.push_back(trimmed(part));
  return parts;
}

}  // namespace

std::vector<imported_setting> read_booksim_file(const std::string& text, const std::string& file) {
  std::vector<imported_setting> all;
  std::vector<diagnostic> errors;
  std::string statement;
  std::size_t line = 1, first_line = 1;
  const auto place = [&] { return fmt::format("{}:{}", file, first_line); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "//") == 0 && !ends_in_name(statement)) at = std::min(text.find('\n', at), text.size());
    const char c = at < text.size() ? text[at] : '\n';
    if (c == ';') {
      add_statement(trimmed(statement), place(), all, errors);
      statement.clear();
    } else if (!statement.empty() || std::isspace(static_cast<unsigned char>(c)) == 0) {
      if (statement.empty()) first_line = line;
      statement += c;
    }
    if (c == '\n') ++line;
  }
  if (!statement.empty())
    errors.push_back({place(), fmt::format("expected ; at the end of {}", in_quotes(trimmed(statement)))});
  if (!errors.empty()) throw input_error(errors);
  return all;
}

bool has_booksim_statement(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string statement = trimmed(line.substr(0, line.find("//")));
    const std::size_t equals = statement.find('=');
    if (equals != std::string::npos && statement.back() == ';' && is_name(trimmed(statement.substr(0, equals))))
      return true;
  }
  return false;
}

imported_setting read_booksim_argument(const std::string& text) {
  std::vector<imported_setting> all;
  std::vector<diagnostic> errors;
  const std::string place = "argument " + text;
  add_statement(trimmed(text), place, all, errors);
  if (!errors.empty())
    throw input_error(
        {{place, "expected NAME=VALUE without blanks, as on BookSim2's command line, such as num_vcs=8"}});
  all.front().is_argument = true;
  return all.front();
}

booksim_call parse_booksim_call(const std::string& value) {
  const std::size_t open = value.find('(');
  if (open == std::string::npos) return {value, "", {}};
  const std::size_t close = std::max(value.rfind(')'), open + 1);
  const std::string inside = trimmed(value.substr(open + 1, close - open - 1));
  return {trimmed(value.substr(0, open)), inside, parts_of(inside)};
}

std::vector<std::string> parse_booksim_list(const std::string& value) {
  if (value.size() < 2 || value.front() != '{' || value.back() != '}') return {value};
  return parts_of(value.substr(1, value.size() - 2));
}

}  // namespace weft::experiment
