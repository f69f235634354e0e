// SPDX-License-Identifier: Apache-2.0
/// Keys of `workload.replay`: those without effect are rejected where they are set, or ignored if the setting that they
/// depend on is overridden. Traces of MPI programs that are replayed: tests/mpi.

#include "cli/command.h"
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* Compressing = "nic: {compression: {mode: always}}\n";

class cli_replay_keys : public command_test {
 protected:
  cli_replay_keys() {
    write("mesh.yaml", "network: {topology: {shape: [2, 2]}}\nsimulation: {level: engine}\n");
    write("list.txt", "1 0 0 1 8 2\n");
    write("program.trace", "WEFTMPI\n");  // an MPI trace by its first bytes
    write("packets.tra", "UTJH");         // a netrace by its first bytes
  }

  /// A configuration with one line for each section.
  void write_keys(const std::string& trace, const std::string& keys, const std::string& nic = "") {
    write("keys.yaml", "network: {topology: {shape: [2, 2]}}\nsimulation: {level: engine}\n" + nic +
                           "workload: {trace: " + trace + ", replay: {" + keys + "}}\n");
  }

  void rejected(const std::string& trace, const std::string& keys, const std::string& nic, const std::string& message) {
    write_keys(trace, keys, nic);
    for (const char* const command : {"check", "replay"}) {
      const command_result r = weft({command, "keys.yaml"});
      EXPECT_EQ(r.status, 2) << keys;
      EXPECT_THAT(r.err,
                  AllOf(HasSubstr("keys.yaml:" + std::to_string(nic.empty() ? 3 : 4) + ":"), HasSubstr(message)));
    }
  }

  json result(const std::string& name) { return json::parse(read("results/" + name + ".json")); }
};

TEST_F(cli_replay_keys, are_rejected_where_they_have_no_effect) {
  rejected("list.txt", "map: optimised, nodes: [0, 1]", "",
           "workload.replay.nodes has no effect while workload.replay.map is optimised");
  rejected("program.trace", "collectives: {group: [2, 2]}", "",
           "workload.replay.collectives.group has no effect, because no collective uses an algorithm with groups; "
           "leave it out");
  rejected("program.trace", "collectives: {schedule: list.txt}", "",
           "workload.replay.collectives.schedule has no effect, because no collective uses the algorithm `schedule`; "
           "leave it out");
}

