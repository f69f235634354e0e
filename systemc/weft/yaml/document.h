// SPDX-License-Identifier: Apache-2.0
/// A YAML document as a tree of nodes, and its scalars.
/// Aliases (`*name`) are replaced by the value of their anchor. Merge keys are not supported: `<<` is an ordinary key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "weft/yaml/errors.h"

namespace weft {

/// Returns the contents of \p file. \throws input_error
std::string read_yaml_file(const std::filesystem::path& file);

/// Maximum list sizes, by path such as "collective.sources". No value means no limit.
using list_limits = std::function<std::optional<std::size_t>(const std::string& path)>;

/// Parses the only document of \p text; an empty text gives an undefined node. Returns nothing, and records the error,
/// if \p text is not YAML or a list exceeds \p limits. Lists are counted before nodes are created, because an element
/// takes about 500 bytes.
std::optional<YAML::Node> parse_yaml(const std::string& text, yaml_errors& errors, const list_limits& limits = {});

/// The value of the key \p name in \p map; undefined if there is none or \p map is not a map.
YAML::Node value_in(const YAML::Node& map, const std::string& name);

/// Whether \p node has no value: an empty document, or a key without a value.
bool is_nothing(const YAML::Node& node);

/// Describes the user's input, to follow "got" in a message: a scalar in quotes, otherwise "a list", "an empty map" or
/// "nothing".
std::string shown(const YAML::Node& node);

/// Whether the scalar \p node is quoted.
bool is_quoted(const YAML::Node& node);

/// Writes \p node as YAML on one line. A quoted scalar stays quoted.
std::string flow_text(const YAML::Node& node);
/// A hint for a quoted number or boolean where an unquoted one is expected; otherwise empty.
std::string quotes_hint(const YAML::Node& node);

/// Returns "; did you mean 'torus'?" with the name of \p names most similar to the scalar \p node; empty if none is
/// similar.
std::string name_hint(const YAML::Node& node, const std::vector<std::string>& names);

/// The value of \p node if it is a scalar of the type that the function reads, otherwise nothing. Numbers and booleans
/// must not be quoted; numbers are decimal.
std::optional<std::uint64_t> whole_number_in(const YAML::Node& node);
std::optional<double> number_in(const YAML::Node& node);
std::optional<bool> boolean_in(const YAML::Node& node);
/// The text of a scalar, quoted or not, if it is not empty.
std::optional<std::string> text_in(const YAML::Node& node);

}  // namespace weft
