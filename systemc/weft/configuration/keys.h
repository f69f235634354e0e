// SPDX-License-Identifier: Apache-2.0
/// The table of configuration keys. Each key is declared once; everything else is derived from the table.
///
/// The table consists of parts, …_keys.cpp; topologies, routings and patterns declare their own names, keys and
/// descriptions. Reading and checking (configuration.cpp), the JSON Schema and the user guide's page (schema.cpp),
/// `--set`, and the configuration in the results are all views of this table.
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
    Name,     ///< the same, but numbers are also names
    Path,     ///< of a file or directory, relative to the file that names it
    Choice,   ///< one of `names`
    List,     ///< least…most times `element`
    Weights,  ///< a map from integers in [min, max] to numbers in [low, high]
    Axes,     ///< a map from keys to their sweep values
  };
  kind what = kind::Text;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  double low = 0;
  double high = 0;
  bool percent = false;  ///< Number: may be written as a percentage: "1 %" is 0.01
  std::vector<std::uint64_t> allowed;
  std::vector<std::string> names;             ///< Choice: the names; Integer, Number: names allowed in addition
  std::map<std::string, std::string> former;  ///< Choice: former names that are still accepted, and their new names
  std::shared_ptr<const value_type> element;
  std::size_t least = 0;
  std::size_t most = 0;
  std::string if_empty;  ///< List: end of the error message for an empty list, with a remedy: "; leave the key out"

  /// "an integer from 1 to 16"; \p many for the elements of a list: "integers from 1 to 16".
  std::string describe(bool many = false) const;
};

/// A condition for a key or section to have an effect.
struct condition {
  std::string key;
  std::string value;                  ///< required value of that key; empty: the key must not be given
  bool differs = false;               ///< whether `value` is forbidden instead; empty: the key must be given
  std::vector<std::string> others{};  ///< other required values
  bool of_file = false;               ///< whether `value` is the kind of file that the key names, as "a netrace"
  std::string otherwise{};            ///< error message if the condition does not hold; empty: derived
};

/// One key. `set` and `get` work on the configuration that keys() was called with.
struct key {
  std::string path;
  value_type type;
  std::function<void(const json&)> set;  ///< stores a value that has been checked against `type`
  std::function<json()> get;
  std::function<std::string()> file_is;  ///< for of_file; an empty text (unknown kind) satisfies all conditions
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
  bool keeps = false;  ///< whether such a value keeps the other keys of the section instead of resetting them
};

/// All sections, parents before children.
const std::vector<section>& sections();

/// All keys, bound to \p c.
std::vector<key> keys(configuration& c);

/// Whether key or section \p path is in section \p around; "" contains everything.
bool within(const std::string& path, const std::string& around);

/// Section and last name of a path: "network.router" and "vcs".
std::string parent_of(const std::string& path);
std::string name_of(const std::string& path);

/// The values that satisfy \p c: "mesh", or "mesh or torus".
std::string values_of(const condition& c);

/// Whether \p c holds for the configuration that \p table is bound to.
bool holds(const condition& c, const std::vector<key>& table);

/// A value in user syntax: `[8, 8]`.
std::string yaml_text(const json& value);

/// \p value on one line. Bytes that are not UTF-8, as in a user's names, are replaced, because JSON requires UTF-8.
std::string compact_text(const json& value);

/// The position of a key, or a statistic, in JSON: "/network/router/vcs" for "network.router.vcs".
json::json_pointer pointer_to(const std::string& path);

/// The configuration as nested JSON in the order of the table: every key with an effect, including defaults; paths are
/// relative to the configuration file. It reads back as a configuration file with the same meaning. Omits `schedule`
/// and `sweep`, which describe other tasks, and the keys of `output` that do not change results: directory, name,
/// progress, json, csv.
json to_json(const configuration& c);

/// The same for a file \p file, to which paths are relative.
json to_json_in(const std::filesystem::path& file, configuration c);

}  // namespace weft::experiment
