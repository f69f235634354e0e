// SPDX-License-Identifier: Apache-2.0
/// The intrusive queue, and the table of outstanding messages by tag, compared with standard containers.
#include "support/random.h"
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

#include <gtest/gtest.h>

#include "weft/tlm/chain.h"
#include "weft/tlm/tag_table.h"

namespace {

struct link_of_chain {
  link_of_chain* next = nullptr;
};

}  // namespace

TEST(tlm_queues, chain_returns_elements_in_insertion_order) {
  weft::tlm2::chain<link_of_chain> queue;
  link_of_chain links[3];
  EXPECT_EQ(queue.front(), nullptr);
  for (unsigned round = 0; round < 2; ++round) {  // a link may be reused
    for (link_of_chain& l : links) queue.push_back(&l);
    EXPECT_EQ(queue.size(), 3U);
    EXPECT_EQ(queue.front()->next, &links[1]);
    for (link_of_chain& l : links) EXPECT_EQ(queue.pop_front(), &l);
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.size(), 0U);
  }
}

/// Tags are sequential. Some stay so long that later tags would use the same entries of the table.
TEST(tlm_queues, tag_table_matches_a_map) {
  weft::tlm2::tag_table<unsigned> table;
  std::map<std::uint16_t, unsigned> expected;
  rng d(test_seed());
  std::uint16_t next = 0;
  std::size_t most = 0;
  for (unsigned i = 0; i < 50'000; ++i) {
    if (d.chance(0.5) && expected.size() < 300) {
      while (expected.count(next) > 0) next = (next + 1) % 4096;
      table.enter(next, i);
      expected.emplace(next, i);
      next = (next + 1) % 4096;
    } else if (!expected.empty()) {
      // Usually the smallest tag, sometimes another one.
      auto at = expected.begin();
      if (d.chance(0.2)) std::advance(at, d.between(0, static_cast<std::uint32_t>(expected.size()) - 1));
      ASSERT_EQ(table.remove(at->first), at->second);
      expected.erase(at);
    }
    ASSERT_EQ(table.size(), expected.size());
    const auto tag = static_cast<std::uint16_t>(d.between(0, 4095));
    const auto known = expected.find(tag);
    const unsigned* const found = table.find(tag);
    ASSERT_EQ(found != nullptr, known != expected.end());
    if (found != nullptr) {
      ASSERT_EQ(*found, known->second);
    }
    most = std::max(most, expected.size());
  }
  EXPECT_GT(most, 50U);
}
