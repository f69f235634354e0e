// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/event_log.h"

#include <gtest/gtest.h>

namespace weft::experiment {
namespace {

TEST(unit_experiment_event_log, orders_the_events_of_a_cycle) {
  std::string text;
  event_log log([&](std::string_view part) { text += part; });
  using kind = event_log::kind;
  log.add(kind::Eject, {7, 1, 0, 5, 0});
  log.add(kind::Inject, {7, 2, 1, 9, 3});
  log.add(kind::Inject, {7, 2, 0, 10, 0});
  log.add(kind::Inject, {7, 0, 3, 11, 1});
  log.add(kind::Inject, {8, 0, 0, 1, 0});
  log.finish();
  EXPECT_EQ(text,
            "cycle kind node vc packet sequence\n"
            "7 inject 0 3 11 1\n"
            "7 inject 2 0 10 0\n"
            "7 inject 2 1 9 3\n"
            "7 eject 1 0 5 0\n"
            "8 inject 0 0 1 0\n");
}

TEST(unit_experiment_event_log, is_a_header_where_nothing_happened) {
  std::string text;
  event_log log([&](std::string_view part) { text += part; });
  log.finish();
  EXPECT_EQ(text, "cycle kind node vc packet sequence\n");
}

TEST(unit_experiment_event_log, does_not_pile_up) {
  std::size_t parts = 0;
  event_log log([&](std::string_view) { ++parts; });
  for (cycle_t c = 0; c < 100'000; ++c) log.add(event_log::kind::Inject, {c, 0, 0, c, 0});
  EXPECT_GT(parts, 10u);
}

}  // namespace
}  // namespace weft::experiment
