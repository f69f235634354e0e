// SPDX-License-Identifier: Apache-2.0
/// Reads numbers and rates in the columns of workload files.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "weft/core/printable.h"

namespace weft {

/// The number that \p text consists of; nothing if it is not a number of type \p T.
template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

/// The rate in \p text: 0, or a number from 1e-18 to 1e18, so that no sum overflows and ratios are exact to the
/// precision of a double.
inline std::optional<double> rate_in(std::string_view text) {
  const std::optional<double> rate = number_in<double>(text);
  return rate && (*rate == 0 || (*rate >= 1e-18 && *rate <= 1e18)) ? rate : std::nullopt;
}

/// The message for a text that is no rate.
inline std::string expected_rate(std::string_view found) {
  return fmt::format("expected a rate, 0 or a number from 1e-18 to 1e18, found {}",
                     found.empty() ? "nothing" : in_quotes(std::string(found)));
}

}  // namespace weft