TEST_F(cli_replay_keys, error_escapes_control_characters_of_a_trace) {
  write("list.txt", "1 0 0 1 8 0\n0\x1b]0;title\a 0 0 1 8 0\n");
  write_keys("list.txt", "");
  const command_result r = weft({"replay", "keys.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("found '0\\x1b]0;title\\x07'"));
}

TEST_F(cli_replay_keys, are_rejected_for_unsuitable_trace_kinds) {
  rejected("list.txt", "eager: 100", "",
           "workload.replay.eager has no effect unless workload.trace is a trace of MPI; leave it out");
  rejected(
      "list.txt", "computing: 0.5", "",
      "workload.replay.computing has no effect unless workload.trace is a trace of MPI or a Chakra trace; leave it "
      "out");
  rejected("list.txt", "region: 1", "",
           "workload.replay.region has no effect unless workload.trace is a netrace; leave it out");
  rejected("program.trace", "region: 1", "",
           "workload.replay.region has no effect unless workload.trace is a netrace; leave it out");
  rejected("list.txt", "collectives: {reduce: tree}", "",
           "workload.replay.collectives.reduce has no effect unless workload.trace is a trace of MPI; leave it out");
  rejected("packets.tra", "eager: 100", "",
           "workload.replay.eager has no effect unless workload.trace is a trace of MPI; leave it out");
  rejected(
      "packets.tra", "cuts: [8 bits]", Compressing,
      "workload.replay.cuts has no effect unless workload.trace is a trace of MPI or a list of messages; leave it out");
}

TEST_F(cli_replay_keys, are_dropped_if_the_trace_option_names_another_trace_kind) {
  const std::string keys =
      "region: 2, eager: 100, computing: 0.5, cuts: [8 bits tag 3, 4 bits from 8], "
      "collectives: {all_reduce: ring, broadcast: network_coding, group: [2, 2]}";
  write_keys("nowhere.trace", keys, Compressing);
  const command_result r = weft({"replay", "keys.yaml", "-q", "--trace", "list.txt"});
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string first = read("results/keys.json");
  EXPECT_EQ(result("keys")["configuration"]["workload"]["replay"],
            json::parse(R"({"map": "linear", "packet": 16, "cuts": ["4 bits from 8"]})"));
  EXPECT_EQ(weft({"replay", "results/keys.json", "-q"}).status, 0);
  EXPECT_EQ(read("results/keys.json"), first);

  write("main.yaml", "include: keys.yaml\nworkload: {trace: list.txt}\n");
  EXPECT_EQ(weft({"check", "main.yaml"}).err, "");
  // Keys next to the trace apply to it.
  write("main.yaml", "include: keys.yaml\nworkload: {trace: list.txt, replay: {eager: 9}}\n");
  EXPECT_THAT(weft({"check", "main.yaml"}).err,
              AllOf(HasSubstr("main.yaml:2:45: error: workload.replay.eager has no effect"), Not(HasSubstr("region"))));
  EXPECT_THAT(weft({"check", "main.yaml", "--set", "workload.trace=list.txt", "--set", "workload.replay.region=3"}).err,
              HasSubstr("--set workload.replay.region=3: error: workload.replay.region has no effect"));
}

TEST_F(cli_replay_keys, appear_in_results_only_if_they_have_an_effect) {
  ASSERT_EQ(weft({"replay", "mesh.yaml", "--trace", "list.txt", "-q"}).status, 0);
  const std::string first = read("results/mesh.json");
  ASSERT_EQ(weft({"replay", "results/mesh.json", "-q"}).status, 0);
  EXPECT_EQ(read("results/mesh.json"), first);
  json older = json::parse(first);
  EXPECT_EQ(older["configuration"]["workload"]["replay"], json::parse(R"({"map": "linear", "packet": 16})"));
  older["configuration"]["workload"]["replay"]["eager"] = 4096;  // as in older results of lists
  write("results/older.json", older.dump(1));
  const command_result r = weft({"replay", "results/older.json", "-q"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(
      r.err,
      AllOf(HasSubstr("results/older.json:"),
            HasSubstr("workload.replay.eager has no effect unless workload.trace is a trace of MPI; leave it out")));
}

TEST_F(cli_replay_keys, error_for_missing_trace_points_to_its_key) {
  write("keys.yaml", "network: {topology: {shape: [2, 2]}}\nworkload:\n  trace: nowhere.trace\n");
  const command_result r = weft({"replay", "keys.yaml", "-q"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("keys.yaml:3:10: error: workload.trace: nowhere.trace: cannot be opened"));
  const command_result given = weft({"replay", "keys.yaml", "-q", "--trace", "none.trace"});
  EXPECT_EQ(given.status, 2);
  EXPECT_THAT(given.err, HasSubstr("none.trace: error: cannot be opened"));
  write("nowhere.trace", "0 0 0 1 8\n");
  EXPECT_THAT(weft({"replay", "keys.yaml", "-q"}).err,
              HasSubstr("keys.yaml:3:10: error: workload.trace: nowhere.trace:1: expected 6 or 7 columns"));
  std::filesystem::remove(m_directory.path() / "nowhere.trace");
  const command_result swept = weft({"sweep", "keys.yaml", "-q", "--over", "network.router.vcs=1,2"});
  EXPECT_EQ(swept.status, 2);
  EXPECT_THAT(swept.err, HasSubstr("keys.yaml:3:10: error: workload.trace: nowhere.trace cannot be opened"));
}

TEST_F(cli_replay_keys, reject_unknown_collective_algorithm) {
  rejected("program.trace", "collectives: {reduce: trees}", "",
           "workload.replay.collectives.reduce: expected 'usual' or an algorithm of `weft collective`, got 'trees'");
}

TEST_F(cli_replay_keys, reject_invalid_or_unmatched_truncation_rules) {
  rejected("list.txt", "cuts: [28]", Compressing, "workload.replay.cuts: '28': expected `bits` after 28");
  rejected("list.txt", "cuts: [raw, 60 bits]", Compressing,
           "workload.replay.cuts: '60 bits': expected `raw` or the number of bits to cut, 0 to 51");
  rejected("list.txt", "cuts: [7 bits of int]", Compressing,
           "LSB-cut supports only double and double_complex; use `raw` for other types; a rule is `N bits` or `raw`");
  rejected("program.trace", "cuts: [8 bits from 4, 9 bits tag 3 from 8]", Compressing,
           "workload.replay.cuts: '9 bits tag 3 from 8' matches no message: '8 bits from 4' before it matches them");
  rejected(
      "program.trace", "cuts: [8 bits of double, 9 bits of double_complex from 4, 7 bits from 4]", Compressing,
      "workload.replay.cuts: '7 bits from 4' matches no message: '8 bits of double' and '9 bits of double_complex from "
      "4' before it together match them all; put the rule first, or leave it out");
  rejected("list.txt", "cuts: [raw of double, raw of double_complex, 8 bits]", Compressing,
           "workload.replay.cuts: '8 bits' matches no message: 'raw of double' and 'raw of double_complex' before it "
           "together match them all");
  rejected("program.trace", "cuts: [8 bits in MPI_Recv]", Compressing,
           "'8 bits in MPI_Recv' matches no message: the sender truncates, so name the function that sends");
  rejected("program.trace", "cuts: [raw in MPI_Barrier]", Compressing,
           "'raw in MPI_Barrier' matches no message: a barrier carries no data; leave it out");
  rejected("list.txt", "cuts: [8 bits from 4, 9 bits]", "",
           "workload.replay.cuts has no effect while nic.compression.mode is none");
  for (const char* const rule : {"8 bits tag 3", "raw in MPI_Send"})
    rejected(
        "list.txt", "cuts: [" + std::string(rule) + "]", Compressing,
        "workload.replay.cuts: '" + std::string(rule) +
            "' matches no message: messages of a list have no tag and no MPI function; select them by `of` and `from`, "
            "or leave the rule out");
  EXPECT_THAT(weft({"run", "mesh.yaml", "--set", "workload.replay.cuts=[raw]"}).err,
              HasSubstr("workload.replay.cuts has no effect without workload.trace"));
}

TEST_F(cli_replay_keys, truncation_rules_match_by_message_size) {
  write("list.txt", "0 0 0 1 4096 2\n1 0 1 0 64 2 0\n");
  const command_result r =
      weft({"replay", "mesh.yaml", "--trace", "list.txt", "--set", "nic.compression.mode=always", "--set",
            "workload.payload=smooth_doubles", "--set", "workload.replay.cuts=[32 bits from 1000, raw]"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr(" 1  messages, 256 flits saved"));
  EXPECT_EQ(result("mesh")["compressed_messages"], 1);
}

TEST_F(cli_replay_keys, truncation_rules_work_with_compare_and_sweep) {
  write_keys("list.txt", "cuts: [8 bits]");
  EXPECT_EQ(weft({"replay", "keys.yaml", "--compare", "-q"}).status, 0);
  const auto rows = [this](const std::string& file) {
    const std::string table = read(file);
    EXPECT_THAT(table, Not(HasSubstr("infeasible")));
    return std::count(table.begin(), table.end(), '\n') - 1;
  };
  EXPECT_EQ(rows("results/keys.compare.csv"), 3);
  EXPECT_EQ(
      weft({"replay", "mesh.yaml", "--trace", "list.txt", "--compare", "-q", "--set", "workload.replay.cuts=[8 bits]"})
          .status,
      0);
  EXPECT_EQ(rows("results/mesh.compare.csv"), 3);
  EXPECT_EQ(weft({"sweep", "mesh.yaml", "-q", "--set", "workload.trace=list.txt", "--set",
                  "workload.replay.cuts=[8 bits]", "--over", "nic.compression.mode=none,always"})
                .status,
            0);
  EXPECT_EQ(rows("results/mesh.sweep.csv"), 2);
}

}  // namespace
}  // namespace weft::cli
