// SPDX-License-Identifier: Apache-2.0
/// Schedules simulated on networks, as a user runs them.

#include "cli/command.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class cli_schedule_replay : public command_test {
 protected:
  cli_schedule_replay() {
    write("mesh.yaml", "network: {topology: {shape: [3, 3]}}\nnic: {ports: 4}\nschedule: {ports: all}\n");
    write("ring.yaml", "network: {topology: {kind: ring, shape: [5]}}\n");
  }
};

TEST_F(cli_schedule_replay, no_packet_waits_at_either_level) {
  for (const char* level : {"engine", "pin"}) {
    const command_result r = weft({"schedule", "mesh.yaml", "--collective", "aas", "--seconds", "0", "--replay",
                                   "--set", std::string("simulation.level=") + level});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out,
                AllOf(HasSubstr(std::string("replay at ") + level), HasSubstr("no packet waits; each of the "),
                      HasSubstr("t1 = 1.00 cycles a flit"), HasSubstr("without barriers"), HasSubstr("all_at_once")));
  }
}

TEST_F(cli_schedule_replay, reports_packets_that_wait_in_shallow_buffers) {
  const command_result r = weft({"schedule", "ring.yaml", "--collective", "aab", "--replay", "--length", "20", "--set",
                                 "network.router.depth=2", "--set", "simulation.level=engine"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, AllOf(HasSubstr("packets wait"), HasSubstr(" cycles, alone "), Not(HasSubstr("no packet waits"))));
}

TEST_F(cli_schedule_replay, error_for_too_few_ports_gives_the_number_needed) {
  ASSERT_EQ(
      weft({"schedule", "mesh.yaml", "--collective", "oas", "--root", "4", "-o", "s.json", "--seconds", "0"}).status,
      0);
  const command_result r = weft({"schedule", "mesh.yaml", "--check", "s.json", "--replay", "--set", "nic.ports=2"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("node 4 must send 3 packets at once at r4, but has 2 ports there; set nic.ports to "
                               "3"));
  EXPECT_EQ(weft({"schedule", "--check", "s.json", "--replay"}).status, 2);
}

TEST_F(cli_schedule_replay, collective_runs_a_schedule_file) {
  ASSERT_EQ(weft({"schedule", "ring.yaml", "--collective", "aab", "-o", "s.json", "--seconds", "0"}).status, 0);
  const std::vector<std::string> play = {
      "collective", "ring.yaml", "--set", "collective.algorithm=schedule", "--set", "collective.schedule=s.json"};
  const command_result r = weft(play);
  EXPECT_EQ(r.status, 0) << r.err;
  const json result = json::parse(read("results/ring.json"));
  EXPECT_EQ(result["outcome"], "complete");

  std::vector<std::string> with_operation = play;
  with_operation.insert(with_operation.end(), {"--set", "collective.operation=scatter"});
  EXPECT_EQ(weft(with_operation).status, 2);

  json broken = json::parse(read("s.json"));
  broken["steps"][0]["transfers"].erase(0);
  write("s.json", broken.dump());
  const command_result lacking = weft(play);
  EXPECT_EQ(lacking.status, 2);
  EXPECT_THAT(lacking.err, HasSubstr("s.json: step 2"));
}

TEST_F(cli_schedule_replay, collective_uses_ports_of_the_schedule_file) {
  write("plain.yaml", "network: {topology: {shape: [3, 3]}}\nnic: {ports: 4}\nsimulation: {level: engine}\n");
  write("tree.yaml",
        "network: {topology: {kind: fat_tree, children: [4, 4], parents: [2, 2]}}\nsimulation: {level: engine}\n");
  const auto play = [this](const char* config) {
    return weft(
        {"collective", config, "-q", "--set", "collective.algorithm=schedule", "--set", "collective.schedule=s.json"});
  };
  const auto made_with = [this](const char* config, const char* ports) {
    return weft({"schedule", config, "-q", "--collective", "oas", "--seconds", "0", "--ports", ports, "-o", "s.json"});
  };
  for (const char* ports : {"all", "one", "2", "as_built"}) {
    for (const char* config : {"plain.yaml", "tree.yaml"}) {
      ASSERT_EQ(made_with(config, ports).status, 0);
      const command_result r = play(config);
      EXPECT_EQ(r.status, 0) << config << ", ports " << ports << ": " << r.err;
      const command_result checked = weft({"schedule", config, "--check", "s.json"});
      EXPECT_EQ(checked.status, 0) << config << ", ports " << ports << ": " << checked.err;
    }
  }
  EXPECT_THAT(play("plain.yaml").err, HasSubstr("is not a node of this network; the file is for another network or for "
                                                "other ports"));

  ASSERT_EQ(
      weft({"forwarding", "plain.yaml", "-q", "--collective", "allgather", "--seconds", "0", "--ccsched", "s.json"})
          .status,
      0);
  EXPECT_EQ(play("plain.yaml").status, 0);
}

TEST_F(cli_schedule_replay, collective_rejects_unreadable_schedule_file) {
  const auto error_of = [this](const std::string& file) {
    std::vector<std::string> play = {"collective", "ring.yaml", "--set", "collective.algorithm=schedule"};
    if (!file.empty()) play.insert(play.end(), {"--set", "collective.schedule=" + file});
    const command_result r = weft(play);
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  EXPECT_THAT(error_of(""), HasSubstr("collective.schedule is missing"));
  EXPECT_THAT(error_of("absent.json"), HasSubstr("cannot be opened: No such file or directory"));
  write("other.json", "{}");
  EXPECT_THAT(error_of("other.json"), HasSubstr("format"));
}

TEST_F(cli_schedule_replay, times_option_compares_methods_by_message_length) {
  write("square.yaml", "network: {topology: {shape: [4, 4]}}\nschedule: {seconds: 0, collective: aab}\n");
  const command_result r = weft({"schedule", "square.yaml", "--times", "100,1", "--lengths", "1,1000"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("m = 1 "), HasSubstr("combining 6/15"), HasSubstr("t = 615")));
  EXPECT_EQ(weft({"schedule", "square.yaml", "--times", "100,0"}).status, 2);
  EXPECT_EQ(weft({"schedule", "square.yaml", "--times", "100"}).status, 2);
  EXPECT_EQ(weft({"schedule", "square.yaml", "--lengths", "3"}).status, 2);
  EXPECT_EQ(weft({"schedule", "square.yaml", "--times", "1,1", "--lengths", "0"}).status, 2);
  EXPECT_EQ(weft({"schedule", "square.yaml", "--times", "1,1", "--combining"}).status, 2);
}

}  // namespace
}  // namespace weft::cli
