// SPDX-License-Identifier: Apache-2.0
/// `weft collective`, as a user calls it.

#include "cli/command.h"
#include <csignal>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class cli_collective : public command_test {
 protected:
  cli_collective() {
    write("small.yaml",
          "network: {topology: {shape: [4, 4]}, router: {pipeline: 3}}\n"
          "collective: {algorithm: network_coding, group: [2, 2]}\n"
          "simulation: {level: engine}\n");
  }
};

TEST_F(cli_collective, prints_a_table_and_writes_results) {
  const command_result r = weft({"collective", "small.yaml"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(r.out, StartsWith("small: broadcast by network_coding, 16 nodes\n4x4 mesh, dimension_order routing"));
  EXPECT_THAT(r.out, HasSubstr("complete: every node has exactly the data that it should have"));
  EXPECT_THAT(files_in("results"), ElementsAre("small.csv", "small.json"));
  const json j = json::parse(read("results/small.json"));
  EXPECT_EQ(j["outcome"], "complete");
  EXPECT_EQ(j["total"]["messages"], 16 * 15);
  EXPECT_EQ(j["bounds"]["flit_hops"], 16 * 15);
  EXPECT_EQ(j["bounds"]["ejection"], 15);
  EXPECT_GE(j["cycles"]["execution"], j["bounds"]["cycles"]);
  EXPECT_EQ(j["messages"].size(), 16 * 15);
  EXPECT_EQ(j["configuration"]["collective"]["algorithm"], "network_coding");
  EXPECT_FALSE(j["configuration"]["workload"].contains("pattern"));
  EXPECT_THAT(read("results/small.csv"), StartsWith("name,seed,operation,algorithm,nodes,outcome,cycles,"));
}

TEST_F(cli_collective, both_levels_write_the_same_events) {
  const std::string event_log = "output.event_log=true";
  EXPECT_EQ(weft({"collective", "small.yaml", "-q", "--set", event_log, "-o", "engine"}).status, 0);
  EXPECT_EQ(
      weft({"collective", "small.yaml", "-q", "--set", event_log, "--set", "simulation.level=pin", "-o", "pin"}).status,
      0);
  EXPECT_EQ(read("engine/small.events"), read("pin/small.events"));
  EXPECT_THAT(read("engine/small.events"), HasSubstr("eject"));
}

TEST_F(cli_collective, completes_with_coding_in_the_nics) {
  const command_result r = weft({"collective", "small.yaml", "--set", "nic.coding=true"});
  EXPECT_EQ(r.status, 0) << r.err << r.out;
}

/// Both data of an XOR also come plain, and with adaptive routing some of them come after the XOR. No packet may stay
/// in a decoder, which would overflow.
TEST_F(cli_collective, redundant_xors_do_not_fill_nic_decoders) {
  write("redundant.yaml",
        "network: {topology: {shape: [4, 4]}, routing: {algorithm: west_first}}\n"
        "nic: {coding: {enabled: true, entries: 16}}\n"
        "collective: {algorithm: parity, parity: 2, sources: [0, 5, 10, 15], packets: 200}\n"
        "simulation: {level: engine}\n");
  const command_result r = weft({"collective", "redundant.yaml"});
  EXPECT_EQ(r.status, 0) << r.err << r.out;
}

TEST_F(cli_collective, compare_option_prints_and_writes_a_table_of_algorithms) {
  const command_result r = weft({"collective", "small.yaml", "--compare", "all_at_once,network_coding"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("\n  all_at_once "));
  EXPECT_THAT(r.out, HasSubstr("\n  wrote results/small.compare.csv\n"));
  std::istringstream lines(r.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_EQ(weft({"collective", "small.yaml", "-q"}).status, 0);
  const std::string csv = read("results/small.csv");
  EXPECT_THAT(read("results/small.compare.csv"), HasSubstr("\n" + csv.substr(csv.find('\n') + 1)));
}

TEST_F(cli_collective, rejects_unknown_algorithm_to_compare) {
  const command_result r = weft({"collective", "small.yaml", "--compare", "tree,treee"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, StartsWith("--compare treee: error: collective.algorithm: expected one of none, all_at_once"));
  EXPECT_THAT(r.err, HasSubstr("did you mean 'tree'?"));
}

TEST_F(cli_collective, counts_hops_of_a_256x256_mesh_without_simulating) {
  const command_result r = weft({"collective", "small.yaml", "--analyse", "--json", "-", "--set",
                                 "network.topology.shape=[256, 256]", "--set", "collective.algorithm=tree"});
  EXPECT_EQ(r.status, 0) << r.err;
  const json j = json::parse(r.out);
  EXPECT_EQ(j["algorithms"][0]["messages"], 65'536ull * 65'535);
  EXPECT_EQ(j["algorithms"][0]["hops"], 65'536ull * (1024 + 256 * 1024));
  EXPECT_THAT(files_in("results"), IsEmpty());
}

TEST_F(cli_collective, node_that_cannot_decode_is_named_with_exit_status_1) {
  write("parity.yaml",
        "network: {topology: {shape: [2, 1]}}\n"
        "collective: {algorithm: parity, sources: [0], packets: 4, lost: [0, 1]}\n"
        "simulation: {level: engine}\n");
  const command_result r = weft({"collective", "parity.yaml"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "weft: undelivered\n");
  EXPECT_THAT(r.out, HasSubstr("UNDELIVERED"));
  EXPECT_THAT(r.out, HasSubstr("    node 1 lacks datum 0 of node 0: message 0 of step "));
  const json j = json::parse(read("results/parity.json"));
  EXPECT_EQ(j["complete"], false);
  EXPECT_EQ(j["lost"], json({0, 1}));
  EXPECT_EQ(weft({"collective", "parity.yaml", "-q", "--set", "collective.lost=[2]"}).status, 0);
}

TEST_F(cli_collective, overflowing_decoder_is_named_with_exit_status_1) {
  const command_result r =
      weft({"collective", "small.yaml", "--set", "nic.coding=true", "--set", "nic.coding.entries=2"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("    the XOR decoder of node "));
  EXPECT_THAT(r.out, HasSubstr("increase nic.coding.entries"));
}

TEST_F(cli_collective, writes_partial_results_when_interrupted) {
  const auto interrupt = [this](pid_t process) {
    await_err(process, "messages left");
    kill(process, SIGINT);
  };
  const command_result r =
      weft({"collective", "small.yaml", "--set", "network.topology.shape=[24, 24]", "--set",
            "collective={algorithm: all_at_once, length: 2000}", "--set", "output.progress=always"},
           interrupt);
  EXPECT_EQ(r.status, 130);
  EXPECT_THAT(r.out, HasSubstr("INTERRUPTED"));
  const json j = json::parse(read("results/small.json"));
  EXPECT_EQ(j["complete"], false);
  EXPECT_EQ(j["outcome"], "interrupted");
}

TEST_F(cli_collective, examples_run_from_any_directory) {
  for (const char* const name : {"network_coding", "butterfly", "parity"}) {
    const command_result r =
        weft({"collective", std::string(WEFT_SOURCE_DIR "/examples/") + name + ".yaml", "--quiet"});
    EXPECT_EQ(r.status, 0) << name;
    EXPECT_EQ(r.err, "") << name;
    EXPECT_EQ(json::parse(read(std::string("results/") + name + ".json"))["outcome"], "complete") << name;
  }
}

/// Runs invalid configurations and compares the error message of each.
TEST_F(cli_collective, error_for_invalid_configuration_gives_line_and_column) {
  const auto error_of = [this](const std::string& text, const char* command = "collective") {
    write("bad.yaml", text);
    const command_result r = weft({command, "bad.yaml"});
    EXPECT_EQ(r.status, 2) << text;
    return first_line(r.err);
  };
  EXPECT_EQ(error_of("simulation: {level: engine}\n"),
            "bad.yaml:1:1: error: collective.algorithm is missing; `weft schema --markdown` lists its values");
  EXPECT_EQ(error_of("collective: tree\n", "run"),
            "bad.yaml:1:13: error: this experiment is a collective; simulate it with `weft collective`");
  EXPECT_EQ(error_of("collective: {algorithm: tree, grup: [2, 2]}\n"),
            "bad.yaml:1:31: error: unknown key 'grup' in collective; did you mean 'group'?");
  EXPECT_EQ(error_of("collective: {algorithm: tree, group: [2, 2]}\n"),
            "bad.yaml:1:38: error: collective.group has no effect unless collective.algorithm is hierarchy, combining, "
            "network_coding, network_coding_direct or spread_intermediates");
  EXPECT_EQ(error_of("collective: tree\nworkload: {pattern: uniform}\n"),
            "bad.yaml:2:12: error: workload.pattern has no effect on a collective, which collective.algorithm selects; "
            "leave it out");
  EXPECT_EQ(error_of("collective: {algorithm: tree, loss: 0.1}\nnic: {coding: true}\n"),
            "bad.yaml:1:37: error: collective.loss has no effect unless nic.coding.enabled is false");
  EXPECT_THAT(error_of("collective: {algorithm: tree, sources: [64]}\n"), StartsWith("bad.yaml:1:"));
  EXPECT_THAT(
      error_of("collective: {algorithm: tree, length: 9}\n"
               "network: {router: {flow_control: virtual_cut_through}}\n"),
      HasSubstr("virtual_cut_through needs room for a whole packet in network.router.depth; expected packets of "
                "at most 8 flits, got 9"));
  EXPECT_THAT(error_of("collective: tree\nnic: {coding: true, ports: 2}\n"),
              HasSubstr("nic.coding: expected one channel from the network to every node"));
  EXPECT_THAT(error_of("collective: {algorithm: parity, sources: [0], lost: [1000]}\n"), StartsWith("bad.yaml:1:"));
}

}  // namespace
}  // namespace weft::cli
