// SPDX-License-Identifier: Apache-2.0
/// Ctrl-C at random moments of long searches: `weft` writes the best answer so far and marks it. Also their time
/// limits.
#include "cli/command.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

namespace weft::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A search that takes long, and a text in its progress that shows that there is an answer.
struct long_search {
  const char* name;
  std::vector<std::string> arguments;
  const char* found;
};

class cli_search_interrupted : public command_test, public testing::WithParamInterface<long_search> {
 protected:
  cli_search_interrupted() {
    write("random.yaml", random_network(32, 4));
    write("small.yaml", random_network(16, 3));
    write("odd.yaml", "network: {topology: {shape: [7, 7]}}\noutput: {progress: always}\n");
  }

  static std::string random_network(int routers, int degree) {
    return fmt::format(
        "network: {{topology: {{kind: random, routers: {}, degree: {}, seed: 24}}}}\noutput: {{progress: always}}\n",
        routers, degree);
  }
};

constexpr int Interrupts = 5;  ///< of each search: 20 of each command

TEST_P(cli_search_interrupted, writes_the_best_result_so_far_and_reports_the_interruption) {
  const char* const given = std::getenv("WEFT_SEED");
  const unsigned seed = given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
  SCOPED_TRACE(fmt::format("WEFT_SEED={}", seed));
  std::mt19937 random(seed);
  const long_search& search = GetParam();
  for (int i = 0; i < Interrupts; ++i) {
    std::vector<std::string> arguments = search.arguments;
    arguments.insert(arguments.end(), {"--seconds", "1000000", "-o", "best.json"});
    const auto later = std::chrono::milliseconds(random() % 600);
    const int signal = random() % 4 == 0 ? SIGTERM : SIGINT;
    const command_result r = weft(arguments, [&](pid_t process) {
      await_err(process, search.found);
      std::this_thread::sleep_for(later);
      kill(process, signal);
    });
    if (r.status == 0) {  // a lucky search met the bound before the signal came
      EXPECT_THAT(r.out, Not(HasSubstr("  interrupted\n")));
      continue;
    }
    ASSERT_EQ(r.status, 128 + signal) << later.count() << " ms later: " << r.err << r.out;
    EXPECT_THAT(r.err, HasSubstr("weft: interrupted\n"));
    EXPECT_THAT(r.out, HasSubstr("  interrupted\n")) << later.count();
    EXPECT_THAT(r.out, HasSubstr("  wrote best.json\n"));
    EXPECT_EQ(weft({search.arguments[0], "--check", "best.json"}).status, 0);
  }
}

/// Covers the linear program of flows, CaDiCaL, greedy matching, both halves of sums; tabu search, CaDiCaL, and that of
/// combined messages.
const long_search Searches[] = {
    {"forwarding_flow", {"forwarding", "random.yaml", "--collective", "alltoall"}, " rounds; "},
    {"forwarding_ports", {"forwarding", "random.yaml", "--collective", "allgather", "--ports", "1"}, " rounds; "},
    {"forwarding_small", {"forwarding", "small.yaml", "--collective", "alltoall", "--ports", "1"}, " rounds; "},
    {"forwarding_sums", {"forwarding", "small.yaml", "--collective", "reduce-scatter", "--ports", "1"}, " rounds; "},
    {"schedule_scatter", {"schedule", "random.yaml", "--collective", "aas", "--ports", "all"}, " steps, bound "},
    {"schedule_grid", {"schedule", "odd.yaml", "--collective", "aas"}, " steps, bound "},
    {"schedule_any", {"schedule", "odd.yaml", "--collective", "aas", "--paths", "any"}, " steps, bound "},
    {"schedule_combining",
     {"schedule", "small.yaml", "--collective", "aas", "--ports", "one", "--combining"},
     " steps, bound "}};

INSTANTIATE_TEST_SUITE_P(all, cli_search_interrupted, testing::ValuesIn(Searches),
                         [](const auto& question) { return std::string(question.param.name); });

class cli_search_time : public cli_search_interrupted {
 protected:
  cli_search_time() {
    write("large.yaml", random_network(128, 4));
    write("larger.yaml", random_network(256, 4));
  }
};

double seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

/// Seconds that a search may need beyond `--seconds 1.5`. With sanitizers, each step is up to ten times slower.
#ifdef __SANITIZE_ADDRESS__
constexpr double Within = 10;
#else
constexpr double Within = 1;
#endif

/// Checks the processor time, which other work on the machine does not affect; it is at most the wall time.
TEST_P(cli_search_time, limit_is_kept_within_a_second) {
  std::vector<std::string> arguments = GetParam().arguments;
  arguments.insert(arguments.end(), {"--seconds", "1.5"});
  if (arguments[0] == "schedule") arguments.insert(arguments.end(), {"--jobs", "1"});
  const double before = seconds_of_children();
  const command_result r = weft(arguments);
  EXPECT_LT(seconds_of_children() - before, 1.5 + Within) << r.out;
  EXPECT_LE(r.status, 1) << r.err;  // on a busy machine there may be no answer yet
}

/// With a limit of zero seconds, the constructions run, and then the bound by flows for one second plus the rest of a
/// step.
TEST_F(cli_search_time, constructions_keep_a_limit_of_zero_seconds) {
  const double before = seconds_of_children();
  const command_result r = weft({"schedule", "large.yaml", "--collective", "aab", "--seconds", "0", "--jobs", "1"});
  EXPECT_LT(seconds_of_children() - before, 1.5 + Within) << r.out;
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("store_and_forward"));
}

const long_search Timed[] = {
    {"forwarding_flow", {"forwarding", "large.yaml", "--collective", "alltoall"}, ""},
    {"forwarding_gather", {"forwarding", "large.yaml", "--collective", "allgather", "--ports", "2"}, ""},
    {"schedule_scatter", {"schedule", "large.yaml", "--collective", "aas", "--ports", "all"}, ""},
    {"schedule_symmetries", {"schedule", "larger.yaml", "--collective", "aas"}, ""},
    {"schedule_broadcast", {"schedule", "large.yaml", "--collective", "aab", "--paths", "any"}, ""}};

INSTANTIATE_TEST_SUITE_P(timed, cli_search_time, testing::ValuesIn(Timed),
                         [](const auto& question) { return std::string(question.param.name); });

}  // namespace
}  // namespace weft::cli
