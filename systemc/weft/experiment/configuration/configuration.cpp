#include "weft/experiment/configuration/configuration.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include "weft/core/suggest.h"
#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/configuration/network.h"
#include "weft/topology/files/yaml_document.h"

namespace weft::experiment {

namespace {

/// Reads YAML into a configuration by the table of keys, collecting errors.
class reader {
 public:
  explicit reader(configuration& c) : m_configuration(c), m_keys(keys(c)) {}

  std::vector<diagnostic> take_errors() { return std::move(m_errors); }

  void read_file(const std::string& text) {
    m_from = origin::kind::File;
    m_base = m_configuration.file.parent_path();
    const std::string name = m_configuration.file.string();
    m_place = [name](const YAML::Mark& mark) { return fmt::format("{}:{}:{}", name, mark.line + 1, mark.column + 1); };
    parse(text, [this](const YAML::Node& root) { read_section("", root, root.Mark()); });
  }

  void read_setting(const setting& s) {
    m_from = origin::kind::CommandLine;
    m_base.clear();
    m_place = [place = s.place](const YAML::Mark&) { return place; };
    if (!check_path(s.key)) return;
    if (const std::string around = parent_of(s.key); !around.empty()) remember(around, YAML::Mark());
    parse(s.value, [this, &s](const YAML::Node& node) { read(s.key, node, node.Mark()); });
  }

 private:
  void error(const YAML::Mark& mark, std::string message) { m_errors.push_back({m_place(mark), std::move(message)}); }

  template <class Use>
  void parse(const std::string& text, Use use) {
    try {
      use(load_document(text));
    } catch (const YAML::Exception& e) {
      error(e.mark, "YAML syntax: " + e.msg);
    }
  }

  const key* find_key(const std::string& path) const {
    const auto at = std::find_if(m_keys.begin(), m_keys.end(), [&](const key& k) { return k.path == path; });
    return at == m_keys.end() ? nullptr : &*at;
  }

  static const section* find_section(const std::string& path) {
    const auto& all = sections();
    const auto at = std::find_if(all.begin(), all.end(), [&](const section& s) { return s.path == path; });
    return at == all.end() ? nullptr : &*at;
  }

  /// Names directly in a section.
  std::vector<std::string> names_in(const std::string& path) const {
    std::vector<std::string> names;
    const auto add = [&](const std::string& other) {
      if (!other.empty() && parent_of(other) == path) names.push_back(name_of(other));
    };
    for (const section& s : sections()) add(s.path);
    for (const key& k : m_keys) add(k.path);
    return names;
  }

  void unknown(const YAML::Mark& mark, const std::string& around, const std::string& name) {
    const std::vector<std::string> here = names_in(around);
    std::string hint = did_you_mean(name, here);
    if (hint.empty()) {  // the right name in the wrong place?
      for (const key& k : m_keys)
        if (hint.empty() && name_of(k.path) == name) hint = fmt::format("; did you mean '{}'?", k.path);
    }
    if (hint.empty()) hint = fmt::format("; expected one of {}", fmt::join(here, ", "));
    error(mark, fmt::format("unknown key '{}'{}{}", name, around.empty() ? "" : " in " + around, hint));
  }

  /// Whether \p path of a setting exists; an error otherwise.
  bool check_path(const std::string& path) {
    if (find_key(path) || find_section(path)) return true;
    std::string around = parent_of(path), name = path.substr(around.empty() ? 0 : around.size() + 1);
    while (!around.empty() && !find_section(around)) {
      if (find_key(around)) {
        error(YAML::Mark(), fmt::format("{} is not a section, it has no '{}'", around, name));
        return false;
      }
      name = name_of(around);
      around = parent_of(around);
    }
    if (around.empty()) name = path.substr(0, path.find('.'));
    unknown(YAML::Mark(), around, name);
    return false;
  }

  void remember(const std::string& path, const YAML::Mark& mark) {
    m_configuration.given[path] = {m_from, m_place(mark)};
  }

  /// \p at: place of the key, for values that have none.
  void read(const std::string& path, const YAML::Node& node, const YAML::Mark& at) {
    if (const key* k = find_key(path))
      read_key(*k, node, at);
    else
      read_section(path, node, at);
  }

