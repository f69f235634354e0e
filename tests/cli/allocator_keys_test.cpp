// SPDX-License-Identifier: Apache-2.0
/// Keys of allocators that are wrong or have no effect, and kinds without RTL, each with the whole message of `weft`.
#include "cli/bad_configuration.h"

#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

const bad_configuration BadAllocators[] = {
    {"unknown_kind",
     "network: {router: {vc_allocator: wavefornt}}\n",
     {},
     "bad.yaml:1:34: error: network.router.vc_allocator.kind: expected one of separable_input_first, "
     "separable_output_first, islip, wavefront, wavefront_fair, lonely_output, pim, maximum_matching, got "
     "'wavefornt'; did you mean 'wavefront'?"},
    {"unknown_arbiter",
     "network: {router: {vc_allocator: {arbiter: roundrobin}}}\n",
     {},
     "bad.yaml:1:44: error: network.router.vc_allocator.arbiter: expected one of round_robin, matrix, tree, "
     "fixed_priority, random, got 'roundrobin'; did you mean 'round_robin'?"},
    {"unknown_key",
     "network: {router: {vc_allocator: {iteration: 2}}}\n",
     {},
     "bad.yaml:1:35: error: unknown key 'iteration' in network.router.vc_allocator; did you mean 'iterations'?"},
    {"list_of_kinds",
     "network: {router: {vc_allocator: [islip]}}\n",
     {},
     "bad.yaml:1:34: error: network.router.vc_allocator: expected a map with kind, arbiter, iterations, "
     "groups, got a list; to simulate several values, use `weft sweep` with sweep: {over: "
     "{network.router.vc_allocator.kind: […]}}"},
    {"kind_of_booksim2",
     "network: {router: {vc_allocator: loa}}\n",
     {},
     "bad.yaml:1:34: error: network.router.vc_allocator.kind: expected one of separable_input_first, "
     "separable_output_first, islip, wavefront, wavefront_fair, lonely_output, pim, maximum_matching, got "
     "'loa'; BookSim2's loa is lonely_output"},
    {"kind_that_only_booksim2_has",
     "network: {router: {switch_allocator: select}}\n",
     {},
     "bad.yaml:1:38: error: network.router.switch_allocator.kind: expected one of separable_input_first, "
     "separable_output_first, islip, wavefront, wavefront_fair, lonely_output, pim, maximum_matching, got "
     "'select'; BookSim2's select has no counterpart: with one iteration it equals separable_output_first"},
    {"brackets_of_booksim2",
     "network: {router: {vc_allocator: islip(2)}}\n",
     {},
     "bad.yaml:1:34: error: network.router.vc_allocator.kind: expected one of separable_input_first, "
     "separable_output_first, islip, wavefront, wavefront_fair, lonely_output, pim, maximum_matching, got 'islip(2)'; "
     "what BookSim2 has in brackets are the keys iterations, arbiter and groups beside kind"},
    {"arbiter_of_islip",
     "network: {router: {switch_allocator: {kind: islip, arbiter: matrix}}}\n",
     {},
     "bad.yaml:1:61: error: network.router.switch_allocator.arbiter has no effect unless "
     "network.router.switch_allocator.kind is separable_input_first or separable_output_first"},
    {"iterations_of_wavefront",
     "network: {router: {switch_allocator: {kind: wavefront, iterations: 2}}}\n",
     {},
     "bad.yaml:1:68: error: network.router.switch_allocator.iterations has no effect unless "
     "network.router.switch_allocator.kind is islip or pim"},
    {"iterations_of_the_default",
     "network: {router: {switch_allocator: {iterations: 2}}}\n",
     {},
     "bad.yaml:1:51: error: network.router.switch_allocator.iterations has no effect unless "
     "network.router.switch_allocator.kind is islip or pim"},
    {"groups_without_a_tree",
     "network: {router: {vc_allocator: {groups: 4}}}\n",
     {},
     "bad.yaml:1:43: error: network.router.vc_allocator.groups has no effect unless "
     "network.router.vc_allocator.arbiter is tree"},
    {"one_group",
     "network: {router: {vc_allocator: {arbiter: tree, groups: 1}}}\n",
     {},
     "bad.yaml:1:58: error: network.router.vc_allocator.groups: expected an integer from 2 to 16, got '1'"},
    {"too_many_groups",
     "network: {router: {vc_allocator: {arbiter: tree, groups: 17}}}\n",
     {},
     "bad.yaml:1:58: error: network.router.vc_allocator.groups: expected an integer from 2 to 16, got '17'"},
    {"no_iteration",
     "network: {router: {vc_allocator: {kind: islip, iterations: 0}}}\n",
     {},
     "bad.yaml:1:60: error: network.router.vc_allocator.iterations: expected an integer from 1 to 8, got '0'"},
    {"too_many_iterations",
     "network: {router: {vc_allocator: {kind: pim, iterations: 9}}}\n",
     {},
     "bad.yaml:1:58: error: network.router.vc_allocator.iterations: expected an integer from 1 to 8, got '9'"},
};

class cli_bad_allocator : public cli_bad_configuration {};

TEST_P(cli_bad_allocator, is_rejected_with_file_line_key_and_remedy) { expect_rejection(); }

INSTANTIATE_TEST_SUITE_P(table, cli_bad_allocator, testing::ValuesIn(BadAllocators),
                         [](const auto& test) { return std::string(test.param.name); });

class cli_allocator : public command_test {};

TEST_F(cli_allocator, kinds_without_rtl_are_rejected_by_the_verilog_generator) {
  write("a.yaml", "network: {router: {switch_allocator: maximum_matching}}\n");
  const command_result r = weft({"topology", "a.yaml", "--verilog", "v"});
  EXPECT_EQ(r.err,
            "a.yaml:1:38: error: --verilog: there is no RTL of the allocator maximum_matching; set "
            "network.router.switch_allocator.kind: separable_input_first\n");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(files_in("."), ::testing::ElementsAre("a.yaml"));
}

TEST_F(cli_allocator, arbiters_without_rtl_are_rejected_by_the_verilog_generator) {
  write("a.yaml", "network: {router: {vc_allocator: {arbiter: tree}}}\n");
  const command_result r = weft({"topology", "a.yaml", "--verilog", "v"});
  EXPECT_EQ(r.err,
            "a.yaml:1:44: error: --verilog: there is no RTL of the arbiter tree; set "
            "network.router.vc_allocator.arbiter: round_robin\n");
  EXPECT_EQ(r.status, 2);
}

TEST_F(cli_allocator, results_state_the_kinds) {
  write("a.yaml",
        "network: {topology: {shape: [2, 2]}, router: {vc_allocator: {kind: islip, iterations: 3}, switch_allocator: "
        "wavefront}}\nsimulation: {warmup: 10, measure: 100}\n");
  ASSERT_EQ(weft({"run", "a.yaml"}).status, 0);
  const auto router = nlohmann::json::parse(read("results/a.json")).at("configuration").at("network").at("router");
  EXPECT_EQ(router.at("vc_allocator").at("kind"), "islip");
  EXPECT_EQ(router.at("vc_allocator").at("iterations"), 3);
  EXPECT_EQ(router.at("switch_allocator").at("kind"), "wavefront");
}

}  // namespace
}  // namespace weft::cli
