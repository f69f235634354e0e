// SPDX-License-Identifier: Apache-2.0
#include "cli/small_run.h"
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class cli_run : public small_run_test {};

TEST_F(cli_run, writes_json_and_csv_and_prints_a_table) {
  const command_result r = weft({"run", "small.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "");  // no terminal, no progress
  EXPECT_THAT(files_in("results"), ElementsAre("small.csv", "small.json"));
  EXPECT_THAT(r.out,
              HasSubstr("small: 3x3 mesh, dimension_order routing, 4 VCs of 8 flits, 4 pipeline cycles, seed 1\n"));
  EXPECT_THAT(r.out, HasSubstr("\n  complete\n  warning: no 95 % interval of the mean latency: fewer than 320 values\n "
                               " wrote results/small.json\n  wrote results/small.csv\n"));
  const json j = json::parse(read("results/small.json"));
  EXPECT_EQ(j["outcome"], "complete");
  EXPECT_EQ(j["complete"], true);
  EXPECT_EQ(j["configuration"]["workload"]["length"]["flits"], 3);
  EXPECT_GT(j["packets"]["measured"], 100);
  EXPECT_EQ(j["packets"]["measured"], j["packets"]["delivered"]);
  EXPECT_NEAR(j["throughput"]["accepted"]["mean"].get<double>(), 0.1, 0.03);
}

TEST_F(cli_run, reads_a_configuration_from_standard_input) {
  const auto status_of = [this](const std::string& words) {
    return std::system(
        fmt::format("cd '{}' && '{}' {} <small.yaml >out 2>err", m_directory.path().string(), WEFT_COMMAND, words)
            .c_str());
  };
  EXPECT_EQ(status_of("run - -q --set output.name=small"), 0);
  const std::string from_text = read("results/small.json");
  EXPECT_EQ(weft({"run", "small.yaml", "-q"}).status, 0);
  EXPECT_EQ(read("results/small.json"), from_text);
  EXPECT_NE(status_of("run - -q --set network.router.vcs=0"), 0);
  EXPECT_THAT(read("err"), StartsWith("--set network.router.vcs=0: error: "));
  // Each point of a sweep loads the text again.
  EXPECT_EQ(status_of("sweep - -q --over workload.injection.load=0.1,0.2"), 0);
  EXPECT_THAT(read("results/standard_input.sweep.csv"), HasSubstr("\n0.2,"));
  EXPECT_NE(status_of("sweep - -q --over workload.injection.load=0.1,0.2 --slurm job"), 0);
  EXPECT_THAT(read("err"), StartsWith("CONFIG -: error: the tasks of a job array have no common standard input"));
}

TEST_F(cli_run, json_puts_lists_of_values_on_one_line) {
  const std::string name = "odd \"[1,  2\\";
  EXPECT_EQ(weft({"run", "small.yaml", "-q", "--set", "output.name='" + name + "'"}).status, 0);
  const std::string text = read("results/" + name + ".json");
  EXPECT_EQ(json::parse(text)["name"], name);
  EXPECT_THAT(text, HasSubstr("\"shape\": [3, 3]"));
  EXPECT_THAT(text, HasSubstr("\"by_length\": [\n    {\n"));
}

TEST_F(cli_run, accepts_the_former_level_name_tlm_with_a_warning) {
  write("former.yaml", "include: small.yaml\nsimulation: {level: tlm}\n");
  const command_result r = weft({"run", "former.yaml", "-q"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "former.yaml:2:21: warning: simulation.level: 'tlm' is now called 'engine'; write 'engine'\n");
  json written = json::parse(read("results/former.json"));
  EXPECT_EQ(written["configuration"]["simulation"]["level"], "engine");

  written["configuration"]["simulation"]["level"] = "tlm";  // as in the results of earlier versions
  write("earlier.json", written.dump());
  const command_result again = weft({"run", "earlier.json", "-q"});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.err, "");
}

TEST_F(cli_run, queue_lengths_over_time_are_equal_at_both_levels) {
  json series[2];
  for (const std::string level : {"pin", "engine"}) {
    const command_result r = weft({"run", "small.yaml", "-q", "-o", level, "--set", "simulation.level=" + level,
                                   "--set", "workload.injection=0.4", "--set", "output={interval: 90, queues: true}"});
    EXPECT_EQ(r.status, 0) << r.err;
    series[level == "engine"] = json::parse(read(level + "/small.json"))["time_series"];
  }
  EXPECT_EQ(series[0], series[1]);
  const json& queues = series[0]["queues"];
  ASSERT_EQ(queues.size(), 9u + 2 * 12);  // of nodes, of neighbors
  double in_queues = 0, in_routers = 0;
  for (const json& input : queues)
    for (const json& vc : input["flits"]) {
      EXPECT_EQ(vc.size(), series[0]["start"].size());
      for (const json& flits : vc) in_queues += flits.get<double>();
    }
  for (const json& router : series[0]["routers"])
    for (const json& flits : router["occupancy"]) in_routers += flits.get<double>();
  EXPECT_LT(in_queues, in_routers);  // which includes channels and crossbars
  EXPECT_GT(in_queues, 0.3 * in_routers);
}

TEST_F(cli_run, queue_output_requires_an_interval) {
  EXPECT_EQ(weft({"run", "small.yaml", "--set", "output.queues=true"}).status, 2);
}

TEST_F(cli_run, the_same_seed_gives_identical_output_files) {
  const std::vector<std::string> common = {"run", "small.yaml", "--set", "output={event_log: true, answers: true}",
                                           "-q"};
  const auto run_to = [&](const std::string& directory, const std::string& seed) {
    std::vector<std::string> arguments = common;
    arguments.insert(arguments.end(), {"-o", directory, "--seed", seed});
    EXPECT_EQ(weft(arguments).status, 0);
  };
  run_to("a", "5");
  run_to("b", "5");
  run_to("c", "6");
  EXPECT_THAT(files_in("a"), ElementsAre("small.answers", "small.csv", "small.events", "small.json"));
  for (const std::string& file : files_in("a")) {
    EXPECT_EQ(read("a/" + file), read("b/" + file)) << file;
    EXPECT_NE(read("a/" + file), read("c/" + file)) << file;
  }
}

TEST_F(cli_run, the_resolved_configuration_gives_the_same_results) {
  EXPECT_EQ(weft({"run", "small.yaml", "--set", "workload.pattern=neighbour"}).status, 0);
  const json first = json::parse(read("results/small.json"));
  write("small.json", first["configuration"].dump());
  EXPECT_EQ(weft({"run", "small.json", "-o", "again"}).status, 0);
  EXPECT_EQ(json::parse(read("again/small.json")), first);
}

TEST_F(cli_run, writes_latencies_of_a_packet_list) {
  write("list/packets.txt", "# a packet through each of 3 routers: 2 + 5 * 3 cycles\n4 7 0 2 1\n9 100 2 0 1\n");
  write("list/given.yaml",
        "network: {topology: {shape: [3, 3]}}\nworkload: {packet_list: packets.txt}\n"
        "output: {answers: true, event_log: true, json: false, csv: false, directory: out}\n");
  EXPECT_EQ(weft({"run", "list/given.yaml", "--quiet"}).out, "");
  EXPECT_THAT(files_in("list/out"), ElementsAre("given.answers", "given.events"));
  EXPECT_EQ(read("list/out/given.answers"), "4 7 24 24 3\n9 100 117 117 3\n");
  EXPECT_EQ(read("list/out/given.events"),
            "cycle kind node vc packet sequence\n7 inject 0 0 4 0\n24 eject 2 0 4 0\n100 inject 2 0 9 0\n"
            "117 eject 0 0 9 0\n");
}

TEST_F(cli_run, rejects_deadlocking_routing_unless_allowed) {
  write("ring.yaml",
        "network:\n  topology: {kind: ring, shape: [8]}\n  routing: source\n  router: {vcs: 1, depth: 2}\n"
        "workload: {injection: {load: 0.9}, length: 8}\nsimulation: {level: engine, deadlock_after: 1000}\n");
  const command_result rejected = weft({"run", "ring.yaml"});
  EXPECT_EQ(rejected.status, 2);
  EXPECT_THAT(rejected.err, StartsWith("ring.yaml:3:12: error: packets can deadlock"));
  EXPECT_THAT(rejected.err, HasSubstr("router 0 (0) +x -> router 1 (1) -x, VC 0\n"));
  EXPECT_THAT(rejected.err, HasSubstr("back to router 0 (0) +x, VC 0\n"));
  const command_result insisted = weft({"run", "ring.yaml", "--set", "network.routing.allow_deadlock=true"});
  EXPECT_EQ(insisted.status, 1);
  EXPECT_THAT(insisted.out, HasSubstr("DEADLOCK: packets wait for each other"));
  EXPECT_THAT(insisted.out, HasSubstr("holds up: a ring of"));
}

TEST_F(cli_run, examples_run_from_any_directory) {
  for (const char* const name : {"custom_network", "fat_tree", "hotspot", "memory_controllers", "packet_list",
                                 "quickstart", "request_reply", "torus", "transpose_bursty", "waveform"}) {
    const std::string file = std::string(WEFT_SOURCE_DIR "/examples/") + name + ".yaml";
    std::vector<std::string> arguments = {"run", file, "--quiet"};
    // Long enough to observe that they run.
    if (name != std::string("packet_list"))
      arguments.insert(arguments.end(), {"--set", "simulation={warmup: 100, measure: 200}"});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 0) << name;
    EXPECT_EQ(r.err, "") << name;
    EXPECT_THAT(json::parse(read(std::string("results/") + name + ".json"))["outcome"], "complete");
  }
  EXPECT_THAT(read("results/waveform.vcd"), HasSubstr("$enddefinitions"));
}

TEST_F(cli_run, rejects_empty_packet_list) {
  write("list.txt", "# no packet\n");
  write("list.yaml", "workload: {packet_list: list.txt}\n");
  const command_result r = weft({"run", "list.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "list.yaml:1:25: error: workload.packet_list: expected at least one packet in list.txt, got none\n");
}

TEST_F(cli_run, rejects_load_above_node_ports) {
  for (const char* const command : {"run", "check"}) {
    EXPECT_EQ(
        weft({command, "small.yaml", "--set", "workload.injection.load=1.5"}).err,
        "--set workload.injection.load=1.5: error: workload.injection.load: expected at most 1 (one flit per cycle "
        "and port of a node), got 1.5\n");
    EXPECT_EQ(weft({command, "small.yaml", "--set", "workload.injection.load=1.5"}).status, 2);
  }
  EXPECT_EQ(weft({"check", "small.yaml", "--set", "workload.injection.load=1.5", "--set", "nic.ports=2"}).status, 0);
}

class cli_interrupt : public cli_run, public testing::WithParamInterface<int> {};

TEST_P(cli_interrupt, writes_partial_results_when_interrupted) {
  const auto interrupt = [this](pid_t process) {
    // The progress line shows that the run is in progress.
    await_err(process, "cycles/s");
    kill(process, GetParam());
  };
  const command_result r = weft({"run", "small.yaml", "--set", "simulation={warmup: 0, measure: 1000000000}", "--set",
                                 "output={progress: always, event_log: true}"},
                                interrupt);
  EXPECT_EQ(r.status, 128 + GetParam());
  EXPECT_THAT(r.out, HasSubstr("INTERRUPTED"));
  EXPECT_THAT(r.err, HasSubstr("\rmeasuring "));
  EXPECT_THAT(r.err, HasSubstr(" \rweft: interrupted\n"));  // the line is cleared
  EXPECT_THAT(files_in("results"), ElementsAre("small.csv", "small.events", "small.json"));
  const json j = json::parse(read("results/small.json"));
  EXPECT_EQ(j["complete"], false);
  EXPECT_EQ(j["outcome"], "interrupted");
  EXPECT_GT(j["packets"]["delivered"], 0);
}

INSTANTIATE_TEST_SUITE_P(signals, cli_interrupt, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST_F(cli_run, continues_under_nohup_when_terminal_closes) {
  const auto close_terminal = [this](pid_t process) {
    await_err(process, "cycles/s");
    kill(process, SIGHUP);
    await_handled(process, SIGHUP);
    kill(process, SIGTERM);  // ends it, in case the first signal did not
  };
  std::signal(SIGHUP, SIG_IGN);  // as nohup does; child processes inherit it
  const command_result r = weft(
      {"run", "small.yaml", "--set", "simulation={warmup: 0, measure: 1000000000}", "--set", "output.progress=always"},
      close_terminal);
  std::signal(SIGHUP, SIG_DFL);
  EXPECT_EQ(r.status, 128 + SIGTERM);
}

/// This happens if both Ctrl-C of the terminal and SIGTERM of the sweep reach a point.
TEST_F(cli_run, second_signal_does_not_kill_a_run_that_is_ending) {
  const auto interrupt = [this](pid_t process) {
    await_err(process, "cycles/s");
    kill(process, SIGINT);
    await_handled(process, SIGINT);  // of two pending signals, the second would be handled first
    kill(process, SIGTERM);
  };
  // So large that the run is in the middle of a slice when the second signal arrives.
  const command_result r =
      weft({"run", "small.yaml", "--set", "network.topology.shape=[12, 12]", "--set",
            "simulation={level: pin, warmup: 0, measure: 1000000000}", "--set", "output.progress=always"},
           interrupt);
  EXPECT_EQ(r.status, 128 + SIGINT);
  EXPECT_THAT(r.out, HasSubstr("INTERRUPTED"));
  EXPECT_THAT(files_in("results"), ElementsAre("small.csv", "small.json"));
}

TEST_F(cli_run, file_names_need_not_be_utf_8) {
  write("caf\xe9.yaml", read("small.yaml"));
  EXPECT_EQ(weft({"run", "caf\xe9.yaml", "-o", "d\xe9's"}).status, 0);
  EXPECT_THAT(files_in("d\xe9's"), ElementsAre("caf\xe9.csv", "caf\xe9.json"));
  EXPECT_EQ(json::parse(read("d\xe9's/caf\xe9.json"))["complete"], true);
}

TEST_F(cli_run, results_contain_the_congestion_counters_of_every_node) {
  EXPECT_EQ(weft({"run", "small.yaml", "-q", "--set", "nic.window=50"}).status, 0);
  const json nodes = json::parse(read("results/small.json"))["nodes"];
  ASSERT_EQ(nodes.size(), 9u);
  unsigned received = 0;
  for (const json& n : nodes) received += n["received_in_window"].get<unsigned>();
  EXPECT_GT(received, 10u);  // 9 nodes, 50 cycles, a load of 0.1: some 45
  EXPECT_LT(received, 120u);
}

TEST_F(cli_run, rejects_results_path_that_is_a_file) {
  write("results", "a file where the directory should be");
  const command_result r = weft({"run", "small.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "small.yaml:1:1: error: cannot make directory results: Not a directory\n");
}

TEST_F(cli_run, checks_directory_permission_before_running) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  write("locked/x", "");
  std::filesystem::permissions(m_directory / "locked",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const command_result r = weft({"run", "small.yaml", "-o", "locked"});
  std::filesystem::permissions(m_directory / "locked", std::filesystem::perms::owner_all);  // makes it removable
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "-o locked: error: cannot open output file locked/small.json: Permission denied\n");
}

TEST_F(cli_run, reports_inaccessible_output_directory) {
  const bool root = geteuid() == 0;
  if (root && std::system("command -v setpriv >/dev/null") != 0) GTEST_SKIP() << "there is no setpriv";
  write("locked/x", "");
  std::filesystem::permissions(m_directory.path(), std::filesystem::perms::all);
  std::filesystem::permissions(m_directory / "locked", std::filesystem::perms::none);
  const auto error_of = [&](const std::string& call) {
    const std::string line = fmt::format("cd '{}' && {} " WEFT_COMMAND " {} 2>err", m_directory.path().string(),
                                         root ? "setpriv --reuid 65534 --clear-groups" : "", call);
    const int status = std::system(line.c_str());
    return fmt::format("{} {}", WEXITSTATUS(status), read("err"));
  };
  EXPECT_EQ(error_of("run small.yaml -o locked/x"),
            "2 -o locked/x: error: cannot make directory locked/x: Permission denied\n");
  EXPECT_EQ(error_of("topology small.yaml --verilog locked/v"),
            "2 --verilog locked/v/small_network_pkg.sv: error: cannot make directory locked/v: Permission denied\n");
  std::filesystem::permissions(m_directory / "locked", std::filesystem::perms::owner_all);  // makes it removable
}

TEST_F(cli_run, rejected_run_keeps_earlier_results) {
  EXPECT_EQ(weft({"run", "small.yaml", "-q"}).status, 0);
  const std::string before = read("results/small.json");
  EXPECT_EQ(weft({"run", "small.yaml", "--set", "output.vcd=[nothing*]"}).status, 2);
  EXPECT_EQ(read("results/small.json"), before);
  EXPECT_THAT(files_in("results"), ElementsAre("small.csv", "small.json"));
}

TEST_F(cli_run, rejected_run_leaves_no_files) {
  EXPECT_EQ(weft({"run", "small.yaml", "--set", "output.vcd=[nothing*]", "-o", "a/b"}).status, 2);
  EXPECT_THAT(files_in("."), ElementsAre("small.yaml"));
  EXPECT_THAT(files_in("results"), IsEmpty());
}

}  // namespace
}  // namespace weft::cli
