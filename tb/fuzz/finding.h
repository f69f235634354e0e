// SPDX-License-Identifier: Apache-2.0
/// Reports a finding of a fuzz target: prints a line on stderr and calls abort(), so that libFuzzer stores the input.
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
