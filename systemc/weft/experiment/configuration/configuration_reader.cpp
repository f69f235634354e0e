// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/configuration/configuration_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/suggest.h"
#include "weft/experiment/configuration/coming_from.h"
#include "weft/experiment/configuration/wrong_value.h"
#include "weft/experiment/configuration/yaml_value.h"
#include "weft/file/read_bytes.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

namespace fs = std::filesystem;

namespace {

/// The key for files to read before.
constexpr const char* Include = "include";

/// Whether `weft run` or `weft collective` has written it.
bool is_result(const YAML::Node& document) {
  return value_in(document, "weft").IsDefined() && value_in(document, "configuration").IsDefined();
}

}  // namespace

configuration_reader::configuration_reader(configuration& c, yaml_faults& faults, std::vector<std::string> others)
    : m_configuration(c), m_faults(faults), m_others(std::move(others)), m_keys(keys(c)) {
  m_others.emplace_back(Include);
}

void configuration_reader::read_file(const YAML::Node& root) {
  if (is_result(root)) {
    m_configuration.recorded_by = text_in(value_in(root, "weft")).value_or("");
    m_configuration.output.name = text_in(value_in(root, "name")).value_or("");
  }
  read_document(root, m_configuration.file);
}

void configuration_reader::read_document(const YAML::Node& document, const fs::path& file) {
  const YAML::Node root = is_result(document) ? value_in(document, "configuration") : document;
  m_open.push_back(file);
  m_from = origin::kind::File;
  if (const YAML::Node list = value_in(root, Include); list.IsDefined()) read_includes(list, file);
  ++m_layer;
  m_base = file.parent_path();
  m_faults.read_file(file.string());
  read_section("", root, root.Mark());
  m_open.pop_back();
}

void configuration_reader::read_includes(const YAML::Node& list, const fs::path& file) {
  std::vector<std::string> others = {Include};
  m_others.swap(others);
  if (list.IsSequence())
    for (const YAML::Node& name : list) include(name, file);
  else
    include(list, file);
  m_others.swap(others);
}

void configuration_reader::include(const YAML::Node& name, const fs::path& file) {
  m_faults.read_file(file.string());  // others may have been included meanwhile
  const std::optional<std::string> text = text_in(name);
  if (!text) return m_faults.wrong(name.Mark(), Include, "a file or a list of files", name);
  const fs::path included = (file.parent_path() / *text).lexically_normal();
  std::error_code error;
  const auto around = std::find_if(m_open.begin(), m_open.end(),
                                   [&](const fs::path& one) { return fs::equivalent(one, included, error); });
  if (around != m_open.end()) {
    std::string circle;
    for (auto one = around; one != m_open.end(); ++one) circle += one->string() + " -> ";
    return m_faults.add(name.Mark(), fmt::format("include: files include each other: {}{}", circle, included.string()));
  }
  try {
    const std::string content = read_bytes(included);
    m_configuration.included.push_back(included);
    m_faults.read_file(included.string());
    if (const auto root = parse_yaml(content, m_faults)) read_document(*root, included);
  } catch (const file_error& e) {
    m_faults.add(name.Mark(), fmt::format("include: {} {}", included.string(), e.what()));
  }
}

void configuration_reader::read_setting(const setting& s) {
  m_from = origin::kind::CommandLine;
  m_layer = s.layer;
  m_base.clear();
  if (!check_key_of(s)) return;
  if (const std::string around = parent_of(s.key); !around.empty()) remember(around, YAML::Mark());
  if (const auto node = parse_yaml(s.value, m_faults)) read(s.key, *node, node->Mark());
}

bool configuration_reader::check_key_of(const setting& s) {
  m_faults.read_value(s.place);
  return check_path(s.key);
}

const key* configuration_reader::find_key(const std::string& path) const {
  const auto at = std::find_if(m_keys.begin(), m_keys.end(), [&](const key& k) { return k.path == path; });
  return at == m_keys.end() ? nullptr : &*at;
}

const section* configuration_reader::find_section(const std::string& path) {
  const auto& all = sections();
  const auto at = std::find_if(all.begin(), all.end(), [&](const section& s) { return s.path == path; });
  return at == all.end() ? nullptr : &*at;
}

