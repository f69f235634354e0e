// SPDX-License-Identifier: Apache-2.0
#include "weft/core/round_robin.h"

#include "unit/core/draws.h"
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/core/members.h"

namespace weft {
namespace {

TEST(unit_core_round_robin, selects_the_first_requester_at_or_after_the_pointer) {
  EXPECT_EQ(round_robin(0b10110, 0), 1U);
  EXPECT_EQ(round_robin(0b10110, 1), 1U);
  EXPECT_EQ(round_robin(0b10110, 2), 2U);
  EXPECT_EQ(round_robin(0b10110, 3), 4U);
  EXPECT_EQ(round_robin(0b10110, 5), 1U);
  EXPECT_EQ(round_robin(0x80000000U, 31), 31U);
  EXPECT_EQ(round_robin(1U, 31), 0U);
}

TEST(unit_core_round_robin, members_are_visited_lowest_first) {
  std::vector<unsigned> members;
  for_each_member(0x80000409U, [&](unsigned i) { members.push_back(i); });
  EXPECT_EQ(members, (std::vector<unsigned>{0, 3, 10, 31}));
  for_each_member(0, [](unsigned) { FAIL() << "an empty set has no members"; });
}

TEST(unit_core_round_robin, next_index_wraps_around) {
  EXPECT_EQ(next_index(0, 1), 0U);
  EXPECT_EQ(next_index(0, 3), 1U);
  EXPECT_EQ(next_index(2, 3), 0U);
}

RC_GTEST_PROP(unit_core_round_robin, distance_is_the_number_of_steps_from_the_pointer, ()) {
  const unsigned count = 1 + below(300);
  const unsigned pointer = below(count), steps = below(count);
  unsigned contender = pointer;
  for (unsigned step = 0; step < steps; ++step) contender = next_index(contender, count);
  RC_ASSERT(round_robin_distance(contender, pointer, count) == steps);
  const unsigned start = below(32), passed = below(32);
  RC_ASSERT(round_robin_distance((start + passed) % 32, start) == passed);
}

RC_GTEST_PROP(unit_core_round_robin, matches_a_circular_scan, ()) {
  const auto requests = *rc::gen::suchThat<std::uint32_t>([](std::uint32_t r) { return r != 0; });
  const unsigned pointer = below(32);
  unsigned expected = pointer;
  while ((requests >> expected & 1) == 0) expected = (expected + 1) % 32;
  RC_ASSERT(round_robin(requests, pointer) == expected);
}

RC_GTEST_PROP(unit_core_round_robin, persistent_requesters_take_turns, ()) {
  const unsigned count = 1 + below(32);
  const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
  const std::uint32_t requests = (*rc::gen::arbitrary<std::uint32_t>() & all) | 1U << below(count);
  const unsigned contenders = static_cast<unsigned>(__builtin_popcount(requests));
  unsigned pointer = below(count);
  std::map<unsigned, unsigned> wins;
  for (unsigned round = 0; round < 3 * contenders; ++round) {
    const unsigned winner = round_robin(requests, pointer);
    RC_ASSERT((requests >> winner & 1) == 1);
    ++wins[winner];
    pointer = next_index(winner, count);
  }
  for_each_member(requests, [&](unsigned i) { RC_ASSERT(wins[i] == 3U); });
}

}  // namespace
}  // namespace weft
