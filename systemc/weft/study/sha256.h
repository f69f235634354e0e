// SPDX-License-Identifier: Apache-2.0
/// Computes the hash that identifies stored points and detects damaged rows.
#pragma once

#include <string>
#include <string_view>

namespace weft::experiment {

/// SHA-256 of \p bytes (FIPS 180-4), as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace weft::experiment
