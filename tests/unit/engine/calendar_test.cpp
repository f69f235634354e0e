// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/base/calendar.h"

#include <vector>

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

TEST(unit_engine_calendar, skips_idle_time_in_a_few_steps) {
  constexpr cycle_t Far = 1'000'000'000'000'000;
  calendar due(5);
  for (const node_id node : {0U, 2U, 4U}) due.enter(node, Far + node);
  std::vector<node_id> popped;
  cycle_t at = 0;
  for (unsigned steps = 0; popped.size() < 3 && steps < 100; ++steps) {
    at = due.idle_until(at + 1, 2 * Far);
    due.pop(at, [&](node_id node) {
      EXPECT_EQ(at, Far + node);
      popped.push_back(node);
      return Never;
    });
  }
  EXPECT_EQ(popped, (std::vector<node_id>{0, 2, 4}));
  EXPECT_EQ(due.idle_until(at + 1, 2 * Far), 2 * Far);
}

TEST(unit_engine_calendar, idle_steps_end_at_the_limit) {
  constexpr cycle_t Limit = 100'000;
  calendar due(1);
  due.enter(0, 10 * Limit);
  unsigned steps = 0;
  for (cycle_t at = 0; at < Limit && steps < 100; ++steps) {
    at = due.idle_until(at + 1, Limit);
    ASSERT_LE(at, Limit);
    due.pop(at, [](node_id) { return Never; });
  }
  EXPECT_LT(steps, 100U);
  EXPECT_EQ(due.next(), 10 * Limit);
}

}  // namespace
}  // namespace weft::engine
