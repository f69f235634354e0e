// SPDX-License-Identifier: Apache-2.0
#include "weft/yaml/section.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/printable.h"
#include "weft/core/suggest.h"

namespace weft {

void add_unknown_key(yaml_errors& errors, const YAML::Mark& at, const std::string& name, const std::string& path,
                     const known_keys& keys) {
  std::string hint = keys.first ? keys.first(name) : "";
  if (hint.empty()) hint = did_you_mean(name, keys.names);
  if (hint.empty() && keys.last) hint = keys.last(name);
  if (hint.empty()) hint = fmt::format("; expected one of {}", fmt::join(keys.names, ", "));
  errors.add(at, fmt::format("unknown key {}{}{}", in_quotes(name), path.empty() ? "" : " in " + path, hint));
}

void for_each_key(yaml_errors& errors, const YAML::Node& map, const std::string& path, const known_keys& keys,
                  const std::function<void(const std::string&, const YAML::Node&, const YAML::Mark&)>& use) {
  std::set<std::string> seen;
  for (const auto& entry : map) {
    const YAML::Mark at = entry.first.Mark();
    if (!entry.first.IsScalar()) {
      errors.add(at, fmt::format("expected the name of a key, got {}", shown(entry.first)));
      continue;
    }
    const std::string& name = entry.first.Scalar();
    if (std::find(keys.names.begin(), keys.names.end(), name) == keys.names.end())
      add_unknown_key(errors, at, name, path, keys);
    else if (!seen.insert(name).second)
      errors.add(at, fmt::format("key '{}' is given twice; give it once", name));
    else
      use(name, entry.second, at);
  }
}

yaml_section::yaml_section(yaml_errors& errors, const YAML::Node& node, std::string path,
                           std::vector<std::string> names, const std::string& document)
    : m_errors(&errors), m_node(node), m_path(std::move(path)), m_title(m_path.empty() ? document : m_path) {
  if (!node.IsMap()) {
    errors.wrong(node.Mark(), m_title, fmt::format("a map with {}", fmt::join(names, ", ")), node);
    return;
  }
  for_each_key(errors, node, m_path, {std::move(names)},
               [this](const std::string& name, const YAML::Node& value, const YAML::Mark& at) {
                 m_entries.push_back({name, value, is_nothing(value) ? at : value.Mark()});
               });
}

const yaml_section::entry* yaml_section::find(const std::string& key) const {
  const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const entry& e) { return e.name == key; });
  return found == m_entries.end() ? nullptr : &*found;
}

YAML::Mark yaml_section::mark_of(const std::string& key) const {
  const entry* const e = find(key);
  return e ? e->at : m_node.Mark();
}

bool yaml_section::need(const std::string& key) const {
  if (has(key)) return true;
  if (is_map()) m_errors->add(m_node.Mark(), fmt::format("{}: '{}' is missing", m_title, key));
  return false;
}

std::uint64_t yaml_section::number(const std::string& key, std::uint64_t min, std::uint64_t max,
                                   std::uint64_t otherwise) const {
  return has(key) ? read_number(*m_errors, (*this)[key], path(key), min, max, otherwise) : otherwise;
}

std::uint64_t yaml_section::needed_number(const std::string& key, std::uint64_t min, std::uint64_t max) const {
  return need(key) ? number(key, min, max, min) : min;
}

bool yaml_section::boolean(const std::string& key, bool otherwise) const {
  if (!has(key)) return otherwise;
  if (const auto value = boolean_in((*this)[key])) return *value;
  m_errors->wrong(mark_of(key), path(key), "true or false", (*this)[key], quotes_hint((*this)[key]));
  return otherwise;
}

std::string yaml_section::text(const std::string& key) const {
  if (!has(key)) return {};
  if (const auto value = text_in((*this)[key])) return *value;
  m_errors->wrong(mark_of(key), path(key), "a text", (*this)[key]);
  return {};
}

std::size_t yaml_section::choice(const std::string& key, const std::vector<std::string>& names) const {
  if (!need(key)) return 0;
  const YAML::Node node = (*this)[key];
  const auto found = std::find(names.begin(), names.end(), node.IsScalar() ? node.Scalar() : "");
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  m_errors->wrong(mark_of(key), path(key), fmt::format("one of {}", fmt::join(names, ", ")), node,
                  name_hint(node, names));
  return 0;
}

void yaml_section::each(const std::string& key, const char* of,
                        const std::function<void(const YAML::Node&, const std::string&)>& use) const {
  if (!has(key)) return;
  const YAML::Node list = (*this)[key];
  if (!list.IsSequence()) return m_errors->wrong(mark_of(key), path(key), fmt::format("a list of {}", of), list);
  for (std::size_t i = 0; i < list.size(); ++i) use(list[i], fmt::format("{}[{}]", path(key), i));
}

std::vector<std::uint64_t> yaml_section::numbers(const std::string& key, std::uint64_t max) const {
  std::vector<std::uint64_t> found;
  each(key, "whole numbers", [&](const YAML::Node& element, const std::string& where) {
    found.push_back(read_number(*m_errors, element, where, 0, max, 0));
  });
  return found;
}

std::uint64_t read_number(yaml_errors& errors, const YAML::Node& node, const std::string& path, std::uint64_t min,
                          std::uint64_t max, std::uint64_t otherwise) {
  const auto value = whole_number_in(node);
  if (value && *value >= min && *value <= max) return *value;
  errors.wrong(node.Mark(), path, fmt::format("a whole number from {} to {}", min, max), node, quotes_hint(node));
  return otherwise;
}

}  // namespace weft
