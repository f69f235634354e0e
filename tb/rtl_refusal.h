// SPDX-License-Identifier: Apache-2.0
/// How the makers of verilated modules refuse what was not compiled.
#pragma once

#include <stdexcept>
#include <string>

namespace weft::tb {

/// \p why what is asked for cannot be had, and what to change: \p remedy. \throws std::invalid_argument
[[noreturn]] inline void refuse(const std::string& why, const std::string& remedy) {
  throw std::invalid_argument(why + "; " + remedy + ", or leave the key out");
}

/// How to build what is missing: \p option with \p more behind what it was \p given.
inline std::string build_with(const std::string& option, const std::string& given, const std::string& more) {
  return given.empty() ? "build with -D" + option + "=" + more
                       : "build with '-D" + option + "=" + given + ";" + more + "'";
}

}  // namespace weft::tb
