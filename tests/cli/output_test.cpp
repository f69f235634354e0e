// SPDX-License-Identifier: Apache-2.0
/// Destinations of output: devices, pipes and links, a full standard output, two runs at once, a run that is stopped
/// before it begins.
#include "cli/command.h"
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <sys/wait.h>

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class cli_output : public command_test {
 protected:
  cli_output() {
    write("small.yaml",
          "network: {topology: {shape: [3, 3]}}\n"
          "workload: {injection: 0.1, length: 3}\n"
          "simulation: {warmup: 0, measure: 100, level: engine}\n");
  }

  /// The exit status of a line of shell, where `$WEFT` is the command; standard error goes to the file err.
  int shell(const std::string& line) {
    const std::string text =
        "cd '" + m_directory.path().string() + "' && WEFT='" WEFT_COMMAND "' && { " + line + "; } 2>err";
    const int status = std::system(text.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

TEST_F(cli_output, does_not_replace_devices_and_pipes_by_files) {
  EXPECT_EQ(weft({"topology", "small.yaml", "--svg", "/dev/null"}).status, 0);
  EXPECT_EQ(weft({"topology", "small.yaml", "--json", "/dev/null"}).status, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(shell("mkfifo pipe; cat pipe >copy & $WEFT topology small.yaml --svg pipe && wait"), 0);
  EXPECT_TRUE(fs::is_fifo(m_directory / "pipe"));
  EXPECT_THAT(read("copy"), StartsWith("<svg "));
}

TEST_F(cli_output, writes_through_symbolic_links) {
  fs::create_directory(m_directory / "far");
  fs::create_symlink("far/away.svg", m_directory / "link.svg");  // the target does not exist yet
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(weft({"topology", "small.yaml", "--svg", "link.svg"}).status, 0);
    EXPECT_TRUE(fs::is_symlink(m_directory / "link.svg"));
    EXPECT_THAT(read("far/away.svg"), StartsWith("<svg "));
  }
  EXPECT_THAT(files_in("far"), ElementsAre("away.svg"));
  fs::create_symlink("circle", m_directory / "circle");
  const command_result r = weft({"topology", "small.yaml", "--svg", "circle"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "--svg circle: error: cannot open output file circle: Too many levels of symbolic links\n");
}

TEST_F(cli_output, writes_to_an_open_descriptor_at_its_current_offset) {
  EXPECT_EQ(shell("{ echo before; $WEFT topology small.yaml --svg /dev/stdout; echo after; } >all"), 0);
  EXPECT_THAT(read("all"), StartsWith("before\n<svg "));
  EXPECT_THAT(read("all"), ::testing::EndsWith("</svg>\nafter\n"));
  EXPECT_EQ(shell("$WEFT topology small.yaml --svg /dev/fd/5 5>five"), 0);
  EXPECT_THAT(read("five"), StartsWith("<svg "));
  EXPECT_EQ(shell("$WEFT topology small.yaml --svg /dev/stdout | cat >piped"), 0);
  EXPECT_EQ(read("piped"), read("five"));
}

/// Calls that would overwrite the output of another option, or an input; and their standard error.
struct lossy_call {
  std::vector<std::string> arguments;
  const char* message;
};

TEST_F(cli_output, rejects_overwriting_inputs_and_other_outputs) {
  if (lacks("schedule")) GTEST_SKIP() << "weft schedule was left out of this build";
  write("base.yaml", "network: {topology: {kind: file, file: pair.net.yaml}}\n");
  write("pair.net.yaml",
        "format: weft-topology-1\nkind: pair\nrouters: [{name: a}, {name: b}]\nlinks: [{from: a, to: b}, {from: b, to: "
        "a}]\nnodes: [a, b]\n"
        "routing: shortest\n");
  write("pair.yaml", "include: base.yaml\nschedule: {collective: aab, seconds: 0}\n");
  write("counts.json", "[[0, 1], [1, 0]]");
  write("plain.json", R"({"simulation": {"level": "engine"}})");
  write("tree.json", R"({"collective": {"algorithm": "tree"}, "simulation": {"level": "engine"}})");
  write("list.answers", "0 0 0 1 1\n");
  write("list.yaml", "workload: {packet_list: list.answers}\nsimulation: {level: engine}\noutput: {answers: true}\n");
  fs::create_symlink("pair.yaml", m_directory / "link");
  fs::create_directory(m_directory / "sub");
  ASSERT_EQ(weft({"schedule", "pair.yaml", "-q", "-o", "s.json"}).status, 0);
  const std::vector<std::string> before = files_in(".");
  const lossy_call calls[] = {
      {{"schedule", "pair.yaml", "-o", "same", "--json", "same"},
       "--json same: error: -o same writes to the same file\n"},
      {{"schedule", "pair.yaml", "-o", "a", "--svg", "./sub/../a"},
       "--svg ./sub/../a: error: -o a writes to the same file\n"},
      {{"schedule", "pair.yaml", "-o", "-", "--json", "-"}, "--json -: error: -o - writes to standard output, too\n"},
      {{"schedule", "pair.yaml", "-o", "-", "--svg", "/dev/stdout"},
       "--svg /dev/stdout: error: -o - writes to standard output, too\n"},
      {{"schedule", "pair.yaml", "--svg", "x.cnf", "--proof", "x"},
       "--proof x.cnf: error: --svg x.cnf writes to the same file\n"},
      {{"schedule", "pair.yaml", "-o", "pair.yaml"},
       "-o pair.yaml: error: would overwrite CONFIG pair.yaml, which is read\n"},
      {{"schedule", "pair.yaml", "-o", "link"}, "-o link: error: would overwrite CONFIG pair.yaml, which is read\n"},
      {{"schedule", "pair.yaml", "-o", "base.yaml"},
       "-o base.yaml: error: would overwrite include: base.yaml, which is read\n"},
      {{"schedule", "pair.yaml", "-o", "pair.net.yaml"},
       "-o pair.net.yaml: error: would overwrite network.topology.file pair.net.yaml, which is read\n"},
      {{"schedule", "--check", "s.json", "--json", "s.json"},
       "--json s.json: error: would overwrite --check s.json, which is read\n"},
      {{"forwarding", "pair.yaml", "--collective", "allgather", "-o", "f", "--ccsched", "f"},
       "--ccsched f: error: -o f writes to the same file\n"},
      {{"forwarding", "pair.yaml", "--collective", "allgather", "-o", "f.1.json", "--chakra", "f"},
       "--chakra f.1.json: error: -o f.1.json writes to the same file\n"},
      {{"forwarding", "pair.yaml", "--collective", "alltoallv", "--counts", "counts.json", "-o", "counts.json"},
       "-o counts.json: error: would overwrite --counts counts.json, which is read\n"},
      {{"topology", "pair.yaml", "--json", "t", "--graphml", "t"},
       "--graphml t: error: --json t writes to the same file\n"},
      {{"topology", "pair.yaml", "--svg", "pair.yaml"},
       "--svg pair.yaml: error: would overwrite CONFIG pair.yaml, which is read\n"},
      {{"codec", "counts.json", "--json", "counts.json"},
       "--json counts.json: error: would overwrite FILE counts.json, which is read\n"},
      {{"collective", "small.yaml", "--analyse", "--set", "collective.algorithm=tree", "--json", "small.yaml"},
       "--json small.yaml: error: would overwrite CONFIG small.yaml, which is read\n"},
      {{"sweep", "small.yaml", "--over", "nic.ports=1,2", "--slurm", "small.yaml"},
       "--slurm small.yaml: error: would overwrite CONFIG small.yaml, which is read\n"},
      {{"sweep", "small.yaml", "--over", "nic.ports=1,2", "--store", "small.yaml"},
       "--store small.yaml: error: would overwrite CONFIG small.yaml, which is read\n"},
      {{"saturation", "small.yaml", "--store", "./small.yaml"},
       "--store ./small.yaml: error: would overwrite CONFIG small.yaml, which is read\n"},
      {{"sweep", "small.yaml", "--over", "nic.ports=1,2", "--store", "results/small.sweep.csv"},
       "the result results/small.sweep.csv: error: --store results/small.sweep.csv writes to the same file; set "
       "output.name or output.directory\n"},
      {{"run", "plain.json", "-o", "."},
       "the result ./plain.json: error: would overwrite CONFIG plain.json, which is read; set output.name or "
       "output.directory\n"},
      {{"run", "list.yaml", "-o", "."},
       "the result ./list.answers: error: would overwrite workload.packet_list list.answers, which is read; set "
       "output.name or output.directory\n"},
      {{"collective", "tree.json", "-o", "."},
       "the result ./tree.json: error: would overwrite CONFIG tree.json, which is read; set output.name or "
       "output.directory\n"},
      {{"export", "s.json", "--csv", "s.json"}, "--csv s.json: error: would overwrite STORE s.json, which is read\n"},
      {{"diff", "s.json", "counts.json", "--json", "counts.json"},
       "--json counts.json: error: would overwrite B counts.json, which is read\n"},
  };
  for (const lossy_call& call : calls) {
    const command_result r = weft(call.arguments);
    EXPECT_EQ(r.status, 2) << call.message;
    EXPECT_EQ(r.err, call.message);
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(files_in("."), before) << call.message;
  }
}

TEST_F(cli_output, several_outputs_may_share_a_device) {
  EXPECT_EQ(weft({"topology", "small.yaml", "--json", "/dev/null", "--svg", "/dev/null"}).status, 0);
  EXPECT_EQ(shell("$WEFT topology small.yaml --graphml - --svg /dev/fd/5 5>drawing >graph"), 0);
  EXPECT_THAT(read("drawing"), StartsWith("<svg "));
  EXPECT_THAT(read("graph"), StartsWith("<?xml "));
}

TEST_F(cli_output, rejects_empty_file_names) {
  const std::pair<const char*, std::vector<const char*>> files[] = {
      {"schedule", {"--output", "--json", "--svg", "--proof", "--check"}},
      {"forwarding", {"--output", "--links", "--counts", "--chakra", "--proof", "--ccsched", "--check"}},
      {"topology", {"--json", "--graphml", "--graphviz", "--svg"}},
      {"collective", {"--output", "--json"}},
      {"run", {"--output"}},
      {"sweep", {"--output", "--store", "--slurm"}},
      {"plot", {"--output"}},
      {"report", {"--output"}},
      {"export", {"--csv"}},
      {"codec", {"--json"}}};
  for (const auto& [command, options] : files) {
    if (lacks(command)) continue;
    for (const char* const option : options) {
      const command_result r = weft({command, "small.yaml", option, ""});
      EXPECT_EQ(r.status, 2) << command;
      EXPECT_THAT(r.err, StartsWith(std::string("weft: error: ") + option + ": expected a file name, got ''\n"))
          << command;
    }
  }
}

TEST_F(cli_output, results_are_written_through_links_and_to_devices) {
  fs::create_directories(m_directory / "results");
  fs::create_symlink("../elsewhere.json", m_directory / "results/small.json");
  fs::create_symlink("/dev/null", m_directory / "results/small.csv");
  EXPECT_EQ(weft({"run", "small.yaml", "-q"}).status, 0);
  EXPECT_THAT(read("elsewhere.json"), HasSubstr("\"outcome\": \"complete\""));
  EXPECT_TRUE(fs::is_symlink(m_directory / "results/small.csv"));
  EXPECT_THAT(files_in("results"), ElementsAre("small.csv", "small.json"));
}

TEST_F(cli_output, waveform_can_be_written_to_a_pipe) {
  fs::create_directories(m_directory / "results");
  EXPECT_EQ(shell("mkfifo results/small.vcd; cat results/small.vcd >copy & "
                  "$WEFT run small.yaml -q --set simulation.level=pin --set 'output.vcd=[network.router_4.*]' && wait"),
            0);
  EXPECT_THAT(read("copy"), HasSubstr("$enddefinitions"));
}

TEST_F(cli_output, every_command_reports_a_full_disk) {
  write("collective.yaml", "collective: {algorithm: tree}\nsimulation: {level: engine}\n");
  write("question.yaml", "network: {topology: {shape: [2, 2]}}\nschedule: oab\n");
  EXPECT_EQ(shell("$WEFT run small.yaml -q"), 0);
  for (const char* const arguments : {"run small.yaml",
                                      "sweep small.yaml --over network.router.vcs=2,4",
                                      "export results/points.sqlite",
                                      "saturation small.yaml --width 0.5",
                                      "curve small.yaml --width 0.5 --points 3",
                                      "report results",
                                      "plot percentiles results -o -",
                                      "diff results/small.json results/small.json",
                                      "collective collective.yaml",
                                      "collective collective.yaml --analyse",
                                      "schedule question.yaml --seconds 0",
                                      "schedule --methods",
                                      "forwarding --known dgx1 --collective allgather --seconds 0",
                                      "topology small.yaml",
                                      "topology small.yaml --json -",
                                      "check small.yaml",
                                      "codec small.yaml",
                                      "schema",
                                      "schema --markdown",
                                      "schema --statistics",
                                      "--help",
                                      "--version",
                                      "run --help"}) {
    const std::string line = arguments;
    if (line[0] != '-' && lacks(line.substr(0, line.find(' ')))) continue;
    EXPECT_EQ(shell("$WEFT " + line + " >/dev/full"), 1) << arguments;
    EXPECT_THAT(read("err"), HasSubstr("weft: error: cannot write to standard output: No space left on device\n"))
        << arguments;
  }
  EXPECT_EQ(shell("$WEFT topology small.yaml --svg /dev/full"), 1);
  EXPECT_THAT(read("err"), HasSubstr("output file /dev/full: No space left on device\n"));
}

/// The shell counts the limit in blocks of 512 or 1,024 bytes.
TEST_F(cli_output, exceeding_file_size_limit_fails_and_leaves_no_file) {
  EXPECT_EQ(shell("ulimit -f 4; $WEFT run small.yaml -q"), 1);
  EXPECT_THAT(read("err"), HasSubstr("File too large\n"));
  EXPECT_THAT(files_in("results"), IsEmpty());
  EXPECT_EQ(shell("ulimit -f 4; $WEFT sweep small.yaml -q --over network.router.vcs=2,4"), 2);
  EXPECT_THAT(read("err"), HasSubstr("cannot write the store results/points.sqlite: "));
  EXPECT_EQ(shell("ulimit -f 4; $WEFT topology small.yaml --svg small.svg"), 1);
  EXPECT_THAT(read("err"), HasSubstr("File too large\n"));
  EXPECT_THAT(files_in("."), Not(Contains(HasSubstr("svg"))));
}

TEST_F(cli_output, rejects_endless_standard_input) {
  if (lacks("schedule")) GTEST_SKIP() << "weft schedule was left out of this build";
  EXPECT_EQ(shell("$WEFT schedule --check - </dev/zero"), 2);
  EXPECT_EQ(read("err"), "--check -: error: is a device without an end\n");
}

TEST_F(cli_output, run_survives_closed_standard_output) {
  EXPECT_EQ(shell("$WEFT run small.yaml >&-"), 1);
  EXPECT_EQ(read("err"), "weft: error: cannot write to standard output: Bad file descriptor\n");
  EXPECT_THAT(read("results/small.json"), StartsWith("{\n"));
  EXPECT_EQ(shell("$WEFT run small.yaml -q >&-"), 0);
}

TEST_F(cli_output, rejects_second_run_with_same_outputs) {
  const auto meanwhile = [this](pid_t process) {
    await_err(process, "cycles/s");
    EXPECT_EQ(shell("$WEFT run small.yaml"), 2);
    EXPECT_EQ(read("err"), "small.yaml:1:1: error: results/small.* is being written by another weft, process " +
                               std::to_string(process) +
                               "; wait until it ends, or write the results elsewhere with -o DIR or --set "
                               "output.name=NAME\n");
    EXPECT_EQ(shell("$WEFT run small.yaml -q -o other"), 0);
    EXPECT_EQ(shell("$WEFT run small.yaml -q --set output.name=other"), 0);
    kill(process, SIGKILL);
  };
  const std::vector<std::string> endless = {
      "run", "small.yaml", "--set", "simulation.measure=1000000000", "--set", "output.progress=always"};
  EXPECT_EQ(weft(endless, meanwhile).status, 128 + SIGKILL);
  EXPECT_THAT(files_in("results"), Contains(StartsWith(".small.weft-")));
  EXPECT_EQ(shell("$WEFT run small.yaml -q"), 0);  // the lock is released with its holder
  EXPECT_THAT(files_in("results"), Not(Contains(StartsWith(".")))) << "the temporary file of the killed run is removed";
  EXPECT_THAT(files_in("other"), ElementsAre("small.csv", "small.json"));
}

/// Building this network takes seconds, so the signal arrives long before the run begins.
TEST_F(cli_output, signal_interrupts_network_construction) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto interrupt = [&](pid_t process) {
      await_files(process, "deep/results");
      kill(process, signal);
    };
    const command_result r = weft({"run", "small.yaml", "-o", "deep/results", "--set",
                                   "network.topology.shape=[512, 512]", "--set", "output.event_log=true"},
                                  interrupt);
    EXPECT_EQ(r.status, 128 + signal);
    EXPECT_EQ(r.err, "weft: interrupted before the first cycle; no result is written\n");
    EXPECT_THAT(files_in("deep"), IsEmpty());
  }
}

TEST_F(cli_output, waveforms_omit_the_date_and_unused_fields) {
  const std::vector<std::string> run = {"run",
                                        "small.yaml",
                                        "-q",
                                        "--set",
                                        "simulation.level=pin",
                                        "--set",
                                        "network.router.vcs=2",
                                        "--set",
                                        "output.vcd=[network.router_4.*]"};
  EXPECT_EQ(weft(run).status, 0);
  const std::string first = read("results/small.vcd");
  EXPECT_THAT(first, StartsWith("$date\n "));
  EXPECT_EQ(first.find_first_not_of(" \n", 5), first.find("$end"));
  EXPECT_THAT(first, HasSubstr(" by_input4 "));  // ports 0 to 4 in the middle of a mesh
  for (const char* const none : {" by_input5 ", " by_input15 ", "credit_counts0_2 "})
    EXPECT_EQ(first.find(none), std::string::npos) << none;
  EXPECT_EQ(weft(run).status, 0);
  EXPECT_EQ(read("results/small.vcd"), first);
}

/// With RTL in the build both commands accept RTL keys, without it both reject them.
TEST_F(cli_output, check_and_run_report_the_same_build_errors) {
  write("rtl.yaml",
        "network: {topology: {shape: [2, 2]}}\nworkload: {payload: zero}\n"
        "nic: {compression: {mode: always, implementation: rtl}}\nsimulation: {warmup: 0, measure: 500}\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"rtl.yaml"},
        {"rtl.yaml", "--set", "nic.compression.table=[32, 31, 30, 29, 28, 27]"},
        {"small.yaml", "--set", "simulation.level=pin", "--set", "output.vcd=[nothing*]"}}) {
    const auto result_of = [&](const char* command) {
      std::vector<std::string> all = arguments;
      all.insert(all.begin(), command);
      return weft(all);
    };
    const command_result check = result_of("check"), run = result_of("run");
    EXPECT_EQ(check.status, run.status) << arguments.back();
    EXPECT_EQ(check.err, run.err) << arguments.back();
  }
  EXPECT_EQ(weft({"check", "small.yaml", "--set", "simulation.level=pin", "--set", "output.vcd=[nothing*]"}).err,
            "--set output.vcd=[nothing*]: error: no wire matches the VCD pattern 'nothing*'\n");
}

}  // namespace
}  // namespace weft::cli
