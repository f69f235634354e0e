// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"

#include <cstdlib>

std::uint64_t test_seed() {
  static const std::uint64_t seed = [] {
    const char* const given = std::getenv("WEFT_SEED");
    if (given != nullptr) return std::uint64_t{std::strtoull(given, nullptr, 0)};
    return std::uint64_t{std::random_device()()};
  }();
  return seed;
}
