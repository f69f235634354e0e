// SPDX-License-Identifier: Apache-2.0
/// Invalid values on the command line, each with the whole message of `weft`.
#include "cli/bad_configuration.h"

namespace weft::cli {
namespace {

const bad_configuration BadSettings[] = {
    {"set_without_value",
     "",
     {"--set", "network.router.vcs"},
     "--set network.router.vcs: error: expected KEY=VALUE, as in network.router.vcs=8"},
    {"set_unknown_key",
     "",
     {"--set", "network.router.vc=4"},
     "--set network.router.vc=4: error: unknown key 'vc' in network.router; did you mean 'vcs'?"},
    {"set_unknown_section",
     "",
     {"--set", "netwrok.router.vcs=4"},
     "--set netwrok.router.vcs=4: error: unknown key 'netwrok'; did you mean 'network'?"},
    {"set_key_within_a_value",
     "",
     {"--set", "network.router.vcs.x=4"},
     "--set network.router.vcs.x=4: error: network.router.vcs is a key and not a section, so it has no key 'x'"},
    {"set_wrong_type",
     "",
     {"--set", "network.router.vcs=four"},
     "--set network.router.vcs=four: error: network.router.vcs: expected an integer from 1 to 16, got "
     "'four'"},
    {"set_out_of_range",
     "",
     {"--set", "network.router.vcs=99"},
     "--set network.router.vcs=99: error: network.router.vcs: expected an integer from 1 to 16, got '99'"},
    {"set_syntax",
     "",
     {"--set", "network.topology.shape=[4, 4"},
     "--set network.topology.shape=[4, 4: error: YAML syntax: end of sequence flow not found"},
    {"set_empty_value",
     "",
     {"--set", "network.router.vcs="},
     "--set network.router.vcs=: error: network.router.vcs: expected an integer from 1 to 16, got nothing"},
    {"set_conflict_with_the_file",
     "network: {router: {depth: 64}}\n",
     {"--set", "network.router.vcs=16"},
     "--set network.router.vcs=16: error: network.router: expected vcs · depth of at most 512 flits, got 16 "
     "· 64 = 1024"},
    {"set_without_effect",
     "",
     {"--set", "workload.length.max=4"},
     "--set workload.length.max=4: error: workload.length.max has no effect unless workload.length.kind is "
     "uniform"},
    {"set_file_missing",
     "",
     {"--set", "workload.packet_list=nothing.txt"},
     "--set workload.packet_list=nothing.txt: error: workload.packet_list: nothing.txt: cannot be opened: No such "
     "file or directory"},
    {"waveforms_in_the_engine",
     "output: {vcd: [network.router_4*]}\n",
     {"--set", "simulation.level=engine"},
     "--set simulation.level=engine: error: output.vcd: only simulation.level: pin has waveforms; turn them off with "
     "--set 'output.vcd=[]'"},
    {"include",
     "",
     {"--set", "include=good.yaml"},
     "--set include=good.yaml: error: include is allowed only in configuration files"},
    {"seed_not_a_number",
     "",
     {"--seed", "x"},
     "--seed x: error: simulation.seed: expected an integer from 0 to 18446744073709551615, got 'x'"},
    {"output_directory_is_a_file",
     "",
     {"-o", "bad.yaml"},
     "-o bad.yaml: error: cannot make directory bad.yaml: Not a directory"},
};

class cli_bad_setting : public cli_bad_configuration {};

TEST_P(cli_bad_setting, is_rejected) { expect_rejection(); }

INSTANTIATE_TEST_SUITE_P(table, cli_bad_setting, testing::ValuesIn(BadSettings),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace weft::cli
