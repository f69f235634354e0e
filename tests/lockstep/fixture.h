// SPDX-License-Identifier: Apache-2.0
/// The base class of the lockstep tests. It has random numbers, the length of a run, and the check that a run did
/// enough work.
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

  /// Number of cycles of a run: \p brief times the factor WEFT_LOCKSTEP_LENGTH, which is 1 by default and larger in the
  /// soak tests.
  static std::uint64_t cycles(std::uint64_t brief) {
    const char* const factor = std::getenv("WEFT_LOCKSTEP_LENGTH");
    return brief * (factor == nullptr ? 1 : std::strtoull(factor, nullptr, 10));
  }

  static std::string seed_note() { return "WEFT_SEED=" + std::to_string(test_seed()); }

  /// A seed for the RTL registers without reset, which start with random bits. (With seed 0 they would start as zeros.)
  int register_seed() { return static_cast<int>(random.between(1, 0x7fff'ffff)); }

  rng random{test_seed()};
};

}  // namespace weft::lockstep
