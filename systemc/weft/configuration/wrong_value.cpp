// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/wrong_value.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/import_hints.h"
#include "weft/core/diagnostic.h"

namespace weft::experiment {

namespace {

std::string without(std::string text, const std::string& letters) {
  text.erase(std::remove_if(text.begin(), text.end(), [&](char c) { return letters.find(c) != std::string::npos; }),
             text.end());
  return text;
}

/// The whole number that a text such as 1e4, 1,000 or 1_000 means.
std::optional<std::uint64_t> whole_number_meant(const std::string& text) {
  const std::optional<double> value = parse_number<double>(without(text, ",_"));
  constexpr double MostExact = 1e15;
  if (!value || *value < 0 || *value > MostExact || *value != std::floor(*value)) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

bool takes(const value_type& type, std::uint64_t value) {
  return type.allowed.empty() ? value >= type.min && value <= type.max
                              : std::count(type.allowed.begin(), type.allowed.end(), value) > 0;
}

std::string integer_hint(const value_type& type, const std::string& text) {
  if (const auto written = parse_number<std::uint64_t>(text)) {
    if (type.allowed.empty()) return "";
    const auto above = std::upper_bound(type.allowed.begin(), type.allowed.end(), *written);
    if (above == type.allowed.begin()) return fmt::format("; the minimum is {}", *above);
    if (above == type.allowed.end()) return fmt::format("; the maximum is {}", type.allowed.back());
    return fmt::format("; the nearest values are {} and {}", *(above - 1), *above);
  }
  const auto meant = whole_number_meant(text);
  return meant && takes(type, *meant) ? fmt::format("; write {}", *meant) : "";
}

std::string number_hint(const value_type& type, const std::string& text) {
  if (text.empty() || text.back() != '%') return "";
  const auto per_cent = parse_number<double>(without(text, "% "));
  const double share = per_cent.value_or(0) / 100;
  return per_cent && share >= type.low && share <= type.high ? fmt::format("; write {:g}", share) : "";
}

/// A hint for 8x8, 1,2 and 4 4 instead of a list of whole numbers.
std::string list_hint(const value_type& type, const std::string& text) {
  if (type.element->what != value_type::kind::Integer) return "";
  std::string spaced = text;
  std::replace_if(
      spaced.begin(), spaced.end(), [](char c) { return c == 'x' || c == ','; }, ' ');
  std::istringstream words(spaced);
  std::vector<std::uint64_t> elements;
  for (std::string word; words >> word;) {
    const auto element = parse_number<std::uint64_t>(word);
    if (!element || !takes(*type.element, *element)) return "";
    elements.push_back(*element);
  }
  return elements.empty() ? "" : fmt::format("; write [{}]", fmt::join(elements, ", "));
}

}  // namespace

std::string sweep_hint(const std::string& key) {
  return fmt::format("; to simulate several values, use `weft sweep` with sweep: {{over: {{{}: […]}}}}", key);
}

std::string wrong_value_hint(const std::string& path, const value_type& type, const YAML::Node& node) {
  using kind = value_type::kind;
  const bool is_element = path.find('[') != std::string::npos;
  const bool takes_one = type.what == kind::Integer || type.what == kind::Number || type.what == kind::Choice ||
                         type.what == kind::Boolean;
  if (node.IsSequence() && takes_one && !is_element) return sweep_hint(path);
  if (!node.IsScalar()) return "";
  const std::string& text = node.Scalar();
  if (std::string hint = value_hint(path, text); !hint.empty()) return hint;
  std::string hint;
  if (type.what == kind::Integer || type.what == kind::Number || type.what == kind::Boolean) hint = quotes_hint(node);
  if (hint.empty() && type.what == kind::Integer) hint = integer_hint(type, text);
  if (hint.empty() && type.what == kind::Number) hint = number_hint(type, text);
  if (hint.empty() && type.what == kind::List) hint = list_hint(type, text);
  return hint.empty() ? name_hint(node, type.names) : hint;
}

}  // namespace weft::experiment
