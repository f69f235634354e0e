// SPDX-License-Identifier: Apache-2.0
/// Signals at random moments of every command and in every wait: the promises of docs/02_user/command.md must hold.
#include "cli/command.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

class cli_interruption : public command_test {
 protected:
  cli_interruption() {
    write("small.yaml",
          "network: {topology: {shape: [3, 3]}}\nworkload: {injection: {load: 0.1}}\n"
          "simulation: {level: engine, warmup: 100, measure: 1000}\n");
    write("group.yaml",
          "network: {topology: {shape: [4, 4]}}\nsimulation: {level: engine}\n"
          "collective: {operation: broadcast, algorithm: tree, length: 4000}\n");
    std::string list;
    for (int i = 0; i < 1500; ++i)
      list += std::to_string(i) + " 0 " + std::to_string(i % 9) + " " + std::to_string((i + 4) % 9) + " 4096 1\n";
    write("list.txt", list);
    write("words.bin", std::string(400'000, 'w') + std::string(400'000, '\0'));
  }

  /// Files below the test's directory that a command must not leave behind: hidden ones, locks, journals.
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(m_directory.path())) {
      const std::string name = entry.path().filename().string();
      if (name.front() == '.' || ends_with(name, "-journal")) names.push_back(entry.path().string());
    }
    return names;
  }

  /// Whether \p text, of a file of \p kind, is complete. gnuplot writes blank lines after the end of a picture.
  static bool has_its_end(const std::string& text, const std::string& kind) {
    if (!ends_with(text, "\n")) return false;
    const std::string written = text.substr(0, text.find_last_not_of('\n') + 1);
    return ends_with(written, kind == ".svg" ? "</svg>" : kind == ".html" ? "</html>" : "");
  }

  /// Expects that every file of \p outputs is complete or does not exist.
  void expect_whole(const std::vector<std::string>& outputs) {
    for (const std::string& file : outputs) {
      if (!fs::exists(m_directory / file)) continue;
      const std::string text = read(file), kind = fs::path(file).extension();
      if (kind == ".json") {
        EXPECT_TRUE(json::accept(text)) << file;
      } else if (kind == ".sqlite") {
        EXPECT_EQ(weft({"export", file}).status, 0) << file;
      } else {
        EXPECT_TRUE(has_its_end(text, kind)) << file;
        if (kind == ".csv") {
          EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 1) << file;
        }
      }
    }
  }

  /// Makes a pipe in place of \p file.
  void make_pipe(const std::string& file) {
    fs::create_directories((m_directory / file).parent_path());
    ASSERT_EQ(mkfifo((m_directory / file).c_str(), 0600), 0);
  }
};

/// A command, and the files that it writes.
struct stopped_command {
  const char* name;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;
  bool is_run = false;  ///< the first output contains the outcome of the run
};

const std::vector<stopped_command>& stopped_commands() {
  static const std::vector<stopped_command> all = {
      {"run",
       {"run", "small.yaml", "--set", "simulation.measure=100000", "--set", "output={event_log: true, answers: true}"},
       {"results/small.json", "results/small.csv", "results/small.events", "results/small.answers"},
       true},
      {"run_pin",
       {"run", "small.yaml", "--set", "simulation={level: pin, measure: 3000}", "--set", "output.vcd=[network.*]"},
       {"results/small.json", "results/small.csv", "results/small.vcd"},
       true},
      {"collective", {"collective", "group.yaml"}, {"results/group.json", "results/group.csv"}, true},
      {"collective_compare",
       {"collective", "group.yaml", "-j", "2", "--compare", "tree,all_at_once"},
       {"results/group.compare.csv"}},
      {"collective_analyse", {"collective", "group.yaml", "--analyse", "--json", "a.json"}, {"a.json"}},
      {"replay", {"replay", "small.yaml", "--trace", "list.txt"}, {"results/small.json", "results/small.csv"}, true},
      {"replay_compare",
       {"replay", "small.yaml", "--trace", "list.txt", "--compare", "-j", "2"},
       {"results/small.compare.csv"}},
      {"sweep",
       {"sweep", "small.yaml", "-j", "2", "--over", "workload.injection.load=0.05:0.4:0.05"},
       {"results/points.sqlite", "results/small.sweep.csv", "results/small.sweep.svg"}},
      {"saturation",
       {"saturation", "small.yaml", "-j", "2"},
       {"results/points.sqlite", "results/small.saturation.csv"}},
      {"curve",
       {"curve", "small.yaml", "-j", "2", "--points", "4"},
       {"results/points.sqlite", "results/small.curve.csv", "results/small.curve.svg"}},
      {"export", {"export", "done/points.sqlite", "--csv", "out.csv"}, {"out.csv"}},
      {"plot", {"plot", "latency-load", "done/small.sweep.csv", "-o", "out.svg"}, {"out.svg"}},
      {"report", {"report", "done", "-o", "out.html"}, {"out.html"}},
      {"diff", {"diff", "done/small.json", "done/other.json", "--json", "out.json"}, {"out.json"}},
      {"topology",
       {"topology", "small.yaml", "--set", "network.topology.shape=[16, 16]", "--svg", "t.svg", "--json", "t.json",
        "--graphml", "t.graphml", "--graphviz", "t.dot", "--verilog", "deep/rtl"},
       {"t.svg", "t.json", "t.graphml", "t.dot"}},
      {"check", {"check", "small.yaml"}, {}},
      {"codec", {"codec", "--tune", "words.bin", "--json", "out.json"}, {"out.json"}},
      {"schema", {"schema"}, {}}};
  return all;
}

