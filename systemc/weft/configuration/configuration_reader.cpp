// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/configuration_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/import_hints.h"
#include "weft/configuration/other_form.h"
#include "weft/configuration/traffic_sections.h"
#include "weft/configuration/wrong_value.h"
#include "weft/configuration/yaml_value.h"
#include "weft/core/nesting.h"
#include "weft/core/printable.h"
#include "weft/core/suggest.h"
#include "weft/core/warning.h"
#include "weft/file/read_bytes.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

namespace fs = std::filesystem;

namespace {

/// The key for included files.
constexpr const char* Include = "include";

/// Whether \p document is a result that Weft wrote.
bool is_result(const YAML::Node& document) {
  return value_in(document, "weft").IsDefined() && value_in(document, "configuration").IsDefined();
}

/// The canonical path of \p file, or its absolute path if there is no such file.
fs::path place_of(const fs::path& file) {
  std::error_code error;
  fs::path place = fs::canonical(file, error);
  return error ? fs::absolute(file, error).lexically_normal() : place;
}

}  // namespace

configuration_reader::configuration_reader(configuration& c, yaml_errors& errors, std::vector<std::string> others)
    : m_configuration(c), m_errors(errors), m_others(std::move(others)) {
  bind();
  m_others.emplace_back(Include);
}

void configuration_reader::read_file(const YAML::Node& root) {
  if (is_result(root)) {
    m_configuration.recorded_by = text_in(value_in(root, "weft")).value_or("");
    m_configuration.output.name = text_in(value_in(root, "name")).value_or("");
  }
  find_documents(root, m_configuration.file);
  std::vector<bool> seen(m_documents.size());
  std::vector<std::size_t> last_first;
  order_documents(0, seen, last_first);
  std::vector<std::string> others = {Include};
  m_others.swap(others);
  while (last_first.size() > 1) {
    read_document(m_documents[last_first.back()]);
    last_first.pop_back();
  }
  m_others.swap(others);
  read_document(m_documents.front());
}

/// Stores \p content, the document in \p file, and reads all files that it includes, recursively. Returns the number of
/// the document.
std::size_t configuration_reader::find_documents(const YAML::Node& content, const fs::path& file) {
  const std::size_t number = m_documents.size();
  m_documents.push_back({file, is_result(content) ? value_in(content, "configuration") : content, {}});
  m_number_of.emplace(place_of(file), number);
  const YAML::Node names = value_in(m_documents[number].root, Include);
  if (!names.IsDefined()) return number;
  m_open.push_back(number);
  const auto add = [&](const YAML::Node& name) {
    if (const std::optional<std::size_t> one = include(name, file)) m_documents[number].includes.push_back(*one);
  };
  if (names.IsSequence())
    for (const YAML::Node& name : names) add(name);
  else
    add(names);
  m_open.pop_back();
  return number;
}

list_limits configuration_reader::limits() const {
  return [this](const std::string& path) -> std::optional<std::size_t> {
    constexpr std::string_view OfResult = "configuration.";
    constexpr std::size_t MostListed = std::size_t{1} << 20;  // number of nodes of the largest networks
    const bool is_result = path.compare(0, OfResult.size(), OfResult) == 0;
    const key* const k = find_key(is_result ? path.substr(OfResult.size()) : path);
    return k && k->type.what == value_type::kind::List ? std::optional(MostListed) : std::nullopt;
  };
}

/// Reads the file \p name, which \p file includes, unless it has been read before. Returns the number of its document;
/// nothing after an error.
std::optional<std::size_t> configuration_reader::include(const YAML::Node& name, const fs::path& file) {
  m_errors.read_file(file.string());  // other files may have been read since
  const std::optional<std::string> text = text_in(name);
  if (!text) return m_errors.wrong(name.Mark(), Include, "a file or a list of files", name), std::nullopt;
  const fs::path included = (file.parent_path() / *text).lexically_normal();
  if (const auto known = m_number_of.find(place_of(included)); known != m_number_of.end()) {
    const auto around = std::find(m_open.begin(), m_open.end(), known->second);
    if (around == m_open.end()) return known->second;
    note_circle(static_cast<std::size_t>(around - m_open.begin()), name.Mark(), included);
    return std::nullopt;
  }
  if (m_open.size() > MostNested) {
    m_errors.add(name.Mark(), fmt::format("include: files are nested more than {} deep; nest them less", MostNested));
    return std::nullopt;
  }
  try {
    const std::string content = read_bytes(included);
    m_configuration.included.push_back(included);
    yaml_errors trial(included.string());
    if (const std::string other = other_form(parse_yaml(content, trial, limits()), content); !other.empty()) {
      m_errors.add(name.Mark(), fmt::format("include: {} {}", abridged(included.string()), other));
      return std::nullopt;
    }
    m_errors.read_file(included.string());
    if (const auto root = parse_yaml(content, m_errors, limits())) return find_documents(*root, included);
  } catch (const file_error& e) {
    m_errors.add(name.Mark(), fmt::format("include: {} {}", abridged(included.string()), e.what()));
  }
  return std::nullopt;
}

