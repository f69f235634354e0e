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

}  // namespace weft::tb
