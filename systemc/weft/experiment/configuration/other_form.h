// SPDX-License-Identifier: Apache-2.0
/// Files that are given as configurations and are something else.
#pragma once

#include <optional>
#include <string>

#include "weft/yaml/document.h"

namespace weft::experiment {

/// What \p text is, and where it belongs, if it is a file of another kind: "is GraphML; expected …". Empty if it may be
/// a configuration. \param root what it is as YAML, if it is that
std::string other_form(const std::optional<YAML::Node>& root, const std::string& text);

}  // namespace weft::experiment
