// SPDX-License-Identifier: Apache-2.0
/// Input that `weft schedule` rejects, each with the whole message.
#include "cli/rejected_call.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::StartsWith;

class cli_bad_schedule : public rejected_call_test {};

TEST_P(cli_bad_schedule, is_rejected) {
  write("mesh.yaml", "network: {topology: {shape: [4, 4]}}\n");
  write("tree.yaml", "network: {topology: {kind: fat_tree, children: [2, 4], parents: [1, 2]}}\n");
  write("apart.yaml", "network: {topology: {kind: file, file: apart.net.yaml}}\n");
  write("apart.net.yaml",
        "format: weft-topology-1\nkind: apart\nrouters: [{name: a}, {name: b}]\nlinks: []\nnodes: [a, b]\nrouting: "
        "shortest\n");
  write("typo.yaml", "schedule: {colective: aab}\n");
  expect_rejection_of("schedule");
}

const rejected_call BadQuestions[] = {
    {"no_arguments", {}, "weft schedule: error: CONFIG is required, except with --check or --methods\n"},
    {"unknown_option", {"mesh.yaml", "--colective", "aab"}, "weft: error: The following argument"},
    {"no_collective",
     {"mesh.yaml"},
     "weft schedule: error: --collective is missing; expected oab, aab, oas, aas, mnb or mns, here or in "
     "schedule.collective\n"},
    {"unknown_collective",
     {"mesh.yaml", "--collective", "abb"},
     "--collective abb: error: schedule.collective: expected one of none, oab, aab, oas, aas, mnb, mns, got 'abb'"},
    {"unknown_key",
     {"typo.yaml"},
     "typo.yaml:1:12: error: unknown key 'colective' in schedule; did you mean "
     "'collective'?\n"},
    {"no_file", {"none.yaml", "--collective", "aab"}, "none.yaml"},
    {"search_method_without_time",
     {"mesh.yaml", "--collective", "aab", "--method", "tabu", "--seconds", "0"},
     "--method tabu: error: schedule.method: tabu searches, but schedule.seconds is 0; raise it\n"},
    {"unknown_root",
     {"mesh.yaml", "--collective", "oab", "--root", "16"},
     "--root 16: error: schedule.root: there is no node 16, expected 0 to 15\n"},
    {"root_not_a_node",
     {"mesh.yaml", "--collective", "oab", "--root", "corner"},
     "--root corner: error: schedule.root: 'corner' is not a node, range or router: nodes are written 0 to 15 or n0 to "
     "n15, a range is written 0-1, and routers have names such as r0\n"},
    {"root_names_several_nodes",
     {"mesh.yaml", "--collective", "oab", "--root", "r1", "--set", "network.topology.nodes_per_router=2"},
     "--root r1: error: schedule.root: r1 denotes 2 nodes, expected one\n"},
    {"root_empty",
     {"mesh.yaml", "--collective", "oab", "--root", ""},
     "--root : error: schedule.root: expected a number or a name, got ''\n"},
    {"root_without_effect",
     {"mesh.yaml", "--collective", "aab", "--root", "3"},
     "--root 3: error: schedule.root has no effect unless schedule.collective is oab or oas\n"},
    {"senders_without_effect",
     {"mesh.yaml", "--collective", "oab", "--senders", "3"},
     "--senders 3: error: schedule.senders has no effect unless schedule.collective is mnb or mns\n"},
    {"unknown_sender",
     {"mesh.yaml", "--collective", "mnb", "--senders", "3,16"},
     "--senders 3,16: error: schedule.senders: there is no node 16, expected 0 to 15\n"},
    {"unknown_router",
     {"mesh.yaml", "--collective", "mnb", "--receivers", "r16"},
     "--receivers r16: error: schedule.receivers: 'r16' is not a node, range or router: nodes are written 0 to 15 or "
     "n0 to n15, a range is written 0-1, and routers have names such as r0\n"},
    {"router_without_nodes",
     {"tree.yaml", "--collective", "mnb", "--senders", "r4"},
     "--senders r4: error: schedule.senders: router r4 has no nodes\n"},
    {"no_senders",
     {"mesh.yaml", "--collective", "mnb", "--senders", ""},
     "--senders : error: schedule.senders: expected a list of at least 1 numbers or names, got a list of length 0\n"},
    {"empty_list_element",
     {"mesh.yaml", "--collective", "mnb", "--senders", "3,,5"},
     "--senders 3,,5: error: schedule.senders[1]: expected a number or a name, got ''\n"},
    {"sender_twice",
     {"mesh.yaml", "--collective", "mnb", "--senders", "0-3,r2"},
     "--senders 0-3,r2: error: schedule.senders: node 2 is named twice\n"},
    {"range_descending",
     {"mesh.yaml", "--collective", "mnb", "--senders", "5-2"},
     "--senders 5-2: error: schedule.senders: expected an ascending range, got '5-2'\n"},
    {"nothing_to_send",
     {"mesh.yaml", "--collective", "mns", "--senders", "3", "--receivers", "3"},
     "--collective mns: error: schedule.collective: node 3 is the only sender and the only receiver: there is nothing "
     "to send\n"},
    {"no_ports",
     {"mesh.yaml", "--collective", "aab", "--ports", "0"},
     "--ports 0: error: schedule.ports: expected as_built, all, one or an integer from 1 to 65536, got '0'\n"},
    {"unknown_ports",
     {"mesh.yaml", "--collective", "aab", "--ports", "many"},
     "--ports many: error: schedule.ports: expected as_built, all, one or an integer from 1 to 65536, got 'many'\n"},
    {"unknown_paths",
     {"mesh.yaml", "--collective", "aab", "--paths", "shortest"},
     "--paths shortest: error: schedule.paths: expected one of minimal, any, got 'shortest'\n"},
    {"unknown_method",
     {"mesh.yaml", "--collective", "aab", "--method", "gredy"},
     "--method gredy: error: schedule.method: no method 'gredy'; did you mean 'greedy'?\n"},
    {"method_not_applicable",
     {"mesh.yaml", "--collective", "aas", "--method", "flow_scatter"},
     "--method flow_scatter: error: method flow_scatter does not fit: "},
    {"negative_time",
     {"mesh.yaml", "--collective", "aab", "--seconds", "-1"},
     "--seconds -1: error: schedule.seconds: expected a number from 0 to 1000000000, got '-1'\n"},
    {"time_not_a_number",
     {"mesh.yaml", "--collective", "aab", "--seconds", "soon"},
     "--seconds soon: error: schedule.seconds: expected a number from 0 to 1000000000, got 'soon'\n"},
    {"seed_not_a_number",
     {"mesh.yaml", "--collective", "aab", "--seed", "x"},
     "--seed x: error: simulation.seed: expected an integer from 0 to 18446744073709551615, got 'x'\n"},
    {"no_threads", {"mesh.yaml", "--collective", "aab", "--jobs", "0"}, "weft: error: --jobs: "},
    {"network_disconnected",
     {"apart.yaml", "--collective", "aab"},
     "apart.net.yaml:6:10: error: routing: node 0 cannot be reached from router 1 (b); add a link\n"},
    {"output_not_writable",
     {"mesh.yaml", "--collective", "oab", "--seconds", "0", "-q", "-o", "mesh.yaml/found.json"},
     "-o mesh.yaml/found.json: error: "},
    {"check_of_missing_file",
     {"--check", "none.json"},
     "--check none.json: error: cannot be opened: No such file or directory\n"},
    {"root_with_check_but_no_network",
     {"--check", "none.json", "--root", "3"},
     "--root 3: error: needs CONFIG in addition to --check\n"},
    {"output_with_check", {"--check", "a.json", "-o", "b.json"}, "weft: error: --output excludes --check\n"},
    {"proof_with_check", {"--check", "a.json", "--proof", "b"}, "weft: error: --proof excludes --check\n"},
    {"time_with_check",
     {"mesh.yaml", "--check", "a.json", "--seconds", "5"},
     "--seconds 5: error: has no effect with --check, which does not search for a schedule\n"},
    {"method_with_check",
     {"mesh.yaml", "--check", "a.json", "--method", "tabu"},
     "--method tabu: error: has no effect with --check, which does not search for a schedule\n"},
    {"length_without_a_replay",
     {"mesh.yaml", "--collective", "aab", "--length", "9"},
     "--length 9: error: has no effect without --replay; it sets the length of the simulated messages\n"},
    {"output_with_methods",
     {"mesh.yaml", "--methods", "-o", "a.json"},
     "--output: error: has no effect with --methods, which does not search for a schedule\n"},
    {"collective_with_methods_but_no_network",
     {"--methods", "--collective", "aab"},
     "--collective aab: error: has no effect with --methods unless CONFIG is given\n"},
    {"no_times",
     {"mesh.yaml", "--collective", "aab", "--times", ""},
     "--times : error: expected TS,T1, the start-up time of a step and the time per unit, such as 100,1\n"},
    {"single_time", {"mesh.yaml", "--collective", "aab", "--times", "100"}, "--times 100: error: expected TS,T1"},
    {"empty_time", {"mesh.yaml", "--collective", "aab", "--times", "100,,1"}, "--times 100,,1: error: expected TS,T1"},
    {"infinite_time",
     {"mesh.yaml", "--collective", "aab", "--times", "inf,1"},
     "--times inf,1: error: expected a number from 0 to 1e+15, got 'inf'\n"},
    {"times_that_overflow",
     {"mesh.yaml", "--collective", "aab", "--times", "1,1e308"},
     "--times 1,1e308: error: expected a number from 1e-15 to 1e+15, got '1e308'\n"},
    {"unit_time_zero",
     {"mesh.yaml", "--collective", "aab", "--times", "100,0"},
     "--times 100,0: error: expected a number from 1e-15 to 1e+15, got '0'\n"},
    {"empty_length",
     {"mesh.yaml", "--collective", "aab", "--times", "1,1", "--lengths", "1,,2"},
     "--lengths 1,,2: error: expected a number from 1e-15 to 1e+15, got ''\n"},
    {"no_lengths",
     {"mesh.yaml", "--collective", "aab", "--times", "1,1", "--lengths", ""},
     "--lengths : error: the list is empty; expected lengths such as 1,16,256\n"},
    {"length_not_a_number",
     {"mesh.yaml", "--collective", "aab", "--times", "1,1", "--lengths", "1,nan"},
     "--lengths 1,nan: error: expected a number from 1e-15 to 1e+15, got 'nan'\n"},
    {"replay_that_can_deadlock",
     {"mesh.yaml", "--collective", "aab", "--seconds", "0", "--replay", "--set", "network.topology.kind=torus", "--set",
      "network.router.vcs=1"},
     "--set network.router.vcs=1: error: topology: vcs is 1; dimension_order routing in a torus needs at least 2\n"},
};

