// SPDX-License-Identifier: Apache-2.0
/// A YAML document as a tree of nodes, and the scalars in it.
///
/// Aliases (`*name`) stand for what their anchor holds. There are no merge keys: `<<` is a key like any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "weft/yaml/faults.h"

namespace weft {

/// All of \p file. \throws input_error
std::string read_yaml_file(const std::filesystem::path& file);

/// The most elements that the list at a path, "collective.sources", may have; none: any number.
using list_limits = std::function<std::optional<std::size_t>(const std::string& path)>;

/// The only document of \p text; undefined if there is none. Nothing if it is not YAML, or a list is longer than
/// \p limits allow: the fault is added. An element takes some 500 bytes, so that lists are counted before.
std::optional<YAML::Node> parse_yaml(const std::string& text, yaml_faults& faults, const list_limits& limits = {});

/// What \p map, if it is one, has under \p name; undefined if it has none.
YAML::Node value_in(const YAML::Node& map, const std::string& name);

/// Whether \p node has no value: an empty document, or a key with nothing behind it.
bool is_nothing(const YAML::Node& node);

/// What the user wrote, for "got …": a scalar in quotes, else "a list", "an empty map" or "nothing".
std::string shown(const YAML::Node& node);

/// Whether the scalar \p node stands in quotes.
bool is_quoted(const YAML::Node& node);

/// \p node as YAML on one line: a quoted scalar stays quoted.
std::string flow_text(const YAML::Node& node);
/// Of a number or boolean in quotes, where one without is expected, what to do; else nothing.
std::string quotes_hint(const YAML::Node& node);

/// "; did you mean 'torus'?": the one of \p names that is nearest to the scalar \p node, or nothing.
std::string name_hint(const YAML::Node& node, const std::vector<std::string>& names);

/// The value of a scalar of that type, if \p node is one. Numbers and booleans are not quoted; numbers are decimal.
std::optional<std::uint64_t> whole_number_in(const YAML::Node& node);
std::optional<double> number_in(const YAML::Node& node);
std::optional<bool> boolean_in(const YAML::Node& node);
/// Quoted or not, but not empty.
std::optional<std::string> text_in(const YAML::Node& node);

}  // namespace weft
