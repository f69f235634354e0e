// SPDX-License-Identifier: Apache-2.0
/// Formats whole numbers for sentences in messages.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

/// The digits of \p value in groups of three: "20,100".
inline std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

/// The number \p count with its noun \p what, in the plural unless it is 1: "1 step", "20,100 steps".
inline std::string number_of(std::uint64_t count, const std::string& what) {
  return grouped(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace weft