INSTANTIATE_TEST_SUITE_P(all, cli_bad_schedule, testing::ValuesIn(BadQuestions),
                         [](const auto& test) { return test.param.name; });

struct bad_schedule {
  const char* name;
  const char* pointer;
  json value;
  const char* message;
};

class cli_bad_schedule_file : public command_test {
 protected:
  cli_bad_schedule_file() { write("ring.yaml", "network: {topology: {kind: ring, shape: [4]}}\n"); }

  json good() {
    const command_result r = weft({"schedule", "ring.yaml", "--collective", "aab", "-o", "-", "--seconds", "0"});
    EXPECT_EQ(r.status, 0) << r.err;
    return json::parse(r.out);
  }
  /// Expects the message for the text without a network.
  std::string rejection(const std::string& text, std::vector<std::string> further = {}) {
    write("bad.json", text);
    std::vector<std::string> arguments{"schedule", "--check", "bad.json"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 2) << r.out;
    EXPECT_EQ(r.out, "");
    return r.err;
  }
};

TEST_F(cli_bad_schedule_file, error_gives_path_to_the_bad_value) {
  const bad_schedule cases[] = {
      {"wrong_format", "/format", "ccsched/2", R"(format: "ccsched/2", expected "ccsched/1")"},
      {"core_twice", "/cores/1", "n0", R"(cores[1]: "n0", expected each core once)"},
      {"unknown_operation", "/collective", "reduce", R"(collective: "reduce", expected one of broadcast, scatter)"},
      {"unknown_source", "/sources/0", "n7", R"(sources[0]: "n7", expected one of `cores`)"},
      {"wrong_number_of_steps", "/R", 9, "R: 9, expected 3, the number of steps"},
      {"wrong_occupancy", "/TCO", 9,
       "TCO: 9, expected 3, the sum of the sizes of all steps (the size of a step is the number of messages in its "
       "longest transfer)"},
      {"unknown_channel", "/steps/0/transfers/0/path/1", 99,
       "steps[0].transfers[0].path[1]: 99, expected the id of a channel of the topology"},
      {"wrong_size", "/steps/0/transfers/0/size", 2, "steps[0].transfers[0].size: 2, expected 1, that of the payload"},
      {"not_a_list", "/steps/0/transfers", "none", R"(steps[0].transfers: "none", expected a list)"},
  };
  const json file = good();
  for (const bad_schedule& bad : cases) {
    json changed = file;
    changed[json::json_pointer(bad.pointer)] = bad.value;
    EXPECT_EQ(rejection(changed.dump()), std::string("--check bad.json: error: line 1: ") + bad.message + "\n")
        << bad.name;
  }
}

