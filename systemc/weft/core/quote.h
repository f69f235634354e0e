// SPDX-License-Identifier: Apache-2.0
/// Puts \p text in single quotes for YAML. Only a single quote within the text is special; it is doubled.
#pragma once

#include <string>

namespace weft {

inline std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2) text.insert(at, "'");
  return "'" + text + "'";
}

}  // namespace weft
