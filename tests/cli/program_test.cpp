// SPDX-License-Identifier: Apache-2.0
/// Programs from files and closed loops, as a user runs them. Traces of MPI programs: tests/mpi.

#include "cli/command.h"
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <istream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class cli_trace_replay : public command_test {
 protected:
  cli_trace_replay() { write("mesh.yaml", "network: {topology: {shape: [2, 2]}}\nsimulation: {level: engine}\n"); }

  json result() { return json::parse(read("results/mesh.json")); }
};

TEST_F(cli_trace_replay, message_list_gives_equal_results_at_both_levels) {
  const std::string example = WEFT_SOURCE_DIR "/examples/message_list.yaml";
  json levels[2];
  for (const char* const level : {"engine", "pin"}) {
    const command_result r = weft({"replay", example, "--set", std::string("simulation.level=") + level});
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, testing::AllOf(HasSubstr("messages on 4 ranks"), HasSubstr("complete: every message arrived")));
    levels[level == std::string("pin") ? 1 : 0] = json::parse(read("results/message_list.json"));
  }
  EXPECT_EQ(levels[0]["bytes"], 9 * 1024 + 8);
  EXPECT_EQ(levels[0]["critical_path"]["computing"], 1000);
  for (const char* const what : {"makespan", "critical_path", "ranks", "channels", "changed_flits"})
    EXPECT_EQ(levels[0][what], levels[1][what]) << what;
}

