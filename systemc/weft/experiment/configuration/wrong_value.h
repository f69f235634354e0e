// SPDX-License-Identifier: Apache-2.0
/// What would do in place of a value that does not fit its key.
#pragma once

#include <string>

#include "weft/experiment/configuration/keys.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

/// Begins with "; ", or is empty. It is about another simulator's word, quotes around a number, 1e4 or 1,000 for a
/// whole number, 30 % for a share, 8x8 for a list, the nearest numbers or the nearest name, or sweeps.
std::string wrong_value_hint(const std::string& path, const value_type& type, const YAML::Node& node);

/// The part of it for a list where \p key takes one value.
std::string sweep_hint(const std::string& key);

}  // namespace weft::experiment
