// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/configuration/yaml_value.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "weft/core/suggest.h"
#include "weft/experiment/configuration/coming_from.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

std::optional<json> yaml_value::wrong(const std::string& path, const value_type& type, const YAML::Node& node,
                                      const YAML::Mark& at) const {
  const std::string hint = node.IsScalar() ? value_hint(path, node.Scalar()) : "";
  if (hint.empty())
    m_faults.wrong(at, path, type.describe(), node, type.names);
  else
    m_faults.add(at, fmt::format("{}: expected {}, got {}{}", path, type.describe(), shown(node), hint));
  return std::nullopt;
}

std::optional<json> yaml_value::read(const std::string& path, const value_type& type, const YAML::Node& node,
                                     const YAML::Mark& at) const {
  using kind = value_type::kind;
  if (type.what == kind::List) return list(path, type, node, at);
  if (type.what == kind::Weights) return weights(path, type, node, at);
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
      if (const auto value = number_in(node); value && *value >= type.low && *value <= type.high) return json(*value);
      break;
    case kind::Boolean:
      if (const auto value = boolean_in(node)) return json(*value);
      break;
    case kind::Text:
      if (!text.empty()) return json(text);
      break;
    case kind::Path:
      if (!text.empty()) return json((m_base / text).lexically_normal().string());
      break;
    case kind::Choice:
    case kind::List:
    case kind::Weights:
      break;
  }
  return std::nullopt;
}

std::optional<json> yaml_value::list(const std::string& path, const value_type& type, const YAML::Node& node,
                                     const YAML::Mark& at) const {
  if (!node.IsSequence()) return wrong(path, type, node, at);
  if (node.size() < type.least || node.size() > type.most) {
    m_faults.add(at, fmt::format("{}: expected {}, got {} of them", path, type.describe(), node.size()));
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
    // Quoted or not: JSON, which is YAML too, has no other names than texts.
    const auto from = parse_number<std::uint64_t>(entry.first.IsScalar() ? entry.first.Scalar() : "");
    if (!from || *from < name.min || *from > name.max) return wrong(path, name, entry.first, entry.first.Mark());
    const std::string text = std::to_string(*from);
    if (map.contains(text)) {
      m_faults.add(entry.first.Mark(), fmt::format("{}: {} is given twice", path, text));
      return std::nullopt;
    }
    const auto to = read(fmt::format("{}.{}", path, text), weight, entry.second, entry.second.Mark());
    if (!to) return std::nullopt;
    map[text] = *to;
    sum += to->get<double>();
  }
  if (sum > 0) return map;
  m_faults.add(at, fmt::format("{}: expected at least one weight above 0", path));
  return std::nullopt;
}

}  // namespace weft::experiment