void configuration_reader::note_circle(std::size_t first, const YAML::Mark& at, const fs::path& again) {
  std::string circle;
  for (std::size_t i = first; i < m_open.size(); ++i) circle += m_documents[m_open[i]].file.string() + " -> ";
  m_errors.add(at, fmt::format("include: files include each other in a cycle, {}{}", circle, again.string()));
}

/// Appends document \p number and all documents that it includes to \p last_first, each once, in reverse order of
/// reading.
void configuration_reader::order_documents(std::size_t number, std::vector<bool>& seen,
                                           std::vector<std::size_t>& last_first) const {
  seen[number] = true;
  last_first.push_back(number);
  const std::vector<std::size_t>& inner = m_documents[number].includes;
  for (auto one = inner.rbegin(); one != inner.rend(); ++one)
    if (!seen[*one]) order_documents(*one, seen, last_first);
}

void configuration_reader::read_document(const document& d) {
  m_from = origin::kind::File;
  ++m_layer;
  m_base = d.file.parent_path();
  m_errors.read_file(d.file.string());
  read_section("", d.root, d.root.Mark());
}

void configuration_reader::read_setting(const setting& s) {
  m_from = origin::kind::CommandLine;
  m_layer = s.layer;
  m_base.clear();
  if (!check_key_of(s)) return;
  if (const std::string around = parent_of(s.key); !around.empty()) note_place(around, YAML::Mark());
  if (const auto node = parse_yaml(s.value, m_errors)) read(s.key, *node, node->Mark());
}

bool configuration_reader::check_key_of(const setting& s) {
  m_errors.read_value(s.place);
  return check_path(s.key);
}

const key* configuration_reader::find_key(const std::string& path) const {
  const auto at = std::find_if(m_keys.begin(), m_keys.end(), [&](const key& k) { return k.path == path; });
  return at == m_keys.end() ? nullptr : &*at;
}

const section* configuration_reader::find_section(const std::string& path) const {
  const auto at = std::find_if(m_sections.begin(), m_sections.end(), [&](const section& s) { return s.path == path; });
  return at == m_sections.end() ? nullptr : &*at;
}

/// Finds the keys and sections of the configuration. Pointers to earlier ones become invalid.
void configuration_reader::bind() {
  m_keys = keys(m_configuration);
  m_sections = sections_of(m_configuration);
}

/// Adds the traffics that \p names, a map, has as keys.
void configuration_reader::add_traffics(const YAML::Node& names, const YAML::Mark& at) {
  if (names.size() == 0)
    m_errors.add(at, fmt::format("{}: expected at least one traffic, got none; leave the key out", TrafficsSection));
  for (const auto& entry : names)
    if (const std::optional<std::string> name = text_in(entry.first);
        name && is_traffic_name(*name) && m_configuration.workload.traffics.size() < MaxTraffics)
      add_traffic(m_configuration, *name);
  bind();
}

/// The keys that are allowed directly in section \p path.
known_keys configuration_reader::keys_in(const std::string& path) const {
  known_keys known;
  const auto add = [&](const std::string& other) {
    if (!other.empty() && parent_of(other) == path) known.names.push_back(name_of(other));
  };
  for (const section& s : m_sections) add(s.path);
  for (const key& k : m_keys) add(k.path);
  if (path.empty()) known.names.insert(known.names.end(), m_others.begin(), m_others.end());
  known.first = [this, path](const std::string& name) {
    return path == TrafficsSection && !is_traffic_name(name)
               ? "; the name of a traffic begins with a letter and consists of letters, digits and '_'"
           : path == TrafficsSection && m_configuration.workload.traffics.size() == MaxTraffics
               ? fmt::format("; there can be at most {} traffics", MaxTraffics)
               : key_hint(path, name);
  };
  known.last = [this](const std::string& name) {  // the key may belong to another section
    for (const key& k : m_keys)
      if (name_of(k.path) == name) return fmt::format("; did you mean '{}'?", k.path);
    return std::string();
  };
  return known;
}