class cli_random_interrupt : public cli_interruption, public testing::WithParamInterface<std::pair<std::size_t, int>> {
 protected:
  void prepare() {
    if (fs::exists(m_directory / "done")) return;
    ASSERT_EQ(weft({"sweep", "small.yaml", "-q", "--over", "workload.injection.load=0.1:0.4:0.1", "-o", "done"}).status,
              0);
    ASSERT_EQ(weft({"run", "small.yaml", "-q", "-o", "done"}).status, 0);
    ASSERT_EQ(weft({"run", "small.yaml", "-q", "-o", "done", "--set", "output.name=other", "--seed", "2"}).status, 0);
  }

  /// Runs the command once and sends a signal after \p later. \return its exit status
  int interrupt(const stopped_command& c, int signal, std::chrono::microseconds later) {
    for (const std::string& file : c.outputs) fs::remove(m_directory / file);
    fs::remove_all(m_directory / "results");
    fs::remove_all(m_directory / "deep");
    const command_result r = weft(c.arguments, [&](pid_t process) {
      std::this_thread::sleep_for(later);
      kill(process, signal);
    });
    SCOPED_TRACE(testing::Message() << c.name << ", signal " << signal << " after " << later.count() << " us: status "
                                    << r.status << ", " << r.err);
    EXPECT_THAT(left(), IsEmpty());
    expect_whole(c.outputs);
    if (r.status == 128 + signal) {
      if (!r.err.empty()) {  // it may not have installed its handler yet
        EXPECT_THAT(r.err, HasSubstr("weft: interrupted"));
      }
      const bool ran = c.is_run && r.err.find("weft: interrupted\n") != std::string::npos && !r.out.empty();
      if (ran) {
        EXPECT_EQ(json::parse(read(c.outputs[0]))["outcome"], "interrupted");
      }
      if (c.is_run && !ran) {
        for (const std::string& file : c.outputs) EXPECT_FALSE(fs::exists(m_directory / file)) << file;
      }
    } else {
      EXPECT_TRUE(r.status == 0 || r.status == 1) << "ended before the signal or because of it";
      if (r.status == 0) {
        for (const std::string& file : c.outputs)
          EXPECT_TRUE(fs::exists(m_directory / file) || ends_with(file, ".svg"));
      }
    }
    return r.status;
  }
};

TEST_P(cli_random_interrupt, leaves_output_files_complete_or_absent) {
  const auto [index, times] = GetParam();
  const stopped_command& c = stopped_commands().at(index);
  if (lacks(c.arguments[0])) GTEST_SKIP() << c.arguments[0] << " was left out of this build";
  const char* const given = std::getenv("WEFT_SEED");
  const unsigned seed = given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  prepare();
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_LE(weft(c.arguments).status, 1);
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  int interrupted = 0;
  for (int i = 0; i < times; ++i) {
    const int signal = i % 2 == 0 ? SIGINT : SIGTERM;
    std::uniform_int_distribution<std::int64_t> moment(0, took.count());
    interrupted += interrupt(c, signal, std::chrono::microseconds(moment(random))) > 128;
  }
  RecordProperty("interrupted", interrupted);
}

std::vector<std::pair<std::size_t, int>> all_commands(int times) {
  std::vector<std::pair<std::size_t, int>> all;
  for (std::size_t i = 0; i < stopped_commands().size(); ++i) all.emplace_back(i, times);
  return all;
}

