// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/event_log.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/simulation/event_lines.h"

namespace weft::experiment {
namespace {

TEST(unit_experiment_event_log, orders_the_events_of_a_cycle) {
  std::string text;
  event_log log([&](std::string_view part) { text += part; });
  using kind = flit_passage;
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

TEST(unit_experiment_event_log, is_only_a_header_if_there_are_no_events) {
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
      log.add(flit_passage::Eject, {n, small, small / 2, n, small});
      expected += std::to_string(n) + " eject " + std::to_string(small) + " " + std::to_string(small / 2) + " " +
                  std::to_string(n) + " " + std::to_string(small) + "\n";
    }
  }
  log.add(flit_passage::Inject, {~cycle_t{0}, most, most, ~packet_id{0}, most});
  expected += "18446744073709551615 inject 4294967295 4294967295 18446744073709551615 4294967295\n";
  log.finish();
  EXPECT_EQ(text, expected);
}

// Packets use a VC of a node one after the other, and the test uses far more VCs than the log caches line prefixes for.
TEST(unit_experiment_event_log, distinguishes_packets_sharing_a_vc) {
  std::string text, expected = "cycle kind node vc packet sequence\n";
  event_log log([&](std::string_view part) { text += part; });
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (cycle_t cycle = 0; cycle < 20'000; ++cycle) {
    const bool is_small = cycle % 2 == 0;
    const node_id node = below(is_small ? 2 : 5'000);
    const std::uint32_t vc = below(is_small ? 2 : 20), sequence = below(3);
    const packet_id id = below(is_small ? 3 : 2'000'000);
    const bool injects = below(2) == 0;
    log.add(injects ? flit_passage::Inject : flit_passage::Eject, {cycle, node, vc, id, sequence});
    expected += fmt::format("{} {} {} {} {} {}\n", cycle, injects ? "inject" : "eject", node, vc, id, sequence);
  }
  log.finish();
  EXPECT_EQ(text, expected);
}

TEST(unit_experiment_event_log, writes_whole_pages_until_the_end) {
  std::vector<std::size_t> parts;
  std::size_t length = 0;
  event_log log([&](std::string_view part) { parts.push_back(part.size()); });
  for (cycle_t c = 0; c < 100'000; ++c) {
    log.add(flit_passage::Inject, {c, 0, 0, c, 0});
    length += fmt::formatted_size("{} inject 0 0 {} 0\n", c, c);
  }
  log.finish();
  ASSERT_GT(parts.size(), 8u);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) EXPECT_EQ(parts[i] % 4096, 0u) << i;
  EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::size_t{0}),
            length + std::string_view("cycle kind node vc packet sequence\n").size());
}

// The log hands over far more events than one buffer holds: a second thread writes them, and no error is lost.
TEST(unit_experiment_event_log, background_thread_writes_identical_text) {
  constexpr cycle_t Cycles = 60'000;
  std::string behind, at_once;
  event_log log([&](std::string_view part) { behind += part; });
  event_lines lines([&](std::string_view part) { at_once += part; });
  flit_passages all;
  for (cycle_t c = 0; c < Cycles; ++c) {
    all.begin_cycle(c);
    for (const std::uint32_t node : {7u, 2u, 5u}) {
      const flit_event event{c, node, 1, c / 4 * 8 + node, static_cast<std::uint32_t>(c % 4)};
      const flit_passage what = (c + node) % 2 == 0 ? flit_passage::Inject : flit_passage::Eject;
      log.add(what, event);
      all.add(what, event);
    }
  }
  log.finish();
  lines.add(all);
  lines.finish();
  EXPECT_TRUE(behind == at_once) << behind.size() << " and " << at_once.size() << " characters";
}

/// An exception during the run would reach a SystemC process, which would turn it into an error of another kind.
TEST(unit_experiment_event_log, rethrows_writer_exceptions_at_the_end) {
  int calls = 0;
  event_log log([&](std::string_view) {
    ++calls;
    throw std::runtime_error("no space");
  });
  EXPECT_FALSE(log.has_failed());
  for (cycle_t c = 0; c < 500'000; ++c) log.add(flit_passage::Inject, {c, 0, 0, c, 0});
  EXPECT_TRUE(log.has_failed());
  EXPECT_THROW(log.finish(), std::runtime_error);
  EXPECT_EQ(calls, 1);
}

TEST(unit_experiment_event_log, writes_only_whole_pages_if_it_is_not_finished) {
  std::string text;
  {
    event_log log([&](std::string_view part) { text += part; });
    for (cycle_t c = 0; c < 500'000; ++c) log.add(flit_passage::Inject, {c, 0, 0, c, 0});
  }
  EXPECT_EQ(text.size() % 4096, 0u) << "only whole blocks";
  EXPECT_FALSE(text.empty());
}

}  // namespace
}  // namespace weft::experiment
