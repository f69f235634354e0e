// SPDX-License-Identifier: Apache-2.0
/// Report of a finding by a fuzz target: a line on stderr, and abort(), which makes libFuzzer store the input.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace weft::fuzz {

[[noreturn]] inline void found(const std::string& what) {
  std::fprintf(stderr, "finding: %s\n", what.c_str());
  std::abort();
}

inline void require(bool condition, const char* rule) {
  if (!condition) found(rule);
}

}  // namespace weft::fuzz