/// What may stand directly in the section \p path.
known_keys configuration_reader::keys_in(const std::string& path) const {
  known_keys known;
  const auto add = [&](const std::string& other) {
    if (!other.empty() && parent_of(other) == path) known.names.push_back(name_of(other));
  };
  for (const section& s : sections()) add(s.path);
  for (const key& k : m_keys) add(k.path);
  if (path.empty()) known.names.insert(known.names.end(), m_others.begin(), m_others.end());
  known.first = [path](const std::string& name) { return key_hint(path, name); };
  known.last = [this](const std::string& name) {  // the right name in the wrong section?
    for (const key& k : m_keys)
      if (name_of(k.path) == name) return fmt::format("; did you mean '{}'?", k.path);
    return std::string();
  };
  return known;
}

/// Whether \p path of a setting exists; a fault otherwise.
bool configuration_reader::check_path(const std::string& path) {
  if (find_key(path) || find_section(path)) return true;
  if (std::find(m_others.begin(), m_others.end(), path) != m_others.end()) {
    m_faults.add(YAML::Mark(), fmt::format("{} stands in files only", path));
    return false;
  }
  std::string around = parent_of(path), name = path.substr(around.empty() ? 0 : around.size() + 1);
  while (!around.empty() && !find_section(around)) {
    if (find_key(around)) {
      m_faults.add(YAML::Mark(), fmt::format("{} is not a section, it has no '{}'", around, name));
      return false;
    }
    name = name_of(around);
    around = parent_of(around);
  }
  if (around.empty()) name = path.substr(0, path.find('.'));
  add_unknown_key(m_faults, YAML::Mark(), name, around, keys_in(around));
  return false;
}

void configuration_reader::remember(const std::string& path, const YAML::Mark& mark) {
  origin& o = m_configuration.given[path];
  o.from = m_from;
  o.layer = m_layer;
  o.place = m_faults.place(mark);
}

/// \p at: place of the key, for values that have none.
void configuration_reader::read(const std::string& path, const YAML::Node& node, const YAML::Mark& at) {
  if (const key* k = find_key(path))
    read_key(*k, node, at);
  else if (std::find(m_others.begin(), m_others.end(), path) == m_others.end())
    read_section(path, node, at);
}

void configuration_reader::read_section(const std::string& path, const YAML::Node& node, const YAML::Mark& at) {
  if (!path.empty()) remember(path, at);
  if (is_nothing(node)) return;  // all keys left out, or commented out
  const known_keys known = keys_in(path);
  if (node.IsMap()) {
    for_each_key(m_faults, node, path, known,
                 [&](const std::string& name, const YAML::Node& value, const YAML::Mark& mark) {
                   read(path.empty() ? name : path + "." + name, value, mark);
                 });
    return;
  }
  const section* s = find_section(path);
  if (s && !s->shorthand.empty() && node.IsScalar()) {
    if (!s->keeps) reset(path);
    remember(path, at);
    return read_key(*find_key(s->shorthand), node, at);
  }
  const bool is_list_of_shorthands = s && !s->shorthand.empty() && node.IsSequence();
  m_faults.add(node.Mark(), fmt::format("{}: expected a map with {}, got {}{}", path.empty() ? "configuration" : path,
                                        fmt::join(known.names, ", "), shown(node),
                                        node.IsScalar()         ? choice_hint(path, node.Scalar())
                                        : is_list_of_shorthands ? sweep_hint(s->shorthand)
                                                                : ""));
}

/// A hint where \p value, in place of the section's map, is or may be a value of one of its keys.
std::string configuration_reader::choice_hint(const std::string& around, const std::string& value) const {
  std::string foreign;
  for (const key& k : m_keys) {
    if (parent_of(k.path) != around) continue;
    if (const std::string meant = nearest(value, k.type.names); !meant.empty())
      return fmt::format("; did you mean '{}: {}'?", k.path, meant);
    if (foreign.empty()) foreign = value_hint(k.path, value);
  }
  return foreign;
}

/// Back to defaults: a value in place of a section's map means nothing but this value.
void configuration_reader::reset(const std::string& around) {
  configuration defaults;
  const std::vector<key> fresh = keys(defaults);
  for (std::size_t i = 0; i < m_keys.size(); ++i) {
    if (!within(m_keys[i].path, around)) continue;
    m_keys[i].set(fresh[i].get());
    m_configuration.given.erase(m_keys[i].path);
  }
}

void configuration_reader::read_key(const key& k, const YAML::Node& node, const YAML::Mark& at) {
  const YAML::Mark& mark = is_nothing(node) ? at : node.Mark();
  remember(k.path, mark);
  if (const std::optional<json> value = yaml_value(m_faults, m_base).read(k.path, k.type, node, mark)) k.set(*value);
}

}  // namespace weft::experiment