/// Whether \p path of a setting exists; records an error if not.
bool configuration_reader::check_path(const std::string& path) {
  if (find_key(path) || find_section(path)) return true;
  if (std::find(m_others.begin(), m_others.end(), path) != m_others.end()) {
    m_errors.add(YAML::Mark(), fmt::format("{} is allowed only in configuration files", path));
    return false;
  }
  std::string around = parent_of(path), name = path.substr(around.empty() ? 0 : around.size() + 1);
  while (!around.empty() && !find_section(around)) {
    if (find_key(around)) {
      m_errors.add(YAML::Mark(),
                   fmt::format("{} is a key and not a section, so it has no key {}", around, in_quotes(name)));
      return false;
    }
    name = name_of(around);
    around = parent_of(around);
  }
  if (around.empty()) name = path.substr(0, path.find('.'));
  add_unknown_key(m_errors, YAML::Mark(), name, around, keys_in(around));
  return false;
}

void configuration_reader::note_place(const std::string& path, const YAML::Mark& mark) {
  origin& o = m_configuration.given[path];
  o.from = m_from;
  o.layer = m_layer;
  o.place = m_errors.place(mark);
}

/// Reads the value of the key or section \p path. \param at place of the key, for errors if \p node has no place
void configuration_reader::read(const std::string& path, const YAML::Node& node, const YAML::Mark& at) {
  if (const key* k = find_key(path))
    read_key(*k, node, at);
  else if (std::find(m_others.begin(), m_others.end(), path) == m_others.end())
    read_section(path, node, at);
}

void configuration_reader::read_section(const std::string& path, const YAML::Node& node, const YAML::Mark& at) {
  if (!path.empty()) note_place(path, at);
  if (is_nothing(node)) return;  // all keys are missing or commented out
  if (path == TrafficsSection && node.IsMap()) add_traffics(node, at);
  const known_keys known = keys_in(path);
  if (node.IsMap()) {
    for_each_key(m_errors, node, path, known,
                 [&](const std::string& name, const YAML::Node& value, const YAML::Mark& mark) {
                   read(path.empty() ? name : path + "." + name, value, mark);
                 });
    return;
  }
  const section* s = find_section(path);
  if (s && !s->shorthand.empty() && node.IsScalar()) {
    if (!s->keeps) reset(path);
    note_place(path, at);
    return read_key(*find_key(s->shorthand), node, at);
  }
  const bool is_list_of_shorthands = s && !s->shorthand.empty() && node.IsSequence();
  m_errors.add(node.Mark(), fmt::format("{}: expected a map {}, got {}{}", path.empty() ? "configuration" : path,
                                        path == TrafficsSection ? "from names to the keys of traffics"
                                                                : fmt::format("with {}", fmt::join(known.names, ", ")),
                                        shown(node),
                                        node.IsScalar()         ? choice_hint(path, node.Scalar())
                                        : is_list_of_shorthands ? sweep_hint(s->shorthand)
                                                                : ""));
}

/// The hint for \p value, which was given instead of a map with the keys of section \p around. Empty unless the value
/// is, or is close to, a value of one of these keys.
std::string configuration_reader::choice_hint(const std::string& around, const std::string& value) const {
  std::string hint;
  for (const key& k : m_keys) {
    if (parent_of(k.path) != around) continue;
    if (const std::string meant = nearest(value, k.type.names); !meant.empty())
      return fmt::format("; did you mean '{}: {}'?", k.path, meant);
    if (hint.empty()) hint = value_hint(k.path, value);
  }
  return hint;
}

/// Resets section \p around to its defaults. A plain value instead of a map sets one key and resets the others.
void configuration_reader::reset(const std::string& around) {
  configuration defaults = defaults_like(m_configuration);
  const std::vector<key> fresh = keys(defaults);
  for (std::size_t i = 0; i < m_keys.size(); ++i) {
    if (!within(m_keys[i].path, around)) continue;
    m_keys[i].set(fresh[i].get());
    m_configuration.given.erase(m_keys[i].path);
  }
}

void configuration_reader::read_key(const key& k, const YAML::Node& node, const YAML::Mark& at) {
  const YAML::Mark& mark = is_nothing(node) ? at : node.Mark();
  note_place(k.path, mark);
  const YAML::Node renamed = with_new_name(k, node, mark);
  if (const std::optional<json> value = yaml_value(m_errors, m_base).read(k.path, k.type, renamed, mark)) k.set(*value);
}

/// The new name if \p node is a former name of a choice, otherwise \p node. A former name gives a warning, except in
/// results, which an earlier version of Weft may have written.
YAML::Node configuration_reader::with_new_name(const key& k, const YAML::Node& node, const YAML::Mark& at) const {
  const auto found = node.IsScalar() ? k.type.former.find(node.Scalar()) : k.type.former.end();
  if (found == k.type.former.end()) return node;
  const auto& [former, name] = *found;
  if (m_configuration.recorded_by.empty())
    warn({m_errors.place(at), fmt::format("{}: '{}' is now called '{}'; write '{}'", k.path, former, name, name)});
  return YAML::Node(name);
}

}  // namespace weft::experiment
