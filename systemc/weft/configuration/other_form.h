// SPDX-License-Identifier: Apache-2.0
/// Detects files of other kinds that are given as configurations.
#pragma once

#include <optional>
#include <string>

#include "weft/yaml/document.h"

namespace weft::experiment {

/// If \p text is a file of another kind, names the kind and where it belongs: "is GraphML; expected …". Empty if it may
/// be a configuration. \param root the parsed YAML, if it is YAML
std::string other_form(const std::optional<YAML::Node>& root, const std::string& text);

}  // namespace weft::experiment
