// SPDX-License-Identifier: Apache-2.0
/// \p text in single quotes for YAML: only the quote itself is special, and is doubled.
#pragma once

#include <string>

namespace weft::experiment {

inline std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2) text.insert(at, "'");
  return "'" + text + "'";
}

}  // namespace weft::experiment
