// SPDX-License-Identifier: Apache-2.0
/// Sweeps that are interrupted, killed and resumed.
#include "cli/sweep_case.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace weft::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class cli_sweep_stopped : public cli_sweep, public testing::WithParamInterface<bool> {
 protected:
  /// A sweep of a short and a very long point; \p send sends the signal when the first one is done.
  command_result interrupted(int signal, const std::function<void(pid_t)>& send) {
    const auto meanwhile = [&](pid_t process) {
      await_err(process, "1 of 2 points");
      send(process);
    };
    command_result r = weft({"sweep", "small.yaml", "--over", "simulation.measure=100,1000000000", "-j", "2", "--set",
                             "output.progress=always"},
                            meanwhile);
    EXPECT_EQ(r.status, 128 + signal);
    return r;
  }
};

/// The signals are those of a user's `kill`, and of Ctrl-C, which also reaches the points.
TEST_P(cli_sweep_stopped, keeps_finished_points_and_explains_how_to_resume) {
  const int signal = GetParam() ? SIGINT : SIGTERM;
  const command_result r = interrupted(signal, [&](pid_t process) { kill(GetParam() ? -process : process, signal); });
  EXPECT_THAT(r.err, HasSubstr("weft: interrupted; 1 of 2 points are done and stored in results/points.sqlite; run the "
                               "same command again for the others\n"));
  EXPECT_THAT(r.err, HasSubstr(" \rweft: interrupted"));     // the progress line is cleared
  EXPECT_THAT(r.err, Not(HasSubstr("2 of 2 points, 0 s")));  // the other point was interrupted, and is not done
  EXPECT_THAT(lines_of(read("results/small.sweep.csv")),
              ElementsAre(StartsWith("simulation.measure,"), StartsWith("100,small,1,complete,")));
  EXPECT_THAT(stored(), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(by, cli_sweep_stopped, testing::Bool(),
                         [](const auto& of) { return of.param ? "ctrl_c" : "sigterm"; });

TEST_F(cli_sweep_stopped, explains_how_to_resume_after_hangup) {
  const command_result r = interrupted(SIGHUP, [&](pid_t process) { kill(-process, SIGHUP); });
  EXPECT_THAT(r.err, HasSubstr("weft: interrupted; 1 of 2 points are done and stored in results/points.sqlite"));
}

/// `timeout -s INT` sends the signal to the process, then to its group.
TEST_F(cli_sweep_stopped, counts_duplicate_signals_once) {
  interrupted(SIGINT, [&](pid_t process) {
    kill(process, SIGINT);
    await_handled(process, SIGINT);
    kill(-process, SIGINT);
  });
}

TEST_F(cli_sweep_stopped, sweep_locks_its_tables_but_shares_the_store) {
  interrupted(SIGTERM, [&](pid_t process) {
    EXPECT_NE(shell(WEFT_COMMAND " sweep small.yaml --over simulation.seed=1,2 2>second"), 0);
    EXPECT_THAT(read("second"), HasSubstr("results/small.* is being written by another weft"));
    EXPECT_NE(shell(WEFT_COMMAND " sweep small.yaml --over simulation.seed=1,2 --store second.sqlite 2>/dev/null"), 0);
    EXPECT_NE(shell("test -e second.sqlite"), 0);  // the rejected sweep leaves no store
    EXPECT_EQ(shell(WEFT_COMMAND " sweep small.yaml -q --over simulation.seed=1,2 --part 0/1"), 0);
    kill(process, SIGTERM);
  });
  EXPECT_THAT(stored(), SizeIs(3));
}

/// Sweeps that are killed at random moments, then run again until they end: every point is stored once.
class cli_sweep_killed : public cli_sweep, public testing::WithParamInterface<int> {};

TEST_P(cli_sweep_killed, resumes_without_losing_or_repeating_a_point) {
  const char* const given = std::getenv("WEFT_SEED");
  const unsigned seed = given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
  SCOPED_TRACE(fmt::format("WEFT_SEED={}", seed));
  std::mt19937 random(seed);
  const int kills = GetParam();
  const std::size_t points = static_cast<std::size_t>(kills) * 8;
  const std::vector<std::string> sweep{"sweep",  "small.yaml",
                                       "-j",     "2",
                                       "--over", fmt::format("simulation.seed=1:{}:1", points),
                                       "--set",  "simulation.measure=20000",
                                       "--set",  "output.progress=always"};
  std::set<std::string> before;
  int on_the_way = 0;
  for (int i = 0; i < kills; ++i) {
    const auto done = random() % 3;  // points of this run
    const auto later = std::chrono::milliseconds(random() % 50);
    const int signal = random() % 4 == 0 ? SIGHUP : SIGKILL;
    const command_result r = weft(sweep, [&](pid_t process) {
      if (done > 0) await_err(process, fmt::format("{} of ", done));
      std::this_thread::sleep_for(later);
      kill(process, signal);
    });
    on_the_way += r.status == 128 + signal;
    const std::vector<std::string> now = stored();
    const std::set<std::string> after(now.begin(), now.end());
    EXPECT_EQ(after.size(), now.size()) << "twice";
    EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end())) << "lost";
    before = after;
  }
  EXPECT_GE(on_the_way, (kills + 1) / 2) << "too few were killed before they had ended";
  EXPECT_EQ(weft(sweep).status, 0);
  const std::vector<std::string> all = stored();
  EXPECT_THAT(std::set<std::string>(all.begin(), all.end()), SizeIs(points));
  EXPECT_THAT(all, SizeIs(points));
  EXPECT_THAT(lines_of(read("results/small.sweep.csv")), SizeIs(1 + points));
}

INSTANTIATE_TEST_SUITE_P(three_times, cli_sweep_killed, testing::Values(3));
INSTANTIATE_TEST_SUITE_P(soak, cli_sweep_killed, testing::Values(20));

}  // namespace
}  // namespace weft::cli
