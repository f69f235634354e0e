// SPDX-License-Identifier: Apache-2.0
/// Errors for verilated modules that are requested but not compiled.
#pragma once

#include <stdexcept>
#include <string>

namespace weft::tb {

/// Rejects a requested module.
/// \param why    reason why the module does not exist
/// \param remedy what the user can change
/// \throws std::invalid_argument always, with both texts
[[noreturn]] inline void reject(const std::string& why, const std::string& remedy) {
  throw std::invalid_argument(why + "; " + remedy + ", or leave the key out");
}

/// Returns the advice to build the missing module: to extend \p given, the present value of the CMake option \p option,
/// by \p more.
inline std::string build_with(const std::string& option, const std::string& given, const std::string& more) {
  return given.empty() ? "build with -D" + option + "=" + more
                       : "build with '-D" + option + "=" + given + ";" + more + "'";
}

}  // namespace weft::tb
