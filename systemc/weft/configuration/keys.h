// SPDX-License-Identifier: Apache-2.0
/// The table of configuration keys. Each key is declared once; everything else is derived from the table.
///
/// The files …_keys.cpp contain the parts of the table. Topologies, routings and patterns declare their own names, keys
/// and descriptions. Weft uses the table to read and check configuration files and `--set` (configuration.cpp), to
/// generate the JSON Schema and the page of the user guide (schema.cpp), and to write the configuration into results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "weft/configuration/configuration.h"

namespace weft::experiment {

using json = nlohmann::ordered_json;

/// The values that a key accepts.
struct value_type {
  enum class kind : std::uint8_t {
    Integer,  ///< in [min, max], or one of `allowed` if that is not empty
    Number,   ///< in [low, high]
    Boolean,
    Text,     ///< not empty
    Name,     ///< a text; a number is also accepted
    Path,     ///< path of a file or directory, relative to the file that contains it
    Choice,   ///< one of `names`
    List,     ///< `least` to `most` values of type `element`
    Weights,  ///< a map from integers in [min, max] to numbers in [low, high]
    Axes,     ///< a map from keys to their sweep values
  };
  kind what = kind::Text;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  double low = 0;
  double high = 0;
  bool percent = false;  ///< Number: may also be a percentage, such as "1 %" for 0.01
  std::vector<std::uint64_t> allowed;
  std::vector<std::string> names;             ///< Choice: all names; Integer, Number: names accepted besides numbers
  std::map<std::string, std::string> former;  ///< Choice: former names that are still accepted, and their new names
  std::shared_ptr<const value_type> element;
  std::size_t least = 0;
  std::size_t most = 0;
  std::string if_empty;  ///< List: remedy in the message for an empty list: "; leave the key out"

  /// Describes the accepted values, such as "an integer from 1 to 16". With \p many, the description is in the plural,
  /// for the elements of a list: "integers from 1 to 16".
  std::string describe(bool many = false) const;
};

/// A condition for a key or section to have an effect.
struct condition {
  std::string key;                    ///< for a section: whether it is given is whether it has keys
  std::string value;                  ///< required value of that key; empty: the key must not be given
  bool differs = false;               ///< reverses the condition: `value` is forbidden; if empty, the key must be given
  std::vector<std::string> others{};  ///< further values that satisfy the condition
  bool of_file = false;               ///< whether `value` is the kind of the file in the key, such as "a netrace"
  std::string otherwise{};  ///< message after "… has no effect" if the condition does not hold; empty: derived
};

/// One key. `set` and `get` work on the configuration that keys() was called with.
struct key {
  std::string path;
  value_type type;
  std::function<void(const json&)> set;  ///< stores a value that has been checked against `type`
  std::function<json()> get;
  std::function<std::string()>
      file_is;  ///< kind of the file, for of_file; empty: unknown, so it satisfies all conditions
  std::string unit;
  std::string description;
  std::vector<condition> needs;
  std::string default_text;  ///< description of a default that depends on other keys
};

/// A group of keys.
struct section {
  std::string path;
  std::string description;
  std::string shorthand;  ///< key that receives a plain value given in place of the section's map
  std::vector<condition> needs;
  bool keeps = false;  ///< whether a plain value leaves the section's other keys as they are, instead of resetting them
};

/// The sections that every configuration has, parents before children.
const std::vector<section>& sections();

/// All sections of \p c, parents before children.
std::vector<section> sections_of(const configuration& c);

/// All keys, bound to \p c.
std::vector<key> keys(configuration& c);

/// Whether the key or section \p path is \p around or lies in it. The section "" contains everything.
bool within(const std::string& path, const std::string& around);

/// The section that contains a key, and the name of the key in it: "network.router" and "vcs" for "network.router.vcs".
std::string parent_of(const std::string& path);
std::string name_of(const std::string& path);

/// The values that \p c names: "mesh", or "mesh or torus".
std::string values_of(const condition& c);

/// Whether \p c holds for the configuration that \p table is bound to.
bool holds(const condition& c, const std::vector<key>& table);

/// \p value as users write it in YAML, such as `[8, 8]`.
std::string yaml_text(const json& value);

/// \p value as JSON on one line. Bytes that are not UTF-8 are replaced, because JSON requires UTF-8 and names from
/// users may contain other bytes.
std::string compact_text(const json& value);

/// The JSON pointer to a key or a statistic: "/network/router/vcs" for "network.router.vcs".
json::json_pointer pointer_to(const std::string& path);

/// The configuration as nested JSON in the order of the table. Contains every key that has an effect, including
/// defaults. Paths are relative to the configuration file. Weft can read the JSON as a configuration file with the same
/// meaning. Omits `schedule`, `sweep` and `explore`, because other commands use them, and the keys of `output` that do
/// not change results: directory, name, progress, json and csv.
json to_json(const configuration& c);

/// Like to_json(), but paths are relative to the directory of \p file.
json to_json_in(const std::filesystem::path& file, configuration c);

}  // namespace weft::experiment
