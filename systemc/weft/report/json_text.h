// SPDX-License-Identifier: Apache-2.0
/// The layout of Weft's JSON files.
#pragma once

#include <string>

#include "weft/configuration/keys.h"

namespace weft::experiment {

/// Formats JSON for a file, with a line for each value and a line for each list of numbers and texts. Bytes that are
/// not UTF-8, which file names may contain, are replaced, because JSON requires UTF-8.
std::string to_text(const json& j);

}  // namespace weft::experiment
