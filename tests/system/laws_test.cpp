// SPDX-License-Identifier: Apache-2.0
/// Laws that hold in every network, in networks drawn at random. WEFT_SEED repeats a run.
#include "support/laws.h"

#include "support/child.h"
#include "support/random.h"
#include <iostream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace {

constexpr unsigned LawCases = 60;

class system_laws : public testing::TestWithParam<unsigned> {};

TEST_P(system_laws, hold_in_random_networks) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t packets = 0, flits = 0;
  for (unsigned i = 0; i < LawCases; ++i) {
    const std::uint64_t seed = test_seed() + GetParam() * LawCases + i;
    const network_case c = random_case(seed);
    const std::string verdict = verdict_in_child([&c] { return run_under_laws(c); });
    std::istringstream words(verdict);
    std::string ok;
    std::uint64_t case_packets = 0, case_flits = 0;
    words >> ok >> case_packets >> case_flits;
    ASSERT_EQ(ok, "ok") << verdict << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
    packets += case_packets;
    flits += case_flits;
  }
  EXPECT_GE(packets, 100u * LawCases / 2);
  EXPECT_GE(flits, 500u * LawCases / 2);
}

// The everyday run, and one of 2,000 networks under the label `soak`.
INSTANTIATE_TEST_SUITE_P(random, system_laws, testing::Range(0u, 4u));
INSTANTIATE_TEST_SUITE_P(soak, system_laws, testing::Range(100u, 134u));

}  // namespace