const auto NameOfCommand = [](const auto& of) { return std::string(stopped_commands()[of.param.first].name); };

INSTANTIATE_TEST_SUITE_P(of, cli_random_interrupt, testing::ValuesIn(all_commands(2)), NameOfCommand);
INSTANTIATE_TEST_SUITE_P(soak, cli_random_interrupt, testing::ValuesIn(all_commands(20)), NameOfCommand);

// ---------------------------------------------------------------------------------------------------------------------
// Waits

/// A command that waits forever for the other end of a pipe, which is \p file.
struct waiting_command {
  const char* name;
  std::string file;
  std::vector<std::string> arguments;
};

class cli_wait_for_pipe : public cli_interruption, public testing::WithParamInterface<waiting_command> {};

TEST_P(cli_wait_for_pipe, ends_on_signal) {
  if (lacks(GetParam().arguments[0])) GTEST_SKIP() << GetParam().arguments[0] << " was left out of this build";
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    fs::remove_all(m_directory / GetParam().file);
    make_pipe(GetParam().file);
    const command_result r = weft(GetParam().arguments, [&](pid_t process) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      kill(process, signal);
    });
    EXPECT_EQ(r.status, 128 + signal) << r.err;
    EXPECT_THAT(left(), IsEmpty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    of, cli_wait_for_pipe,
    testing::Values(
        waiting_command{"run_json", "results/small.json", {"run", "small.yaml"}},
        waiting_command{"run_csv", "results/small.csv", {"run", "small.yaml"}},
        waiting_command{"run_vcd",
                        "results/small.vcd",
                        {"run", "small.yaml", "--set", "simulation.level=pin", "--set", "output.vcd=[network.*]"}},
        waiting_command{"run_config", "f", {"run", "f"}}, waiting_command{"check", "f", {"check", "f"}},
        waiting_command{"codec", "f", {"codec", "f"}},
        waiting_command{"sweep", "results/small.sweep.csv", {"sweep", "small.yaml", "--over", "simulation.seed=1,2"}},
        waiting_command{"saturation", "results/small.saturation.csv", {"saturation", "small.yaml"}},
        waiting_command{"curve", "results/small.curve.svg", {"curve", "small.yaml"}},
        waiting_command{"slurm", "f", {"sweep", "small.yaml", "--over", "simulation.seed=1,2", "--slurm", "f"}},
        waiting_command{"collective", "results/group.json", {"collective", "group.yaml"}},
        waiting_command{
            "collective_compare", "results/group.compare.csv", {"collective", "group.yaml", "--compare", "tree"}},
        waiting_command{"replay", "results/small.json", {"replay", "small.yaml", "--trace", "list.txt"}},
        waiting_command{
            "schedule", "f", {"schedule", "small.yaml", "--collective", "aab", "--seconds", "0", "-o", "f"}},
        waiting_command{"forwarding",
                        "f",
                        {"forwarding", "--known", "dgx1", "--collective", "broadcast", "--chunks", "1", "--steps", "2",
                         "--rounds", "2", "-o", "f"}},
        waiting_command{"topology_svg", "f", {"topology", "small.yaml", "--svg", "f"}},
        waiting_command{"topology_json", "f", {"topology", "small.yaml", "--json", "f"}}),
    [](const auto& of) { return std::string(of.param.name); });