  void read_section(const std::string& path, const YAML::Node& node, const YAML::Mark& at) {
    if (!path.empty()) remember(path, at);
    if (!node.IsDefined() || node.IsNull()) return;  // all keys left out, or commented out
    if (node.IsMap()) return read_map(path, node);
    const section* s = find_section(path);
    if (s && !s->shorthand.empty() && node.IsScalar()) {
      reset(path);
      remember(path, at);
      return read_key(*find_key(s->shorthand), node, at);
    }
    error(node.Mark(), fmt::format("{}: expected a map with {}, got {}", path.empty() ? "configuration" : path,
                                   fmt::join(names_in(path), ", "), shown(node)));
  }

  void read_map(const std::string& path, const YAML::Node& map) {
    const std::vector<std::string> names = names_in(path);
    std::set<std::string> seen;
    for (const auto& entry : map) {
      if (!entry.first.IsScalar()) {
        error(entry.first.Mark(), fmt::format("expected the name of a key, got {}", shown(entry.first)));
        continue;
      }
      const std::string& name = entry.first.Scalar();
      if (std::find(names.begin(), names.end(), name) == names.end())
        unknown(entry.first.Mark(), path, name);
      else if (!seen.insert(name).second)
        error(entry.first.Mark(), fmt::format("key '{}' is given twice", name));
      else
        read(path.empty() ? name : path + "." + name, entry.second, entry.first.Mark());
    }
  }

  /// Back to defaults: a value in place of a section's map means nothing but this value.
  void reset(const std::string& around) {
    configuration defaults;
    const std::vector<key> fresh = keys(defaults);
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
      if (!within(m_keys[i].path, around)) continue;
      m_keys[i].set(fresh[i].get());
      m_configuration.given.erase(m_keys[i].path);
    }
  }

  void read_key(const key& k, const YAML::Node& node, const YAML::Mark& at) {
    const bool nothing = !node.IsDefined() || node.IsNull();
    remember(k.path, nothing ? at : node.Mark());
    if (const std::optional<json> value = convert(k.path, k.type, node, nothing ? at : node.Mark())) k.set(*value);
  }

  std::optional<json> wrong(const std::string& path, const value_type& type, const YAML::Node& node,
                            const YAML::Mark& at) {
    const std::string hint = node.IsScalar() ? did_you_mean(node.Scalar(), type.names) : "";
    error(at, fmt::format("{}: expected {}, got {}{}", path, type.describe(), shown(node), hint));
    return std::nullopt;
  }

  std::optional<json> convert(const std::string& path, const value_type& type, const YAML::Node& node,
                              const YAML::Mark& at) {
    using kind = value_type::kind;
    if (type.what == kind::List) return convert_list(path, type, node, at);
    if (type.what == kind::Weights) return convert_weights(path, type, node, at);
    if (!node.IsScalar()) return wrong(path, type, node, at);
    const std::string& text = node.Scalar();
    const bool quoted = node.Tag() == "!";
    if (std::count(type.names.begin(), type.names.end(), text) > 0) return json(text);
    switch (type.what) {
      case kind::Integer:
        if (const auto value = parse_number<std::uint64_t>(text); value && !quoted) {
          const bool fits = type.allowed.empty() ? *value >= type.min && *value <= type.max
                                                 : std::count(type.allowed.begin(), type.allowed.end(), *value) > 0;
          if (fits) return json(*value);
        }
        break;
      case kind::Number:
        if (const auto value = parse_number<double>(text);
            value && !quoted && *value >= type.low && *value <= type.high)
          return json(*value);
        break;
      case kind::Boolean:
        if (!quoted && (text == "true" || text == "false")) return json(text == "true");
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
    return wrong(path, type, node, at);
  }

  std::optional<json> convert_list(const std::string& path, const value_type& type, const YAML::Node& node,
                                   const YAML::Mark& at) {
    if (!node.IsSequence()) return wrong(path, type, node, at);
    if (node.size() < type.least || node.size() > type.most) {
      error(at, fmt::format("{}: expected {}, got {} of them", path, type.describe(), node.size()));
      return std::nullopt;
    }
    json list = json::array();
    bool good = true;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const auto value = convert(fmt::format("{}[{}]", path, i), *type.element, node[i], node[i].Mark());
      if (value)
        list.push_back(*value);
      else
        good = false;
    }
    return good ? std::optional<json>(list) : std::nullopt;
  }

