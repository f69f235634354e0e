// SPDX-License-Identifier: Apache-2.0
#include "weft/import/simulator_key.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "weft/core/diagnostic.h"
#include "weft/core/suggest.h"

namespace weft::experiment {

namespace {

bool is_integer_token(const std::string& text) {
  const std::size_t first = !text.empty() && text.front() == '-' ? 1 : 0;
  return text.size() > first && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(first), text.end(),
                                            [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "a number from 0 to 1", for the kind \p what.
std::string range_of(const std::string& what, const simulator_key& k) {
  if (k.kind == value_kind::Integer && k.least == 0 && k.most == 1) return "0 or 1";
  if (std::isfinite(k.least) && std::isfinite(k.most))
    return fmt::format("{} from {:.12g} to {:.12g}", what, k.least, k.most);
  if (std::isfinite(k.least)) return fmt::format("{} of at least {:.12g}", what, k.least);
  return what;
}

std::string expected(const std::string& what, const std::string& value, const std::string& hint = "") {
  return fmt::format("expected {}, got {}{}", what, in_quotes(value), hint);
}

std::string fault_of_number(const simulator_key& k, const char* what, const std::string& value) {
  const auto number = parse_number<double>(value);
  if (number && std::isfinite(*number) && *number >= k.least && *number <= k.most) return "";
  return expected(range_of(what, k), value);
}

std::string fault_of_text(const simulator_key& k, const std::string& value) {
  std::istringstream words(k.names);
  const std::vector<std::string> names{std::istream_iterator<std::string>(words), {}};
  if (names.empty() || std::find(names.begin(), names.end(), value) != names.end()) return "";
  return expected(fmt::format("one of {}", fmt::join(names, ", ")), value, did_you_mean(value, names));
}

/// The fault of a text that is given for a key of numbers. \param what the kind of numbers
std::string fault_of_list(const simulator_key& k, const char* what, const std::string& value) {
  if (*k.names != '\0') {
    if (fault_of_text(k, value).empty()) return "";
    return expected(fmt::format("{}, or {}", range_of(what, k), k.names), value);
  }
  const bool is_list = value.front() == '{' && value.find_first_not_of("{},.-+0123456789eE") == std::string::npos;
  return is_list ? "" : expected(fmt::format("{}, or a list of numbers in braces", range_of(what, k)), value);
}

bool is_boolean(const std::string& value) {
  constexpr const char* Names[] = {"true", "false", "yes", "no", "on", "off", "y", "n"};
  std::string lower = value;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(std::begin(Names), std::end(Names), lower) != std::end(Names);
}

}  // namespace

bool is_number_token(const std::string& value) {
  const bool ends_with_digit = !value.empty() && std::isdigit(static_cast<unsigned char>(value.back())) != 0;
  const bool is_named = std::any_of(value.begin(), value.end(), [](unsigned char c) {
    return std::isalpha(c) != 0 && c != 'e' && c != 'E';  // infinity, nan and hexadecimal numbers
  });
  return ends_with_digit && !is_named && parse_number<double>(value).has_value();
}

std::string fault_of_value(const std::string& simulator, const simulator_key& k, const std::string& value) {
  const bool is_number = is_number_token(value), is_integer = is_integer_token(value);
  switch (k.kind) {
    case value_kind::Text:
      if (is_number) return expected("a name", value);
      return fault_of_text(k, value);
    case value_kind::IntegerOrText:
      if (!is_number) return fault_of_list(k, "an integer", value);
      [[fallthrough]];
    case value_kind::Integer:
      return is_integer ? fault_of_number(k, "an integer", value) : expected(range_of("an integer", k), value);
    case value_kind::RealOrText:
      if (!is_number) return fault_of_list(k, "a number", value);
      [[fallthrough]];
    case value_kind::Real:
      if (is_integer)
        return expected(range_of("a number", k), value,
                        fmt::format("; {} requires a decimal point in this number: write {}.0", simulator, value));
      return is_number ? fault_of_number(k, "a number", value) : expected(range_of("a number", k), value);
    case value_kind::Number:
      return is_number ? fault_of_number(k, "a number", value) : expected(range_of("a number", k), value);
    case value_kind::Boolean:
      return is_boolean(value) ? "" : expected("true or false", value);
  }
  return "";
}

}  // namespace weft::experiment
