/// Reading YAML: what the readers of networks and of configurations have in common.
#pragma once

#include <string>

#include <yaml-cpp/yaml.h>

namespace weft {

/// The only document of \p text, undefined if there is none. \throws YAML::Exception
YAML::Node load_document(const std::string& text);

/// What the user wrote, for "got …".
std::string shown(const YAML::Node& node);

}  // namespace weft
