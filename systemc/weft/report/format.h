// SPDX-License-Identifier: Apache-2.0
/// Formats of numbers and texts in results.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "weft/core/quantity.h"

namespace weft::experiment {

/// Version of Weft, "0.2.0".
const char* version();

/// 0 if \p whole is 0.
double ratio(std::uint64_t part, std::uint64_t whole);

/// The same as "12.5 %".
std::string percent(std::uint64_t part, std::uint64_t whole);

/// "39.36 ± 0.20", or without the interval if there is none.
std::string plus_minus(double mean, const std::optional<double>& half_width, int digits);

/// The message of \p e; for exhausted memory, with a remedy.
std::string message_of(const std::exception& e);

}  // namespace weft::experiment
