// SPDX-License-Identifier: Apache-2.0
/// Detects that a file given as a configuration is of another kind, such as a network file.
#pragma once

#include <optional>
#include <string>

#include "weft/yaml/document.h"

namespace weft::experiment {

/// If \p text is the contents of a file of another kind, returns the end of an error message that names the kind and
/// the place for such a file: "is GraphML; expected …". Empty if the text may be a configuration. \param root the
/// parsed YAML, if it is YAML
std::string other_form(const std::optional<YAML::Node>& root, const std::string& text);

}  // namespace weft::experiment
