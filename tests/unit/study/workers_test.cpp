// SPDX-License-Identifier: Apache-2.0
#include "weft/study/workers.h"

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <utility>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(unit_study_workers, points_run_in_separate_processes_and_results_stay_in_order) {
  const pid_t parent = getpid();
  std::size_t completed = 0;
  const auto results = run_points(
      7, 3,
      [&](std::size_t i) {
        usleep(static_cast<useconds_t>(1000 * (7 - i)));
        return work_result{static_cast<int>(i % 2), std::to_string(i) + (getpid() == parent ? " parent" : "")};
      },
      [&](std::size_t done) { EXPECT_EQ(done, ++completed); }, [] { return false; });
  ASSERT_EQ(results.size(), 7u);
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].text, std::to_string(i));
    EXPECT_EQ(results[i].status, static_cast<int>(i % 2));
  }
  EXPECT_EQ(completed, 7u);
}

TEST(unit_study_workers, results_may_exceed_the_pipe_capacity) {
  const auto results = run_points(
      2, 2,
      [](std::size_t i) {
        return work_result{0, std::string(5'000'000, static_cast<char>('a' + i))};
      },
      [](std::size_t) {}, [] { return false; });
  EXPECT_EQ(results[1].text, std::string(5'000'000, 'b'));
}

TEST(unit_study_workers, reports_a_fatal_signal_and_starts_nothing_after_stop) {
  bool ended = false;  // if it were stopped earlier, run_points() would end a point that is slow to start
  const auto results = run_points(
      3, 1,
      [](std::size_t) -> work_result {
        raise(SIGKILL);
        return {};
      },
      [&](std::size_t) { ended = true; }, [&] { return ended; });
  EXPECT_EQ(results[0].status, 128 + SIGKILL);
  EXPECT_THAT(results[0].text, IsEmpty());
  EXPECT_THAT(results[1].text, IsEmpty());
}

TEST(unit_study_workers, kills_a_point_that_ignores_sigterm) {
  bool started = false;
  work_list list;
  list.next = [&]() -> std::optional<std::size_t> {
    if (std::exchange(started, true)) return std::nullopt;
    return 0;
  };
  list.work = [](std::size_t) -> work_result {
    std::signal(SIGTERM, SIG_IGN);
    for (;;) pause();
  };
  int status = 0;
  list.done = [&](std::size_t, const work_result& r) { status = r.status; };
  list.stop = [&] { return started; };
  run_all(1, list);
  // SIGTERM, if it came before the process ignored it.
  EXPECT_THAT(status, testing::AnyOf(128 + SIGKILL, 128 + SIGTERM));
}

TEST(unit_study_workers, point_that_throws_fails_and_the_others_run) {
  testing::internal::CaptureStderr();
  const auto results = run_points(
      2, 2,
      [](std::size_t i) -> work_result {
        if (i == 0) throw std::runtime_error("no such thing");
        return {0, "row"};
      },
      [](std::size_t) {}, [] { return false; });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "no such thing\n");
  EXPECT_EQ(results[0].status, 1);
  EXPECT_THAT(results[0].text, IsEmpty());
  EXPECT_EQ(results[1].text, "row");
}

TEST(unit_study_workers, a_finished_point_may_add_another_point) {
  std::vector<std::size_t> to_do{3}, done;
  work_list list;
  list.next = [&]() -> std::optional<std::size_t> {
    if (to_do.empty()) return std::nullopt;
    const std::size_t i = to_do.back();
    to_do.pop_back();
    return i;
  };
  list.work = [](std::size_t) { return work_result{}; };
  list.done = [&](std::size_t i, const work_result&) {
    done.push_back(i);
    if (i > 0) to_do.push_back(i - 1);
  };
  list.stop = [] { return false; };
  run_all(4, list);
  EXPECT_THAT(done, ElementsAre(3, 2, 1, 0));
}

TEST(unit_study_workers, workers_end_when_their_parent_ends) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    run_points(
        1, 1,
        [&](std::size_t) -> work_result {
          const pid_t self = getpid();
          if (write(ends[1], &self, sizeof self) != sizeof self) _exit(1);
          for (;;) pause();
        },
        [](std::size_t) {}, [] { return false; });
    _exit(0);
  }
  close(ends[1]);
  pid_t worker = 0;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  // The pipe ends when no process is left that could write to it.
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace weft::experiment
