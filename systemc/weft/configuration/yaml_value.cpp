// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/yaml_value.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "weft/configuration/wrong_value.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

namespace {

/// Parses "1 %" or "1%" as 0.01.
std::optional<double> percentage_in(std::string text) {
  if (text.empty() || text.back() != '%') return std::nullopt;
  text.pop_back();
  if (!text.empty() && text.back() == ' ') text.pop_back();
  const auto value = parse_number<double>(text);
  return value ? std::optional(*value / 100) : std::nullopt;
}

/// Whether \p text is neither empty nor contains a NUL, at which file names would end.
bool is_text(const std::string& text) { return !text.empty() && text.find('\0') == std::string::npos; }

/// Whether \p text is a range such as "1:8" or "0.1:0.3:0.1".
bool is_range(const std::string& text) {
  return text.find(':') != std::string::npos && text.find_first_not_of("0123456789.:+-eE") == std::string::npos;
}

}  // namespace

std::optional<json> yaml_value::wrong(const std::string& path, const value_type& type, const YAML::Node& node,
                                      const YAML::Mark& at) const {
  m_errors.wrong(at, path, type.describe(), node, wrong_value_hint(path, type, node));
  return std::nullopt;
}

std::optional<json> yaml_value::read(const std::string& path, const value_type& type, const YAML::Node& node,
                                     const YAML::Mark& at) const {
  using kind = value_type::kind;
  if (type.what == kind::List) return list(path, type, node, at);
  if (type.what == kind::Weights) return weights(path, type, node, at);
  if (type.what == kind::Axes) return axes(path, type, node, at);
  const std::optional<json> value = scalar(type, node);
  return value ? value : wrong(path, type, node, at);
}

std::optional<json> yaml_value::scalar(const value_type& type, const YAML::Node& node) const {
  using kind = value_type::kind;
  if (!node.IsScalar()) return std::nullopt;
  const std::string& text = node.Scalar();
  if (std::count(type.names.begin(), type.names.end(), text) > 0) return json(text);
  switch (type.what) {
    case kind::Integer:
      if (const auto value = whole_number_in(node)) {
        const bool fits = type.allowed.empty() ? *value >= type.min && *value <= type.max
                                               : std::count(type.allowed.begin(), type.allowed.end(), *value) > 0;
        if (fits) return json(*value);
      }
      break;
    case kind::Number:
      if (const auto value = type.percent && !number_in(node) ? percentage_in(text) : number_in(node);
          value && *value >= type.low && *value <= type.high)
        return json(*value);
      break;
    case kind::Boolean:
      if (const auto value = boolean_in(node)) return json(*value);
      break;
    case kind::Text:
    case kind::Name:
      if (is_text(text)) return json(text);
      break;
    case kind::Path:
      if (is_text(text)) return json((m_base / text).lexically_normal().string());
      break;
    case kind::Choice:
    case kind::List:
    case kind::Weights:
    case kind::Axes:
      break;
  }
  return std::nullopt;
}

std::optional<json> yaml_value::list(const std::string& path, const value_type& type, const YAML::Node& node,
                                     const YAML::Mark& at) const {
  if (!node.IsSequence()) return wrong(path, type, node, at);
  if (node.size() < type.least || node.size() > type.most) {
    m_errors.add(at, fmt::format("{}: expected {}, got a list of length {}{}", path, type.describe(), node.size(),
                                 node.size() == 0 ? type.if_empty : ""));
    return std::nullopt;
  }
  json elements = json::array();
  bool good = true;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const auto value = read(fmt::format("{}[{}]", path, i), *type.element, node[i], node[i].Mark());
    if (value)
      elements.push_back(*value);
    else
      good = false;
  }
  return good ? std::optional<json>(elements) : std::nullopt;
}

std::optional<json> yaml_value::weights(const std::string& path, const value_type& type, const YAML::Node& node,
                                        const YAML::Mark& at) const {
  if (!node.IsMap() || node.size() == 0) return wrong(path, type, node, at);
  value_type name, weight;
  name.what = value_type::kind::Integer;
  name.min = type.min;
  name.max = type.max;
  weight.what = value_type::kind::Number;
  weight.low = type.low;
  weight.high = type.high;
  json map = json::object();
  double sum = 0;
  for (const auto& entry : node) {
    // Accepts quoted numbers as well, because JSON, which is also valid YAML, always quotes keys.
    const auto from = parse_number<std::uint64_t>(entry.first.IsScalar() ? entry.first.Scalar() : "");
    if (!from || *from < name.min || *from > name.max) return wrong(path, name, entry.first, entry.first.Mark());
    const std::string text = std::to_string(*from);
    if (map.contains(text)) {
      m_errors.add(entry.first.Mark(), fmt::format("{}: {} is given twice", path, text));
      return std::nullopt;
    }
    const auto to = read(fmt::format("{}.{}", path, text), weight, entry.second, entry.second.Mark());
    if (!to) return std::nullopt;
    map[text] = *to;
    sum += to->get<double>();
  }
  if (sum > 0) return map;
  m_errors.add(at, fmt::format("{}: expected at least one weight above 0", path));
  return std::nullopt;
}

std::optional<json> yaml_value::axes(const std::string& path, const value_type& type, const YAML::Node& node,
                                     const YAML::Mark& at) const {
  if (!node.IsMap() || node.size() == 0) return wrong(path, type, node, at);
  json map = json::object();
  for (const auto& entry : node) {
    const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
    const bool values = entry.second.IsScalar() || (entry.second.IsSequence() && entry.second.size() > 0);
    if (name.empty() || !values) {
      m_errors.add(entry.first.Mark(),
                   fmt::format("{}.{}: expected a list of values or a range first:last:step, got {}", path, name,
                               shown(entry.second)));
      return std::nullopt;
    }
    if (map.contains(name)) {
      m_errors.add(entry.first.Mark(), fmt::format("{}: {} is given twice", path, name));
      return std::nullopt;
    }
    if (entry.second.IsScalar() && is_quoted(entry.second) && is_range(entry.second.Scalar())) {
      m_errors.add(entry.second.Mark(), fmt::format("{}.{}: expected a list of values or a range first:last:step, got "
                                                    "{}; a value in quotes is a text, so leave the quotes out",
                                                    path, name, shown(entry.second)));
      return std::nullopt;
    }
    map[name] = json::array();
    if (entry.second.IsScalar()) map[name].push_back(flow_text(entry.second));
    if (entry.second.IsSequence())
      for (const auto& value : entry.second) map[name].push_back(flow_text(value));
  }
  return map;
}

}  // namespace weft::experiment
