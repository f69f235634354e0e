// SPDX-License-Identifier: Apache-2.0
/// Parameters from YAML.
#include "support/files.h"
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/tlm_yaml/platform.h"

using testing::HasSubstr;
using weft::experiment::parse_platform;

namespace {

std::string error_of(const std::string& text) {
  try {
    parse_platform(text, "p.yaml");
  } catch (const weft::input_error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST(tlm_yaml, reads_every_key) {
  const weft::tlm2::noc_parameters p = parse_platform(R"(network:
  topology: {shape: [3, 2]}
  router: {vcs: 2, depth: 6}
  flit: 128
tlm:
  mode: loose
  clock_period: 500 ps
  queue_depth: 7
  receive_depth: 3
  max_packet_flits: 20
  allow_dmi: true
  translate: false
  foresee: false
  lenient: true
  contention: true
  contention_window: 500
  blocking_targets: [5, 0]
  map:
    - {base: 0x80000000, size: 64 KiB, node: 5}
    - base: 4096
      size: 0x100
      node: 0
nic: {ejection_depth: 5}
)",
                                                      "p.yaml");
  EXPECT_EQ(p.graph.nodes.size(), 6U);
  EXPECT_EQ(p.router.vcs, 2U);
  EXPECT_EQ(p.payload_bits, 128U);
  EXPECT_EQ(p.nic.ejection_depth, 5U);
  EXPECT_EQ(p.mode, weft::tlm2::timing::Loose);
  EXPECT_EQ(p.clock_period, sc_core::sc_time(500, sc_core::SC_PS));
  EXPECT_EQ(p.queue_depth, 7U);
  EXPECT_EQ(p.receive_depth, 3U);
  EXPECT_EQ(p.max_packet_flits, 20U);
  EXPECT_TRUE(p.allow_dmi);
  EXPECT_FALSE(p.translate);
  EXPECT_FALSE(p.foresee);
  EXPECT_TRUE(p.lenient);
  EXPECT_TRUE(p.contention);
  EXPECT_EQ(p.contention_window, 500U);
  EXPECT_EQ(p.blocking_targets, (std::vector<weft::node_id>{5, 0}));
  ASSERT_EQ(p.map.size(), 2U);
  EXPECT_EQ(p.map[0].base, 0x80000000U);
  EXPECT_EQ(p.map[0].size, 65536U);
  EXPECT_EQ(p.map[0].node, 5U);
  EXPECT_EQ(p.map[1].size, 256U);
}

TEST(tlm_yaml, omitted_keys_have_their_defaults) {
  const auto p = parse_platform("tlm:\n  map: [{base: 0, size: 1 GiB, node: 63}]\n", "p.yaml");
  EXPECT_EQ(p.graph.nodes.size(), 64U);
  EXPECT_EQ(p.nic.ejection_depth, p.router.depth);
  EXPECT_EQ(p.queue_depth, weft::tlm2::noc_parameters{}.queue_depth);
}

TEST(tlm_yaml, cut_through_is_checked_only_against_platform_packets) {
  const std::string text =
      "network:\n  router: {flow_control: virtual_cut_through, depth: 4}\ntlm:\n  max_packet_flits: 4\n";
  EXPECT_EQ(error_of(text), "no error");
}

TEST(tlm_yaml, sections_may_be_written_on_one_line) {
  const auto p = parse_platform("{tlm: {mode: loose}, network: {router: {vcs: 2}}}\n", "p.yaml");
  EXPECT_EQ(p.mode, weft::tlm2::timing::Loose);
  EXPECT_EQ(p.router.vcs, 2U);
}

TEST(tlm_yaml, a_network_may_have_8192_nodes) {
  EXPECT_EQ(parse_platform("network: {topology: {shape: [128, 64]}}\ntlm: {}\n", "p.yaml").graph.nodes.size(), 8192U);
}

/// Keys of an experiment file that have no effect here.
struct ignored_key {
  const char* name;
  const char* yaml;     ///< follows a one-line section tlm
  const char* message;  ///< the whole message
};

class tlm_yaml_ignored_keys : public testing::TestWithParam<ignored_key> {};

TEST_P(tlm_yaml_ignored_keys, are_rejected) {
  EXPECT_EQ(error_of(std::string("tlm: {}\n") + GetParam().yaml), GetParam().message);
}

const ignored_key IgnoredKeys[] = {
    {"workload", "workload: {length: 3}\n",
     "p.yaml:2:1: error: workload has no effect in a virtual platform, because its initiators generate the traffic; "
     "remove it"},
    {"collective", "collective: {algorithm: tree}\n",
     "p.yaml:2:1: error: collective has no effect in a virtual platform, because its initiators generate the traffic; "
     "remove it"},
    {"collective_in_short", "collective: none\n",
     "p.yaml:2:1: error: collective has no effect in a virtual platform, because its initiators generate the traffic; "
     "remove it"},
    {"simulation", "simulation:\n  seed: 3\n",
     "p.yaml:2:1: error: simulation has no effect in a virtual platform, because sc_start() determines how long it "
     "runs; remove it"},
    {"output", "output: {name: x}\n",
     "p.yaml:2:1: error: output has no effect in a virtual platform, because it writes no results; remove it"},
    {"allow_deadlock", "network:\n  routing: {allow_deadlock: true}\n",
     "p.yaml:3:29: error: network.routing.allow_deadlock has no effect in a virtual platform, because a network that "
     "can deadlock is always rejected; remove it"},
    {"coding", "nic:\n  coding: {enabled: true}\n",
     "p.yaml:3:3: error: nic.coding has no effect in a virtual platform, because its packets do not identify data to "
     "combine; remove it"},
    {"coding_in_short", "nic:\n  coding: true\n",
     "p.yaml:3:3: error: nic.coding has no effect in a virtual platform, because its packets do not identify data to "
     "combine; remove it"},
    {"implementation", "nic: {compression: {mode: always, implementation: rtl}}\n",
     "p.yaml:2:51: error: nic.compression.implementation has no effect in a virtual platform, because the engine has "
     "no modules that RTL could replace; remove it"},
    {"nics_of_rtl", "nic: {implementation: rtl}\n",
     "p.yaml:2:23: error: nic.implementation has no effect in a virtual platform, because the engine has no modules "
     "that RTL could replace; remove it"},
    {"rtl_nodes", "nic: {compression: {mode: always, rtl_nodes: [1]}}\n",
     "p.yaml:2:46: error: nic.compression.rtl_nodes has no effect in a virtual platform, because the engine has no "
     "modules that RTL could replace; remove it"},
    {"assumed_size", "nic: {compression: {mode: always, latency: 100, size: 2}}\n",
     "p.yaml:2:55: error: nic.compression.size has no effect in a virtual platform, because an assumed size has no "
     "bits to deliver; remove it"},
};

INSTANTIATE_TEST_SUITE_P(all, tlm_yaml_ignored_keys, testing::ValuesIn(IgnoredKeys),
                         [](const auto& i) { return std::string(i.param.name); });

TEST(tlm_yaml, includes_the_configuration_of_an_experiment) {
  const temporary_file base("network: {topology: {shape: [3, 2]}, router: {vcs: 2}}\n");
  const auto platform = [&base](const std::string& text) { return "include: " + base.name() + "\n" + text; };
  const weft::tlm2::noc_parameters p = parse_platform(
      platform("network: {router: {vcs: 4}}\ntlm: {map: [{base: 0, size: 64 KiB, node: 5}]}\n"), "p.yaml");
  EXPECT_EQ(p.graph.nodes.size(), 6u);
  EXPECT_EQ(p.router.vcs, 4u);
  EXPECT_THAT(error_of(platform("tlm: {mode: fats}\n")), HasSubstr("p.yaml:2:13: error: tlm.mode: expected"));
  const temporary_file wrong("tlm: {mode: loose}\n");
  EXPECT_THAT(error_of("include: " + wrong.name() + "\ntlm: {}\n"),
              HasSubstr(wrong.name() + ":1:1: error: unknown key 'tlm'"));
}

TEST(tlm_yaml, several_invalid_values_are_reported_together) {
  const std::string found = error_of("tlm:\n  max_packet_flits: 2\n  contention: true\n");
  EXPECT_THAT(found, HasSubstr("p.yaml:2:21: error: max_packet_flits must be at least 4"));
  EXPECT_THAT(found, HasSubstr("p.yaml:3:15: error: contention is only for the loose mode"));
}

TEST(tlm_yaml, several_errors_are_reported_together) {
  EXPECT_EQ(
      error_of("tlm: {}\nworkload: {}\nnic: {coding: true, prots: 1}\n"),
      "p.yaml:3:21: error: unknown key 'prots' in nic; did you mean 'ports'?\np.yaml:2:1: error: workload has no "
      "effect in a virtual platform, because its initiators generate the traffic; remove it\np.yaml:3:7: error: "
      "nic.coding has no effect in a virtual platform, because its packets do not identify data to combine; remove it");
  EXPECT_EQ(error_of("tlm: {mode: fats, queue_depth: many, map: [{base: x, size: 1}]}\n"),
            "p.yaml:1:32: error: tlm.queue_depth: expected an integer from 1 to 4096, got 'many'\n"
            "p.yaml:1:13: error: tlm.mode: expected cycle or loose, got 'fats'\n"
            "p.yaml:1:51: error: tlm.map[0].base: expected a number as in 0x8000 or '64 KiB', got 'x'\n"
            "p.yaml:1:44: error: tlm.map[0]: expected a 'node'; give it");
}

TEST(tlm_yaml, errors_have_a_place_and_a_remedy) {
  EXPECT_THAT(error_of("network: {}\n"), HasSubstr("p.yaml:1:1: error: section tlm is missing"));
  EXPECT_THAT(error_of("tlm:\n  mod: cycle\n"),
              HasSubstr("p.yaml:2:3: error: unknown key 'mod' in tlm; did you mean 'mode'"));
  EXPECT_THAT(error_of("tlm:\n  mode: fast\n"),
              HasSubstr("p.yaml:2:9: error: tlm.mode: expected cycle or loose, got 'fast'"));
  EXPECT_THAT(error_of("tlm:\n  clock_period: 5\n"),
              HasSubstr("p.yaml:2:17: error: tlm.clock_period: expected a time"));
  EXPECT_THAT(error_of("tlm:\n  clock_period: 5 fs\n"), HasSubstr("resolution of SystemC"));
  EXPECT_THAT(error_of("tlm:\n  queue_depth: 0\n"),
              HasSubstr("p.yaml:2:16: error: tlm.queue_depth: expected an integer"));
  EXPECT_THAT(error_of("tlm:\n  allow_dmi: maybe\n"), HasSubstr("expected true or false, got 'maybe'"));
  EXPECT_THAT(error_of("tlm:\n  map: 5\n"), HasSubstr("tlm.map: expected a list"));
  EXPECT_THAT(error_of("tlm:\n  map:\n    - {base: 0, size: 0, node: 0}\n"),
              HasSubstr("p.yaml:3:23: error: tlm.map[0].size: expected a number"));
  EXPECT_THAT(error_of("tlm:\n  map:\n    - {base: 0, size: 1, node: 64}\n"),
              HasSubstr("tlm.map[0].node: expected a node from 0 to 63, got '64'"));
  EXPECT_THAT(error_of("tlm:\n  map:\n    - {base: 0, node: 1}\n"),
              HasSubstr("p.yaml:3:7: error: tlm.map[0]: expected a 'size'"));
  EXPECT_THAT(error_of("tlm:\n  map:\n    - {base: 0, size: 8, node: 1}\n    - {base: 4, size: 8, node: 2}\n"),
              HasSubstr("overlaps"));
  EXPECT_THAT(error_of("tlm:\n  blocking_targets: [1, 64]\n"),
              HasSubstr("p.yaml:2:25: error: tlm.blocking_targets[1]: expected a node from 0 to 63, got '64'"));
  EXPECT_THAT(error_of("tlm:\n  blocking_targets: all\n"), HasSubstr("tlm.blocking_targets: expected a list of nodes"));
  EXPECT_THAT(error_of("tlm:\n  max_packet_flits: 2\n"),
              HasSubstr("p.yaml:2:21: error: max_packet_flits must be at least 4"));
  EXPECT_THAT(error_of("tlm:\n  mode: loose\nnetwork:\n  router: {vcz: 2}\n"),
              HasSubstr("p.yaml:4:12: error: unknown key 'vcz'"))
      << "lines are those of the file";
  EXPECT_THAT(error_of("tlm:\n  mode: loose\nworkload:\n  length: {flits: 3}\n"),
              HasSubstr("p.yaml:3:1: error: workload has no effect"));
  EXPECT_THAT(error_of("tlm: {mode: \n"), HasSubstr("YAML syntax"));
  EXPECT_THAT(error_of("tlm:\n  mode: loose\nnic:\n  compression: {mode: always, exact: false}\n"),
              HasSubstr("nic.compression.codec.exact must be true"));
  EXPECT_THROW(weft::experiment::load_platform("no/such/file.yaml"), weft::input_error);
}
