// SPDX-License-Identifier: Apache-2.0
/// Hints for values that do not fit their key.
#pragma once

#include <string>

#include "weft/configuration/keys.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

/// The hint for the value \p node of key \p path, which does not fit \p type. It begins with "; "; it is empty if there
/// is no hint. Covers terms of other simulators, quoted numbers, 1e4 or 1,000 for an integer, 30 % for a fraction, 8x8
/// for a list, numbers and names close to allowed ones, and lists for a sweep.
std::string wrong_value_hint(const std::string& path, const value_type& type, const YAML::Node& node);

/// The hint for a list given for \p key, which accepts a single value: use a sweep.
std::string sweep_hint(const std::string& key);

}  // namespace weft::experiment