TEST_F(cli_trace_replay, skips_long_gaps_between_messages) {
  // The events of two messages, the second of which waits for the first and for so many more cycles. Events after the
  // gap are relative to it.
  const auto replayed = [this](std::uint64_t gap, const std::string& level) {
    write("list.txt", "1 0 0 3 64 0\n2 +" + std::to_string(gap) + " 3 0 64 0 1\n");
    const command_result r = weft({"replay", "mesh.yaml", "-q", "--trace", "list.txt", "--set", "output.event_log=true",
                                   "--set", "simulation.level=" + level});
    EXPECT_EQ(r.status, 0) << r.err;
    std::string seen = "end " + std::to_string(result()["makespan"].get<std::uint64_t>() - gap) + "\n";
    std::istringstream events(read("results/mesh.events"));
    std::string line;
    std::getline(events, line);
    while (std::getline(events, line)) {
      const std::size_t blank = line.find(' ');
      const std::uint64_t cycle = std::stoull(line.substr(0, blank));
      seen += (cycle < gap ? std::to_string(cycle) : "+" + std::to_string(cycle - gap)) + line.substr(blank) + "\n";
    }
    return seen;
  };
  const std::string soon = replayed(100'000, "engine");
  EXPECT_THAT(soon, testing::AllOf(HasSubstr("\n0 inject 0 "), HasSubstr(" inject 3 "), HasSubstr("\n+")));
  EXPECT_EQ(replayed(100'000, "pin"), soon);
  EXPECT_EQ(replayed(1'000'000'000'000'000, "engine"), soon);  // in slices of a hundred cycles it would take days
}

TEST_F(cli_trace_replay, interrupted_comparison_is_not_reported_as_failed) {
  write("list.txt", "1 1000000000000000 0 1 8 0\n");  // at the pin level it would not end
  const auto interrupt = [this](pid_t process) {
    const std::filesystem::path results = m_directory / "results";
    while (!std::filesystem::exists(results) || std::filesystem::is_empty(results)) usleep(1000);
    kill(process, SIGINT);
  };
  const command_result r =
      weft({"replay", "mesh.yaml", "--trace", "list.txt", "--set", "simulation.level=pin", "--compare", "-j", "1"},
           interrupt);
  EXPECT_EQ(r.status, 130);
  EXPECT_THAT(r.out, HasSubstr("interrupted"));
  EXPECT_THAT(r.out, Not(HasSubstr("failed")));
  EXPECT_THAT(r.err, HasSubstr("weft: interrupted\n"));
}

TEST_F(cli_trace_replay, rejects_a_pipe_as_trace) {
  ASSERT_EQ(mkfifo((m_directory / "pipe").c_str(), 0600), 0);
  write("named.yaml", "network: {topology: {shape: [2, 2]}}\nsimulation: {level: engine}\nworkload:\n  trace: pipe\n");
  const std::string why =
      "error: workload.trace: pipe is a pipe, but a trace is read more than once; write it to a file first\n";
  for (const char* const command : {"replay", "check"}) {
    const command_result r = weft({command, "named.yaml"});
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.err, "named.yaml:4:10: " + why);
  }
  EXPECT_EQ(weft({"replay", "mesh.yaml", "--trace", "pipe", "--compare"}).err, "--trace pipe: " + why);
  EXPECT_EQ(weft({"sweep", "named.yaml", "--over", "network.router.depth=4,8"}).err, "named.yaml:4:10: " + why);
  EXPECT_EQ(weft({"trace", "pipe"}).err,
            "pipe: error: the file is a pipe, but a trace is read more than once; write it to a file first\n");
}

TEST_F(cli_trace_replay, plot_accepts_sweeps_of_replays_but_no_single_replay) {
  write("list.txt", "1 0 0 1 8 0\n");
  ASSERT_EQ(weft({"replay", "mesh.yaml", "--trace", "list.txt", "-q"}).status, 0);
  const command_result r = weft({"plot", "histogram", "results/mesh.json", "-o", "a.svg"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("`weft plot curve NAME.sweep.csv --x KEY --y makespan`"));
  ASSERT_EQ(
      weft({"sweep", "mesh.yaml", "--set", "workload.trace=list.txt", "--over", "network.router.depth=4,8"}).status, 0);
  EXPECT_EQ(
      weft({"plot", "curve", "results/mesh.sweep.csv", "--x", "network.router.depth", "--y", "makespan", "-o", "a.svg"})
          .status,
      0);
  EXPECT_EQ(weft({"report", "results"}).status, 0);
}

TEST_F(cli_trace_replay, error_in_message_list_gives_the_line) {
  write("list.txt", "0 0 0 1 8 0\n1 0 1 9 8 0 0\n2 0 0 1 8 7\n3 0 1 0 8 0 5\n");
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "list.txt"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("--trace list.txt: error: list.txt:3: expected a data type"));
  EXPECT_THAT(r.err, HasSubstr("list.txt:4: message 3 waits for message 5, which does not exist"));
  write("list.txt", "0 0 0 1 8 0\n1 0 1 9 8 0 0\n");
  EXPECT_THAT(weft({"check", "mesh.yaml", "--set", "workload.trace=list.txt"}).err,
              HasSubstr("the network has 4 nodes, but the program has 10 ranks"));
  EXPECT_EQ(weft({"replay", "mesh.yaml", "--trace", "none.txt"}).status, 2);
}

/// Converts rows of `t_us,comp_ns,src,dst,tag,bytes,dtype,…` to a list. A message waits for the previous one that its
/// source sent, computes in between, and waits for the last one that its source received.
std::string list_of(std::istream& rows) {
  std::string list;
  std::map<std::string, std::size_t> sent, received;
  std::map<std::string, std::uint64_t> computed;
  std::string line;
  std::getline(rows, line);
  for (std::size_t id = 0; std::getline(rows, line); ++id) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    const std::string &source = cells.at(2), &destination = cells.at(3), &type = cells.at(6);
    const std::uint64_t until = std::stoull(cells.at(1));
    std::string after;
    if (const auto at = sent.find(source); at != sent.end()) after += std::to_string(at->second);
    if (const auto at = received.find(source); at != received.end())
      after += (after.empty() ? "" : ",") + std::to_string(at->second);
    const std::uint64_t gap = computed.count(source) > 0 ? until - std::min(until, computed[source]) : 0;
    computed[source] = until;
    list += std::to_string(id) + " +" + std::to_string(gap) + " " + source + " " + destination + " " + cells.at(5) +
            " " +
            (type == "MPI_INT" || type == "MPI_INTEGER" ? "1"
             : type == "MPI_DOUBLE"                     ? "2"
             : type == "MPI_DOUBLE_COMPLEX"             ? "3"
                                                        : "0") +
            " " + (after.empty() ? "-" : after) + "\n";
    sent[source] = received[destination] = id;
  }
  return list;
}

/// An external recording, and its number of bytes.
struct recorded_file {
  const char* name;
  std::uint64_t bytes;
};

class cli_recorded_messages : public cli_trace_replay, public testing::WithParamInterface<recorded_file> {};

TEST_P(cli_recorded_messages, replay_as_a_message_list_on_16_ranks) {
  const std::filesystem::path packed = std::filesystem::path(WEFT_SHARED_DATA) / GetParam().name;
  if (!std::filesystem::exists(packed)) GTEST_SKIP() << packed << " is absent";
  ASSERT_EQ(std::system(("zcat '" + packed.string() + "' > '" + (m_directory / "rows.csv").string() + "'").c_str()), 0);
  std::ifstream rows(m_directory / "rows.csv");
  write("list.txt", list_of(rows));
  const command_result r = weft({"replay", "mesh.yaml", "-q", "--set", "network.topology.shape=[4, 4]", "--trace",
                                 "list.txt", "--set", "workload.payload=small_integers"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(result()["bytes"], GetParam().bytes);
  EXPECT_EQ(result()["ranks"].size(), 16u);
}

INSTANTIATE_TEST_SUITE_P(, cli_recorded_messages,
                         testing::Values(recorded_file{"is.S.16.p2p.csv.gz", 4'169'436},
                                         recorded_file{"ft.S.16.p2p.csv.gz", 31'458'960}),
                         [](const testing::TestParamInfo<recorded_file>& f) {
                           return std::string(f.param.name).substr(0, 2);
                         });

TEST_F(cli_trace_replay, traces_of_other_tools_give_equal_results_at_both_levels) {
  ASSERT_EQ(std::system(
                ("python3 -B " WEFT_SOURCE_DIR "/examples/external_traces.py " + (m_directory.path() / "made").string())
                    .c_str()),
            0);
  write("four.yaml", "network: {topology: {shape: [4, 4]}}\nsimulation: {clock: 1}\n");
  const auto replayed = [&](const std::string& trace, const std::string& level, const std::string& more) {
    const command_result r =
        weft({"replay", "four.yaml", "-q", "--trace", trace, "--set", "simulation.level=" + level, "--set", more});
    EXPECT_EQ(r.status, 0) << r.err;
    return json::parse(read("results/four.json"));
  };
  for (const char* const trace : {"made/coherence.tra.bz2", "made/training.2.et"}) {
    const json fast = replayed(trace, "engine", "simulation.seed=1"), exact = replayed(trace, "pin", "output.csv=true");
    for (const char* const what : {"makespan", "critical_path", "ranks", "channels"})
      EXPECT_EQ(fast[what], exact[what]) << trace << " " << what;
  }
  // 16 chains of two requests of 8 bytes and a reply of 72.
  const json coherence = replayed("made/coherence.tra.bz2", "engine", "simulation.seed=1");
  EXPECT_EQ(coherence["bytes"], 16 * (8 + 8 + 72));
  EXPECT_GE(coherence["makespan"], 10 * 15 + 40);
  EXPECT_LT(replayed("made/coherence.tra.bz2", "engine", "workload.replay.region=2")["bytes"], coherence["bytes"]);
  // Two steps, in each of which the first stage takes 1 + 2 us while the second computes for 3.
  const json training = replayed("made/training.0.et", "engine", "simulation.seed=1");
  EXPECT_EQ(training["bytes"], 2 * (2 * 2 * 2048 + 2 * 2 * 4096));
  EXPECT_EQ(training["ranks"][0]["computing"], 6000);
  EXPECT_EQ(training["ranks"][3]["computing"], 8000);
  EXPECT_GT(training["makespan"], 2 * (1000 + 3000 + 2000));

  EXPECT_EQ(weft({"replay", "four.yaml", "--trace", "made/training.0.et", "--set", "workload.replay.region=1"}).status,
            2);
  // The message names the file that cannot be read, and no key that is not set.
  std::ofstream(m_directory.path() / "short") << "WEFTMPI";
  const command_result unreadable = weft({"check", "four.yaml", "--set", "workload.trace=short"});
  EXPECT_EQ(unreadable.status, 2);
  EXPECT_THAT(unreadable.err, testing::AllOf(HasSubstr("short"), testing::Not(HasSubstr("region"))));
  const auto rejected = [&](const std::string& trace, const std::string& why) {
    const command_result r = weft({"replay", "four.yaml", "--trace", trace});
    EXPECT_EQ(r.status, 2) << trace;
    EXPECT_THAT(r.err, HasSubstr(why));
  };
  const std::string packed = read("made/coherence.tra.bz2");
  write("made/cut.tra.bz2", packed.substr(0, packed.size() / 2));
  rejected("made/cut.tra.bz2",
           "cut.tra.bz2: byte " + std::to_string(packed.size() / 2) + " of the packed file: the block that contains");
  write("made/training.3.et", "");
  rejected("made/training.0.et", "training.3.et: byte 0: the file is empty");
  std::filesystem::remove(m_directory.path() / "made/training.1.et");
  const command_result r = weft({"check", "four.yaml", "--set", "workload.trace=made/training.2.et"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("the trace has no file of rank 1; add training.1.et"));
}

TEST_F(cli_trace_replay, closed_loop_throughput_follows_littles_law) {
  const std::vector<std::string> run = {"run",
                                        "mesh.yaml",
                                        "-q",
                                        "--set",
                                        "workload.injection.process=request_reply",
                                        "--set",
                                        "workload.injection.window=2"};
  ASSERT_EQ(weft(run).status, 0);
  const json two = result();
  EXPECT_EQ(two["outcome"], "complete");
  // Little's law: each of two requests completes every (round trip + 1) cycles, because the next one is created one
  // cycle later.
  const json& trip = two["latency"]["round_trip"];
  const double cycles = two["cycles"]["window_end"].get<double>() - two["cycles"]["window_first"].get<double>();
  EXPECT_NEAR(trip["count"].get<double>() / 4 / cycles, 2 / (trip["mean"].get<double>() + 1), 2e-4);
  EXPECT_GT(trip["mean"].get<double>(), 2 * two["latency"]["packet"]["min"].get<double>());
  EXPECT_FALSE(two["configuration"]["workload"]["injection"].contains("load"));
  std::vector<std::string> more = run;
  more.back() = "workload.injection.window=8";
  ASSERT_EQ(weft(more).status, 0);
  EXPECT_GT(result()["throughput"]["accepted"]["mean"].get<double>(),
            1.5 * two["throughput"]["accepted"]["mean"].get<double>());
  json levels[2];
  for (const char* const level : {"engine", "pin"}) {
    std::vector<std::string> at_level = run;
    at_level.insert(at_level.end(), {"--set", std::string("simulation={level: ") + level + ", measure: 1000}"});
    ASSERT_EQ(weft(at_level).status, 0);
    levels[level == std::string("pin") ? 1 : 0] = result()["latency"]["round_trip"];
  }
  EXPECT_EQ(levels[0], levels[1]);
  more = run;
  more.insert(more.end(), {"--set", "workload.injection.load=0.2"});
  const command_result r = weft(more);
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err,
              HasSubstr("workload.injection.load has no effect while workload.injection.process is request_reply"));
}

}  // namespace
}  // namespace weft::cli
