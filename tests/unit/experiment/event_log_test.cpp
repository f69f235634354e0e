// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/event_log.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

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

TEST(unit_experiment_event_log, writes_numbers_of_any_length) {
  std::string text, expected = "cycle kind node vc packet sequence\n";
  event_log log([&](std::string_view part) { text += part; });
  const std::uint32_t most = ~std::uint32_t{0};
  for (std::uint64_t number = 1; number != 0; number = number > ~std::uint64_t{0} / 10 ? 0 : number * 10) {
    for (const std::uint64_t n : {number - 1, number, number + 7}) {
      const auto small = static_cast<std::uint32_t>(std::min<std::uint64_t>(n, most));
      log.add(event_log::kind::Eject, {n, small, small / 2, n, small});
      expected += std::to_string(n) + " eject " + std::to_string(small) + " " + std::to_string(small / 2) + " " +
                  std::to_string(n) + " " + std::to_string(small) + "\n";
    }
  }
  log.add(event_log::kind::Inject, {~cycle_t{0}, most, most, ~packet_id{0}, most});
  expected += "18446744073709551615 inject 4294967295 4294967295 18446744073709551615 4294967295\n";
  log.finish();
  EXPECT_EQ(text, expected);
}

TEST(unit_experiment_event_log, does_not_pile_up) {
  std::size_t parts = 0;
  event_log log([&](std::string_view) { ++parts; });
  for (cycle_t c = 0; c < 100'000; ++c) log.add(event_log::kind::Inject, {c, 0, 0, c, 0});
  EXPECT_GT(parts, 10u);
}

}  // namespace
}  // namespace weft::experiment
