// SPDX-License-Identifier: Apache-2.0
/// Names of users in messages and comments.
#pragma once

#include <string>

#include <fmt/format.h>

namespace weft {

/// \p text with control characters written out, a line feed as `\x0a`, but for those in \p kept.
inline std::string printable(const std::string& text, const std::string& kept = "") {
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code >= ' ' && code != 0x7f) || kept.find(c) != std::string::npos)
      shown += c;
    else
      shown += fmt::format("\\x{:02x}", code);
  }
  return shown;
}

}  // namespace weft
