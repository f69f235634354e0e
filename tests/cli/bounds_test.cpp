// SPDX-License-Identifier: Apache-2.0
/// `weft bounds` and runs of regulated flows.
#include "cli/command.h"
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class cli_bounds : public command_test {
 protected:
  cli_bounds() {
    write("flows.txt", "long_ 0 8 8 0.1 16\nshort 1 8 1 0.02 2\nback 8 0 4 0.1 8\n");
    write("mesh.yaml",
          "network: {topology: {shape: [3, 3]}, router: {vcs: 1, depth: 32}}\nworkload: {flows: flows.txt}\n"
          "simulation: {level: engine, warmup: 0, measure: 2000}\n");
  }
};

TEST_F(cli_bounds, are_printed_beside_measured_latencies) {
  const command_result r = weft({"bounds", "mesh.yaml", "--search", "30", "--json", "bounds.json"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, StartsWith("mesh: 3 flows\n"));
  EXPECT_THAT(r.out, HasSubstr("3 of 3 flows have a bound\n  measured in 30 runs of 5,000 cycles"));
  const json j = json::parse(read("bounds.json"));
  EXPECT_EQ(j["runs"], 30);
  ASSERT_EQ(j["flows"].size(), 3U);
  for (const json& f : j["flows"]) {
    EXPECT_GE(f["measured"], f["zero_load"]);
    EXPECT_GE(f["bound"], f["measured"]);
  }
  EXPECT_LT(j["flows"][2]["bound"], 2 * j["flows"][2]["zero_load"].get<unsigned>()) << "the flow waits only for itself";
}

TEST_F(cli_bounds, are_the_same_with_both_levels_and_with_the_same_seed) {
  const std::vector<std::string> arguments{"bounds", "mesh.yaml", "--search", "8", "--cycles", "800", "--json", "-"};
  const command_result engine = weft(arguments), again = weft(arguments);
  EXPECT_EQ(engine.out, again.out);
  write("pin.yaml", "include: mesh.yaml\nsimulation: {level: pin}\n");
  const command_result pin = weft({"bounds", "pin.yaml", "--search", "8", "--cycles", "800", "--json", "-"});
  EXPECT_EQ(pin.status, 0) << pin.err;
  EXPECT_EQ(pin.out, engine.out);
}

TEST_F(cli_bounds, that_do_not_exist_have_a_reason_and_end_with_status_1) {
  const command_result r =
      weft({"bounds", "mesh.yaml", "--search", "0", "--set", "network.router.vcs=4", "--json", "b"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(
      r.out, HasSubstr("0 of 3 flows have a bound\n  no bound for long_ and 2 more: flow long_ has no single path: its "
                       "message class has 4 VCs\n"));
  EXPECT_THAT(r.out, Not(HasSubstr("measured in")));
  EXPECT_TRUE(json::parse(read("b"))["flows"][0]["bound"].is_null());
}

TEST_F(cli_bounds, of_the_example_hold) {
  const command_result r = weft({"bounds", WEFT_SOURCE_DIR "/examples/guarantees.yaml", "--search", "30"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("9 of 9 flows have a bound"));
}

TEST_F(cli_bounds, a_run_has_the_statistics_of_each_flow) {
  const command_result r = weft({"run", "mesh.yaml", "-q", "--set", "output.directory=out"});
  EXPECT_EQ(r.status, 0) << r.err;
  const json result = json::parse(read("out/mesh.json"));
  ASSERT_EQ(result["traffics"].size(), 3U);
  EXPECT_EQ(result["traffics"][1]["name"], "short");
  std::uint64_t sum = 0;
  for (const json& t : result["traffics"]) sum += t["delivered"].get<std::uint64_t>();
  EXPECT_EQ(sum, result["packets"]["delivered"]);
  // A greedy flow of 0.1 flits per cycle and packets of 8 flits releases one every 80 cycles, after a burst of two.
  EXPECT_EQ(result["traffics"][0]["measured"], 2 + 1999 / 80);
}

TEST_F(cli_bounds, random_flows_use_a_share_of_their_rates) {
  const command_result r =
      weft({"run", "mesh.yaml", "-q", "--set", "output.directory=out", "--set", "simulation.measure=200000", "--set",
            "workload.flows.release=random", "--set", "workload.flows.share=0.5"});
  EXPECT_EQ(r.status, 0) << r.err;
  const json back = json::parse(read("out/mesh.json"))["traffics"][2];
  EXPECT_NEAR(back["measured"].get<double>(), 200000 * 0.05 / 4, 5 * 50);  // the standard deviation is 50
}

/// The share of a class with priority, while another class offers up to 0.8 flits per node and cycle.
TEST_F(cli_bounds, a_class_with_priority_keeps_its_share_under_any_load_of_the_others) {
  write("shared.yaml", R"(network:
  topology: {shape: [4, 4]}
  router: {vcs: 4, classes: 2, priority: message_class}
nic: {source_queues: per_class}
workload:
  traffics:
    guaranteed: {pattern: transpose, class: 1, length: 4, injection: {load: 0.15}}
    other: {length: 4, injection: {load: 0.1}}
simulation: {level: engine, warmup: 2000, measure: 20000, drain: 0}
)");
  for (const char* load : {"0.1", "0.5", "0.8"}) {
    weft({"run", "shared.yaml", "-q", "--set", std::string("workload.traffics.other.injection.load=") + load});
    const json traffics = json::parse(read("results/shared.json"))["traffics"];
    const double offered = traffics[0]["offered"]["mean"], accepted = traffics[0]["accepted"]["mean"];
    EXPECT_NEAR(accepted, offered, 0.02 * offered) << "other load " << load;
  }
}

/// Both classes send to one node, whose channel carries one flit per cycle, which is 0.0625 per node.
TEST_F(cli_bounds, a_class_with_priority_keeps_a_full_channel_and_starves_the_other_class) {
  write("full.yaml", R"(network:
  topology: {shape: [4, 4]}
  router: {vcs: 4, classes: 2, priority: message_class}
nic: {source_queues: per_class}
workload:
  traffics:
    guaranteed: {pattern: {kind: hotspot, hotspots: [5], share: 1}, class: 1, length: 4, injection: {load: 0.06}}
    other: {pattern: {kind: hotspot, hotspots: [5], share: 1}, length: 4, injection: {load: 0.5}}
simulation: {level: engine, warmup: 2000, measure: 20000, drain: 0}
)");
  const auto accepted = [&](const char* priority, unsigned traffic) {
    weft({"run", "full.yaml", "-q", "--set", std::string("network.router.priority=") + priority});
    const json t = json::parse(read("results/full.json"))["traffics"][traffic];
    return t["accepted"]["mean"].get<double>() / t["offered"]["mean"].get<double>();
  };
  EXPECT_NEAR(accepted("message_class", 0), 1, 0.02);
  EXPECT_LT(accepted("message_class", 1), 0.03) << "the other class starves";
  EXPECT_LT(accepted("none", 0), 0.7);
  EXPECT_GT(accepted("network_age", 1), 0.05) << "no packet waits forever";
  const double guarded = accepted("message_class --set network.router.starvation_guard=50", 1);
  EXPECT_GT(guarded, 0.05) << "the guard prevents it";
}

struct bad_flows {
  const char* name;
  const char* yaml;     ///< content of bad.yaml
  const char* command;  ///< of `weft COMMAND bad.yaml`
  const char* message;  ///< start of standard error
};

void PrintTo(const bad_flows& b, std::ostream* out) { *out << b.name; }

class cli_bad_flows : public command_test, public testing::WithParamInterface<bad_flows> {};

TEST_P(cli_bad_flows, are_rejected) {
  write("bad.yaml", GetParam().yaml);
  write("good.txt", "a 0 5 4 0.1 4\n");
  write("far.txt", "a 0 5 4 0.1 4\nb 3 99 4 0.1 4\n");
  write("long.txt", "a 0 5 4 0.1 4\nb 3 4 9 0.1 9\n");
  write("class.txt", "a 0 5 4 0.1 4 1\n");
  const command_result r = weft({GetParam().command, "bad.yaml"});
  EXPECT_THAT(r.err, StartsWith(GetParam().message));
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.status, 2);
}

const bad_flows BadFlows[] = {
    {"missing_file", "workload:\n  flows: none.txt\n", "run",
     "bad.yaml:2:10: error: workload.flows.file: none.txt: cannot be opened"},
    {"no_flows_for_bounds", "network: {}\n", "bounds",
     "bad.yaml:1:1: error: workload.flows.file is missing; bounds exist only for regulated flows"},
    {"node_outside", "workload:\n  flows: far.txt\n", "run",
     "bad.yaml:2:10: error: workload.flows.file: far.txt:2: column 3 (destination): expected a node from 0 to 63, "
     "found '99'"},
    {"class_outside", "workload:\n  flows: class.txt\n", "run",
     "bad.yaml:2:10: error: workload.flows.file: class.txt:1: column 7 (class): expected a class "
     "(network.router.classes) from 0 to 0"},
    {"packet_longer_than_a_buffer",
     "network: {router: {flow_control: virtual_cut_through, depth: 8}}\nworkload:\n  flows: long.txt\n", "run",
     "bad.yaml:1:34: error: network.router.flow_control: virtual_cut_through needs room for a whole packet"},
    {"with_a_pattern", "workload:\n  flows: good.txt\n  pattern: transpose\n", "run",
     "bad.yaml:3:3: error: workload.pattern has no effect with workload.flows.file"},
    {"with_a_load", "workload:\n  flows: good.txt\n  injection: 0.2\n", "run",
     "bad.yaml:3:3: error: workload.injection has no effect with workload.flows.file"},
    {"with_lengths", "workload:\n  flows: good.txt\n  length: 3\n", "run",
     "bad.yaml:3:3: error: workload.length has no effect with workload.flows.file"},
    {"with_traffics", "workload:\n  flows: good.txt\n  traffics: {a: {injection: {load: 0.1}}}\n", "run",
     "bad.yaml:3:3: error: workload.traffics has no effect with workload.flows.file"},
    {"with_a_packet_list", "workload:\n  flows: good.txt\n  packet_list: good.txt\n", "run",
     "bad.yaml:2:3: error: workload.flows has no effect with workload.packet_list"},
    {"share_of_greedy_flows", "workload:\n  flows: {file: good.txt, share: 0.5}\n", "run",
     "bad.yaml:2:34: error: workload.flows.share has no effect"},
    {"share_of_zero", "workload:\n  flows: {file: good.txt, release: random, share: 0}\n", "run",
     "bad.yaml:2:51: error: workload.flows.share: expected a number from 0.001 to 1, got '0'"},
    {"release_without_a_file", "workload:\n  flows: {release: random}\n", "run",
     "bad.yaml:2:20: error: workload.flows.release has no effect"},
    {"unknown_release", "workload:\n  flows: {file: good.txt, release: grady}\n", "run",
     "bad.yaml:2:36: error: workload.flows.release: expected one of greedy, random, got 'grady'"},
    {"saturation", "workload:\n  flows: good.txt\n", "saturation",
     "bad.yaml: error: this experiment has no load to search, because packets follow a packet list, flows have "},
    {"unknown_key", "workload:\n  flows: good.txt\nx: 1\n", "bounds", "bad.yaml:3:1: error: unknown key 'x'"},
};
INSTANTIATE_TEST_SUITE_P(each, cli_bad_flows, testing::ValuesIn(BadFlows), [](const auto& b) { return b.param.name; });

}  // namespace
}  // namespace weft::cli