/// Waits until the pipe of \p reader is full: at least half of it is filled, and no byte arrives for a second.
void await_full(int reader) {
  constexpr int Samples = 10;
  const int most = fcntl(reader, F_GETPIPE_SZ);
  int held = 0, equal = 0;  // bytes in the pipe, and the number of successive samples with this value
  while (2 * held < most || equal < Samples) {
    const int before = std::exchange(held, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ioctl(reader, FIONREAD, &held);
    equal = held == before ? equal + 1 : 0;
  }
}

/// The event log goes into a pipe that nobody reads, so the pipe fills up during the run.
TEST_F(cli_interruption, ends_run_blocked_on_unread_pipe) {
  make_pipe("results/small.events");
  const int reader = open((m_directory / "results/small.events").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  for (const char* const level : {"engine", "pin"}) {
    const command_result r = weft({"run", "small.yaml", "--set", std::string("simulation.level=") + level, "--set",
                                   "simulation.measure=1000000000", "--set", "output.event_log=true"},
                                  [&](pid_t process) {
                                    await_full(reader);
                                    kill(process, SIGINT);
                                  });
    EXPECT_EQ(r.status, 128 + SIGINT) << level;
    EXPECT_THAT(
        r.err,
        HasSubstr("weft: interrupted while waiting for the reader of results/small.events; the file is incomplete\n"));
    EXPECT_THAT(left(), IsEmpty());
    EXPECT_THAT(files_in("results"), testing::ElementsAre("small.events"));
  }
  close(reader);
}

/// The test locks the bytes from 2^30 on, which are SQLite's write lock according to its documentation.
TEST_F(cli_interruption, ends_the_wait_for_a_locked_store) {
  ASSERT_EQ(weft({"sweep", "small.yaml", "-q", "--over", "simulation.seed=1,2"}).status, 0);
  const int store = open((m_directory / "results/points.sqlite").c_str(), O_RDWR | O_CLOEXEC);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0x40000000;
  lock.l_len = 512;
  ASSERT_EQ(fcntl(store, F_SETLK, &lock), 0);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"sweep", "small.yaml", "--over", "simulation.seed=1,2,3"},
        {"export", "results/points.sqlite"}}) {
    const command_result r = weft(command, [&](pid_t process) {
      await_open(process, "results/points.sqlite");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      kill(process, SIGTERM);
    });
    EXPECT_EQ(r.status, 128 + SIGTERM) << r.err;
    EXPECT_THAT(r.err, HasSubstr("weft: interrupted"));
    EXPECT_THAT(left(), IsEmpty());
  }
  close(store);
  EXPECT_EQ(weft({"sweep", "small.yaml", "-q", "--over", "simulation.seed=1,2,3"}).status, 0);
}

/// The test replaces gnuplot by a program that does not end by itself. It must end together with weft.
TEST_F(cli_interruption, ends_the_wait_for_gnuplot) {
  write("bin/gnuplot", "#!/bin/sh\necho $$ >'" + (m_directory / "gnuplot.pid").string() + "'\nexec sleep 1000\n");
  fs::permissions(m_directory / "bin/gnuplot", fs::perms::owner_all);
  ASSERT_EQ(weft({"sweep", "small.yaml", "-q", "--over", "workload.injection.load=0.1,0.2"}).status, 0);
  const std::string path = std::getenv("PATH");
  setenv("PATH", ((m_directory / "bin").string() + ":" + path).c_str(), 1);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"sweep", "small.yaml", "--over", "workload.injection.load=0.1,0.2"},
        {"plot", "latency-load", "results/small.sweep.csv", "-o", "p.svg"}}) {
    fs::remove(m_directory / "gnuplot.pid");
    const command_result r = weft(command, [&](pid_t process) {
      while (read("gnuplot.pid").find('\n') == std::string::npos)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      kill(process, SIGTERM);
    });
    EXPECT_EQ(r.status, 128 + SIGTERM) << r.err;
    EXPECT_THAT(left(), IsEmpty());
    const std::string of_drawing = "/proc/" + std::to_string(std::stoi(read("gnuplot.pid"))) + "/cmdline";
    while (!read(of_drawing).empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  setenv("PATH", path.c_str(), 1);
  EXPECT_FALSE(fs::exists(m_directory / "p.svg"));
}

/// Standard input and output are pipes that nobody writes or reads.
TEST_F(cli_interruption, ends_the_wait_for_standard_input_and_output) {
  for (const char* const line :
       {"schedule --check - <&3 >/dev/null", "schema >&4", "export results/points.sqlite >&4"}) {
    if (lacks("schedule") && std::string(line).rfind("schedule", 0) == 0) continue;
    std::array<int, 2> in{}, out{};
    ASSERT_EQ(pipe(in.data()), 0);
    ASSERT_EQ(pipe(out.data()), 0);
    if (!fs::exists(m_directory / "results")) {
      ASSERT_EQ(
          weft({"sweep", "small.yaml", "-q", "--over", "simulation.seed=1:40:1", "--set", "simulation.measure=100"})
              .status,
          0);
    }
    fcntl(out[1], F_SETPIPE_SZ, 4096);
    const pid_t process = fork();
    if (process == 0) {
      dup2(in[0], 3);
      dup2(out[1], 4);
      if (chdir(m_directory.path().c_str()) != 0) _exit(127);
      execl("/bin/sh", "sh", "-c", (std::string("exec " WEFT_COMMAND " ") + line + " 2>err").c_str(),
            static_cast<char*>(nullptr));
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    kill(process, SIGTERM);
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), 128 + SIGTERM) << line << read("err");
    for (const int descriptor : {in[0], in[1], out[0], out[1]}) close(descriptor);
  }
}

}  // namespace
}  // namespace weft::cli