TEST_F(cli_bad_schedule_file, rejects_a_file_that_is_not_json) {
  EXPECT_THAT(rejection(""), StartsWith("--check bad.json: error: not JSON: parse error at line 1, column 1: "));
  EXPECT_THAT(rejection("{\"format\": "),
              StartsWith("--check bad.json: error: not JSON: parse error at line 1, column "));
  EXPECT_THAT(rejection("7"),
              StartsWith("--check bad.json: error: line 1: the document: 7, expected an object with format\n"));
}

TEST_F(cli_bad_schedule_file, rejects_file_for_another_network) {
  write("mesh.yaml", "network: {topology: {shape: [2, 2]}}\n");
  const json file = good();
  EXPECT_EQ(rejection(file.dump(), {"mesh.yaml"}),
            "--check bad.json: error: line 1: topology.channels[1]: channel 1 is r0 -> r3 (link, cap 1) in the file, "
            "but missing or already used in the network; the file is for another network or for other ports\n");
  EXPECT_EQ(rejection(file.dump(), {"ring.yaml", "--ports", "2"}),
            "--check bad.json: error: line 1: topology.channels[8]: channel 8 is n0 -> r0 (inj, cap 1) in the file, n0 "
            "-> r0 (inj, cap 2) in the network; the file is for another network or for other ports\n");
}

TEST_F(cli_bad_schedule_file, rejects_file_for_another_collective) {
  EXPECT_EQ(rejection(good().dump(), {"ring.yaml", "--collective", "oab"}),
            "--check bad.json: error: the schedule is for AAB, all-to-all broadcast, 4 nodes, expected one for OAB, "
            "one-to-all broadcast from n0, 4 nodes\n");
}

}  // namespace
}  // namespace weft::cli
