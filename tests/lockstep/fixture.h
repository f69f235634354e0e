// SPDX-License-Identifier: Apache-2.0
/// What the lockstep tests share: random numbers, the length of a run, and the demand that work was done.
#pragma once

#include "support/random.h"
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

namespace weft::lockstep {

class lockstep_test : public testing::Test {
 protected:
  lockstep_test() { std::cout << "seed: " << seed_note() << " repeats this run" << std::endl; }

  /// Cycles of a run: \p brief ones, or as many times more as WEFT_LOCKSTEP_LENGTH says (the soak tests set it).
  static std::uint64_t cycles(std::uint64_t brief) {
    const char* const factor = std::getenv("WEFT_LOCKSTEP_LENGTH");
    return brief * (factor == nullptr ? 1 : std::strtoull(factor, nullptr, 10));
  }

  static std::string seed_note() { return "WEFT_SEED=" + std::to_string(test_seed()); }

  /// For the registers without reset of the RTL: random bits, never zeros.
  int register_seed() { return static_cast<int>(random.between(1, 0x7fff'ffff)); }

  dice random{test_seed()};
};

}  // namespace weft::lockstep