  std::optional<json> convert_weights(const std::string& path, const value_type& type, const YAML::Node& node,
                                      const YAML::Mark& at) {
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
        error(entry.first.Mark(), fmt::format("{}: {} is given twice", path, text));
        return std::nullopt;
      }
      const auto to = convert(fmt::format("{}.{}", path, text), weight, entry.second, entry.second.Mark());
      if (!to) return std::nullopt;
      map[text] = *to;
      sum += to->get<double>();
    }
    if (sum > 0) return map;
    error(at, fmt::format("{}: expected at least one weight above 0", path));
    return std::nullopt;
  }

  configuration& m_configuration;
  std::vector<key> m_keys;
  std::vector<diagnostic> m_errors;
  std::function<std::string(const YAML::Mark&)> m_place;
  std::filesystem::path m_base;
  origin::kind m_from = origin::kind::File;
};

/// Keys of a collective that mean nothing, as when an override chose another algorithm, back to their defaults.
void drop_unused(configuration& c) {
  configuration defaults;
  const std::vector<key> table = keys(c), fresh = keys(defaults);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool used = std::all_of(table[i].needs.begin(), table[i].needs.end(),
                                  [&](const condition& needed) { return holds(needed, table); });
    if (within(table[i].path, "collective") && !used) table[i].set(fresh[i].get());
  }
}

/// Defaults that depend on what was given.
void complete(configuration& c) {
  drop_unused(c);
  // Decompressor and XOR decoder may stall the network, so the ejector needs a buffer.
  if ((c.nic.compression.in_hardware() || c.nic.coding.enabled) &&
      c.given_by("nic.ejection_depth") == origin::kind::Default)
    c.nic.ejection_depth = c.router.depth;
  if (c.output.name.empty()) c.output.name = c.file.stem().string();
  complete_network(c);
  if (c.collective.algorithm) c.collective.what.algorithm = *c.collective.algorithm;
  c.collective.what.lengths =
      c.collective.lengths.empty() ? std::vector<std::uint32_t>{c.collective.length} : c.collective.lengths;
  if (!c.workload.packet_list.empty()) {
    if (c.given_by("simulation.warmup") == origin::kind::Default) c.simulation.warmup = 0;
    if (c.given_by("simulation.measure") == origin::kind::Default) c.simulation.measure = 0;
  }
}

std::string read_whole(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw configuration_error({{file.string(), "is a directory; expected a YAML file"}});
  std::ifstream in(file, std::ios::binary);
  if (!in) throw configuration_error({{file.string(), "cannot be opened; expected a YAML file"}});
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::string configuration::where(const std::string& key) const {
  for (std::string path = key; !path.empty(); path = parent_of(path))
    if (const auto at = given.find(path); at != given.end()) return at->second.place;
  return file.string() + ":1:1";
}

std::string configuration::where(std::initializer_list<const char*> keys) const {
  const char* const last = *std::max_element(
      keys.begin(), keys.end(), [this](const char* a, const char* b) { return given_by(a) < given_by(b); });
  return where(last);
}

origin::kind configuration::given_by(const std::string& key) const {
  const auto at = given.find(key);
  return at == given.end() ? origin::kind::Default : at->second.from;
}

std::uint64_t configuration::nodes() const { return count_nodes(*this); }

std::vector<std::uint32_t> configuration::grid() const {
  return topology.kind->grid && topology.nodes_per_router == 1 ? topology.shape : std::vector<std::uint32_t>();
}

std::filesystem::path configuration::result_file(const std::string& suffix) const {
  return output.directory / (output.name + suffix);
}

configuration_error::configuration_error(std::vector<diagnostic> found)
    : std::invalid_argument(one_line_each(found)), m_found(std::move(found)) {}

setting parse_setting(const std::string& text) {
  const std::string place = "--set " + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw configuration_error({{place, "expected KEY=VALUE, as in network.router.vcs=8"}});
  return {text.substr(0, equals), text.substr(equals + 1), place};
}

configuration parse_configuration(const std::string& text, const std::filesystem::path& file,
                                  const std::vector<setting>& settings) {
  configuration c;
  c.file = file;
  reader r(c);
  r.read_file(text);
  for (const setting& s : settings) r.read_setting(s);
  std::vector<diagnostic> errors = r.take_errors();
  complete(c);
  // Values that are wrong by themselves were left at their defaults: how those fit together says nothing.
  if (errors.empty()) errors = check_configuration(c);
  if (!errors.empty()) throw configuration_error(std::move(errors));
  return c;
}

configuration load_configuration(const std::filesystem::path& file, const std::vector<setting>& settings) {
  return parse_configuration(read_whole(file), file, settings);
}

}  // namespace weft::experiment
