// SPDX-License-Identifier: Apache-2.0
/// The table of configuration keys: each declared once, and everything derived from it.
///
/// The table is made of parts, …_keys.cpp; topologies, routings and patterns declare their own names, keys and words.
/// Reading and checking (configuration.cpp), the JSON Schema and the user guide's page (schema.cpp), `--set`,
/// and the configuration in the results are all views of this table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "weft/experiment/configuration/configuration.h"

namespace weft::experiment {

using json = nlohmann::ordered_json;

/// What a key accepts.
struct value_type {
  enum class kind : std::uint8_t {
    Integer,  ///< in [min, max], or one of `allowed` where there are any
    Number,   ///< in [low, high]
    Boolean,
    Text,     ///< not empty
    Name,     ///< the same, and numbers are names, too
    Path,     ///< of a file or directory, relative to the file that names it
    Choice,   ///< one of `names`
    List,     ///< least…most times `element`
    Weights,  ///< a map from integers in [min, max] to numbers in [low, high]
    Axes,     ///< a map from keys to values that they go through
  };
  kind what = kind::Text;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  double low = 0;
  double high = 0;
  bool percent = false;  ///< Number: "1 %" is one, 0.01
  std::vector<std::uint64_t> allowed;
  std::vector<std::string> names;  ///< Integer, Number: names that stand beside them
  std::shared_ptr<const value_type> element;
  std::size_t least = 0;
  std::size_t most = 0;
  std::string if_empty;  ///< List: end of the error of an empty one, what to do instead: "; leave the key out"

  /// "an integer from 1 to 16"; \p many for the elements of a list: "integers from 1 to 16".
  std::string describe(bool many = false) const;
};

/// A key or section means something only if this holds.
struct condition {
  std::string key;
  std::string value;                  ///< the value that key must have; empty: the key must not be given
  bool differs = false;               ///< the value that key must not have; empty: the key must be given
  std::vector<std::string> others{};  ///< values that will do as well
  bool of_file = false;               ///< value is what the file is that the key names, as in "a netrace"
  std::string otherwise{};            ///< what errors say of a key where this does not hold; empty: made of the above
};

/// One key. `set` and `get` work on the configuration that keys() was called with.
struct key {
  std::string path;
  value_type type;
  std::function<void(const json&)> set;  ///< takes a value that was checked against `type`
  std::function<json()> get;
  std::function<std::string()> file_is;  ///< of conditions of_file; empty text: that cannot be told, and all hold
  std::string unit;
  std::string description;
  std::vector<condition> needs;
  std::string default_text;  ///< of a default that depends on others
};

/// A group of keys.
struct section {
  std::string path;
  std::string description;
  std::string shorthand;  ///< key that a plain value in place of the section's map is for
  std::vector<condition> needs;
  bool keeps = false;  ///< such a value leaves the other keys as they are, in place of setting them to their defaults
};

/// All sections, parents before children.
const std::vector<section>& sections();

/// All keys, bound to \p c.
std::vector<key> keys(configuration& c);

/// Whether key or section \p path lies within section \p around ("" is around everything).
bool within(const std::string& path, const std::string& around);

/// Path and last name of a key's section: "network.router" and "vcs".
std::string parent_of(const std::string& path);
std::string name_of(const std::string& path);

/// "mesh", or "mesh or torus": what the key of \p c is compared with.
std::string values_of(const condition& c);

/// Whether \p c holds for the configuration that \p table is bound to.
bool holds(const condition& c, const std::vector<key>& table);

/// A value as a user would write it: `[8, 8]`.
std::string yaml_text(const json& value);

/// \p value in one line. JSON is UTF-8, which a user's names may not be: what is not is replaced.
std::string compact_text(const json& value);

/// Where a key, or a statistic, is in JSON: "/network/router/vcs" of "network.router.vcs".
json::json_pointer pointer_to(const std::string& path);

/// The configuration as nested JSON in the order of the table: every key that has an effect, defaults
/// included, paths relative to the configuration file. Reads back as a configuration file with the same
/// meaning. Without `schedule`, which is another question, `sweep`, which asks for others, and without the keys of
/// `output` that change no result: directory, name, progress, json, csv.
json to_json(const configuration& c);

/// The same in \p file: paths are relative to that.
json to_json_in(const std::filesystem::path& file, configuration c);

}  // namespace weft::experiment
