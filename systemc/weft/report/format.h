// SPDX-License-Identifier: Apache-2.0
/// Formats numbers and texts for results.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "weft/core/parameters.h"
#include "weft/core/quantity.h"

namespace weft::experiment {

/// Version of Weft, "0.2.0".
const char* version();

/// \p part / \p whole; 0 if \p whole is 0.
double ratio(std::uint64_t part, std::uint64_t whole);

/// \p part / \p whole as a percentage, such as "12.5 %"; "0.0 %" if \p whole is 0.
std::string percent(std::uint64_t part, std::uint64_t whole);

/// A mean with its interval, such as "39.36 ± 0.20"; only the mean if \p half_width has no value.
std::string plus_minus(double mean, const std::optional<double>& half_width, int digits);

/// The buffers and the pipeline of a router, such as "4 VCs of 8 flits, 4 pipeline cycles".
std::string describe(const router_parameters& router);

/// The message of \p e. If memory is exhausted, the message suggests remedies.
std::string message_of(const std::exception& e);

}  // namespace weft::experiment
