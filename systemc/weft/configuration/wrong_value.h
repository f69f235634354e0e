// SPDX-License-Identifier: Apache-2.0
/// Hints for values that do not fit their key.
#pragma once

#include <string>

#include "weft/configuration/keys.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

/// A hint that begins with "; ", or an empty text. Covers other simulators' terms, quoted numbers, 1e4 or 1,000 for an
/// integer, 30 % for a fraction, 8x8 for a list, the nearest numbers or names, and sweeps.
std::string wrong_value_hint(const std::string& path, const value_type& type, const YAML::Node& node);

/// The part of the hint for a list where \p key takes a single value.
std::string sweep_hint(const std::string& key);

}  // namespace weft::experiment
