// SPDX-License-Identifier: Apache-2.0
/// Checks invariants that hold in every network, on random networks. WEFT_SEED repeats a run.
#include "support/invariants.h"

#include "support/random.h"
#include "support/subprocess.h"
#include <iostream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace {

constexpr unsigned InvariantCases = 60;

class system_invariants : public testing::TestWithParam<unsigned> {};

TEST_P(system_invariants, hold_in_random_networks) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t packets = 0, flits = 0;
  for (unsigned i = 0; i < InvariantCases; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * InvariantCases + i;
    const network_case c = random_case(seed);
    const std::string result = run_in_subprocess([&c] { return run_checking_invariants(c); });
    std::istringstream words(result);
    std::string ok;
    std::uint64_t case_packets = 0, case_flits = 0;
    words >> ok >> case_packets >> case_flits;
    ASSERT_EQ(ok, "ok") << result << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    packets += case_packets;
    flits += case_flits;
  }
  EXPECT_GE(packets, 100u * InvariantCases / 2);
  EXPECT_GE(flits, 500u * InvariantCases / 2);
}

// The normal run; the label `soak` runs 2,000 networks.
INSTANTIATE_TEST_SUITE_P(random, system_invariants, testing::Range(0u, 4u));
INSTANTIATE_TEST_SUITE_P(soak, system_invariants, testing::Range(100u, 134u));

}  // namespace
