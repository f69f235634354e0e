// SPDX-License-Identifier: Apache-2.0
/// Errors of the makers of verilated modules for modules that are not compiled.
#pragma once

#include <stdexcept>
#include <string>

namespace weft::tb {

/// \param why    reason why the requested module does not exist
/// \param remedy what to change
/// \throws std::invalid_argument
[[noreturn]] inline void reject(const std::string& why, const std::string& remedy) {
  throw std::invalid_argument(why + "; " + remedy + ", or leave the key out");
}

/// Advice to build the missing module: the CMake option \p option with its present value \p given extended by \p more.
inline std::string build_with(const std::string& option, const std::string& given, const std::string& more) {
  return given.empty() ? "build with -D" + option + "=" + more
                       : "build with '-D" + option + "=" + given + ";" + more + "'";
}

}  // namespace weft::tb
