// SPDX-License-Identifier: Apache-2.0
/// Wrong inputs of `weft explore`, each with the message.
#include "cli/command.h"
#include <ostream>

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

struct bad_search {
  const char* name;
  const char* yaml;                    ///< section `explore` of bad.yaml, from line 3 on
  std::vector<std::string> arguments;  ///< after `weft explore bad.yaml`
  const char* message;                 ///< start of standard error
};

void PrintTo(const bad_search& b, std::ostream* out) { *out << b.name; }

class cli_bad_explore : public command_test, public testing::WithParamInterface<bad_search> {};

TEST_P(cli_bad_explore, is_rejected) {
  write("bad.yaml", std::string("simulation: {level: engine}\n"
                                "sweep: {over: {network.router.vcs: [1, 2], network.router.depth: [4, 8]}}\n") +
                        GetParam().yaml);
  std::vector<std::string> arguments{"explore", "bad.yaml"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const command_result r = weft(arguments);
  EXPECT_THAT(r.err, ::testing::StartsWith(GetParam().message));
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(files_in("."), ::testing::ElementsAre("bad.yaml"));
}

const bad_search BadSearches[] = {
    {"no_objective", "", {}, "bad.yaml:1:1: error: there is no objective; list statistics in explore.minimize or "},
    {"empty_objectives", "explore: {minimize: []}\n", {}, "bad.yaml:3:1: error: there is no objective; list "},
    {"unknown_key",
     "explore: {minimise: [latency_mean]}\n",
     {},
     "bad.yaml:3:11: error: unknown key 'minimise' in explore; did you mean 'minimize'?"},
    {"unknown_statistic",
     "explore: {minimize: [latency_maen]}\n",
     {},
     "bad.yaml:3:21: error: explore.minimize: 'latency_maen': there is no such statistic; did you mean "
     "'latency_mean'?"},
    {"no_quantity",
     "explore: {maximize: [outcome]}\n",
     {},
     "bad.yaml:3:21: error: explore.maximize: 'outcome': there is no such statistic; expected area, clock, "},
    {"no_technology",
     "explore: {minimize: [latency_mean, area]}\n",
     {},
     "bad.yaml:3:21: error: explore.minimize: 'area': needs a technology; set output.energy, as in output.energy: "
     "asap7"},
    {"twice",
     "explore:\n  minimize: [latency_mean]\n  maximize: [latency_mean]\n",
     {},
     "bad.yaml:5:13: error: explore.maximize: 'latency_mean' is already an objective; name it once"},
    {"objectives_not_a_list",
     "explore: {minimize: latency_mean}\n",
     {},
     "bad.yaml:3:21: error: explore.minimize: expected a list of texts, got 'latency_mean'"},
    {"constraint_without_limit",
     "explore:\n  minimize: [latency_mean]\n  constraints: [latency_p99]\n",
     {},
     "bad.yaml:5:16: error: explore.constraints: expected STATISTIC <= NUMBER or STATISTIC >= NUMBER, as in area <= "
     "0.5, got 'latency_p99'"},
    {"constraint_without_equality",
     "explore: {minimize: [latency_mean], constraints: [latency_p99 < 90]}\n",
     {},
     "bad.yaml:3:50: error: explore.constraints: expected STATISTIC <= NUMBER or "},
    {"constraint_without_number",
     "explore: {minimize: [latency_mean], constraints: [latency_p99 <= low]}\n",
     {},
     "bad.yaml:3:50: error: explore.constraints: expected STATISTIC <= NUMBER or "},
    {"constraint_on_unknown_statistic",
     "explore: {minimize: [latency_mean], constraints: [latency_p98 <= 90]}\n",
     {},
     "bad.yaml:3:50: error: explore.constraints: 'latency_p98': there is no such statistic; did you mean "
     "'latency_p9"},
    {"budget_of_zero",
     "explore: {minimize: [latency_mean], budget: 0}\n",
     {},
     "bad.yaml:3:45: error: explore.budget: expected an integer from 1 to 1000000, got '0'"},
    {"population",
     "explore: {minimize: [latency_mean], population: 10}\n",
     {},
     "bad.yaml:3:49: error: explore.population: expected a multiple of 4, as NSGA-II requires, got 10"},
    {"method",
     "explore: {minimize: [latency_mean], method: nsga3}\n",
     {},
     "bad.yaml:3:45: error: explore.method: expected one of nsga2, random, got 'nsga3'"},
    {"saturation_of_requests",
     "workload: {injection: {process: request_reply}}\nexplore: {maximize: [saturation]}\n",
     {},
     "bad.yaml:4:21: error: explore.maximize: 'saturation': needs traffic whose load can be varied; name another "},
    {"samples",
     "explore: {minimize: [latency_mean]}\n",
     {"--sample", "workload.injection.load=0.1:0.3"},
     "--sample workload.injection.load: error: samples have no effect on a search; list the values in sweep.over"},
    {"swept_key_of_explore",
     "explore: {minimize: [latency_mean]}\n",
     {"--over", "explore.budget=1,2"},
     "--over explore.budget: error: has no effect on a run, so it cannot be swept"},
    {"why_lacks_a_parameter",
     "explore: {minimize: [latency_mean]}\n",
     {"--why", "network.router.vcs=2"},
     "--why: error: lacks network.router.depth; add --why network.router.depth=VALUE"},
    {"why_of_another_key",
     "explore: {minimize: [latency_mean]}\n",
     {"--why", "network.router.pipeline=4"},
     "--why network.router.pipeline=4: error: is not a parameter of the search; expected network.router.vcs, "},
    {"why_of_another_value",
     "explore: {minimize: [latency_mean]}\n",
     {"--why", "network.router.vcs=3", "--why", "network.router.depth=4"},
     "--why network.router.vcs=3: error: is not in the search; expected 1, 2\n"},
    {"why_without_a_number",
     "explore: {minimize: [latency_mean]}\n",
     {"--why", "network.router.vcs=1", "--why", "network.router.depth=abc"},
     "--why network.router.depth=abc: error: is not in the search; expected 4, 8\n"},
    {"why_of_another_row",
     "explore: {minimize: [latency_mean]}\n",
     {"--linked", "network.flit.payload_bits=32,64", "--linked", "workload.length.flits=8,4", "--why",
      "network.router.vcs=1", "--why", "network.router.depth=4", "--why", "network.flit.payload_bits=32", "--why",
      "workload.length.flits=4"},
     "--why network.flit.payload_bits=32: error: is not in the search; expected network.flit.payload_bits=32, "
     "workload.length.flits=8; network.flit.payload_bits=64, workload.length.flits=4\n"},
    {"mean_of_a_latency",
     "explore: {minimize: [latency]}\n",
     {},
     "bad.yaml:3:21: error: explore.minimize: 'latency': there is no such statistic; did you mean 'latency_mean'?"},
    {"why_with_two_values",
     "explore: {minimize: [latency_mean]}\n",
     {"--why", "network.router.vcs=1,2", "--why", "network.router.depth=4"},
     "--why network.router.vcs=1,2: error: expected one value, got 2"},
};

std::string name_of_search(const testing::TestParamInfo<bad_search>& search) { return search.param.name; }

INSTANTIATE_TEST_SUITE_P(inputs, cli_bad_explore, testing::ValuesIn(BadSearches), name_of_search);

}  // namespace
}  // namespace weft::cli
