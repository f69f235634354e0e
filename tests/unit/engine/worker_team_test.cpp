// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/base/worker_team.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

using weft::engine::worker_team;

namespace {

TEST(unit_engine_worker_team, processes_each_piece_once_in_every_round) {
  for (const unsigned workers : {1u, 2u, 5u}) {
    for (const std::size_t pieces : {std::size_t{1}, std::size_t{3}, std::size_t{100}}) {
      std::vector<unsigned> done(pieces);  // no atomics: a piece belongs to one worker at a time
      worker_team team(workers, pieces, [&](unsigned, std::size_t piece) { ++done[piece]; });
      for (unsigned round = 1; round <= 200; ++round) {
        team.start(1 + round % workers);
        team.finish();
        ASSERT_EQ(done, std::vector<unsigned>(pieces, round)) << workers << " workers";
      }
    }
  }
}

TEST(unit_engine_worker_team, uses_only_the_active_workers) {
  std::atomic<unsigned> greatest{0};
  worker_team team(4, 50, [&](unsigned worker, std::size_t) {
    unsigned known = greatest;
    while (worker > known && !greatest.compare_exchange_weak(known, worker)) {
    }
  });
  for (unsigned round = 0; round < 100; ++round) {
    team.start(2);
    team.finish();
  }
  EXPECT_LT(greatest, 2u);
}

TEST(unit_engine_worker_team, other_workers_process_pieces_before_the_caller_does) {
  std::atomic<unsigned> by_others{0};
  worker_team team(2, 10, [&](unsigned worker, std::size_t) { by_others += worker != 0; });
  team.start(2);
  while (by_others != 10) std::this_thread::yield();
  team.finish();
  EXPECT_EQ(by_others, 10u);
}

TEST(unit_engine_worker_team, workers_wake_up_after_a_pause) {
  std::atomic<unsigned> by_others{0};
  worker_team team(2, 4, [&](unsigned worker, std::size_t) { by_others += worker != 0; });
  for (unsigned round = 1; round <= 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // they sleep by now
    team.start(2);
    while (by_others != 4 * round) std::this_thread::yield();
    team.finish();
  }
}

TEST(unit_engine_worker_team, finish_throws_the_exception_of_a_piece) {
  bool fails = true;
  std::atomic<unsigned> done{0};
  worker_team team(3, 30, [&](unsigned, std::size_t piece) {
    if (piece == 17 && fails) throw std::runtime_error("piece 17");
    ++done;
  });
  team.start(3);
  try {
    team.finish();
    FAIL() << "no exception";
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(std::string(e.what()), "piece 17");
  }
  EXPECT_EQ(done, 29u);
  fails = false;
  team.start(3);
  team.finish();
  EXPECT_EQ(done, 59u);
}

}  // namespace
