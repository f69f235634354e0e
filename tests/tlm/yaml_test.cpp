/// Parameters from YAML.
#include "weft/tlm/yaml.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/experiment/configuration/configuration.h"

using testing::HasSubstr;
using weft::tlm::from_yaml_text;

namespace {

std::string error_of(const std::string& text) {
  try {
    from_yaml_text(text, "p.yaml");
  } catch (const weft::experiment::configuration_error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST(tlm_yaml, everything) {
  const weft::tlm::noc_parameters p = from_yaml_text(R"(network:
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
  EXPECT_EQ(p.mode, weft::tlm::timing::Loose);
  EXPECT_EQ(p.clock_period, sc_core::sc_time(500, sc_core::SC_PS));
  EXPECT_EQ(p.queue_depth, 7U);
  EXPECT_EQ(p.receive_depth, 3U);
  EXPECT_EQ(p.max_packet_flits, 20U);
  EXPECT_TRUE(p.allow_dmi);
  EXPECT_FALSE(p.translate);
  ASSERT_EQ(p.map.size(), 2U);
  EXPECT_EQ(p.map[0].base, 0x80000000U);
  EXPECT_EQ(p.map[0].size, 65536U);
  EXPECT_EQ(p.map[0].node, 5U);
  EXPECT_EQ(p.map[1].size, 256U);
}

TEST(tlm_yaml, defaults) {
  const auto p = from_yaml_text("tlm:\n  map: [{base: 0, size: 1 GiB, node: 63}]\n", "p.yaml");
  EXPECT_EQ(p.graph.nodes.size(), 64U);
  EXPECT_EQ(p.nic.ejection_depth, p.router.depth);
  EXPECT_EQ(p.queue_depth, weft::tlm::noc_parameters{}.queue_depth);
}

TEST(tlm_yaml, cut_through_is_checked_against_packets_of_the_platform_only) {
  const std::string text =
      "network:\n  router: {flow_control: virtual_cut_through, depth: 4}\ntlm:\n  max_packet_flits: 4\n";
  EXPECT_EQ(error_of(text), "no error");
}

TEST(tlm_yaml, errors_have_a_place_and_a_remedy) {
  EXPECT_THAT(error_of("network: {}\n"), HasSubstr("p.yaml:1:1: error: no section tlm"));
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
  EXPECT_THAT(error_of("tlm:\n  max_packet_flits: 2\n"),
              HasSubstr("p.yaml:2:21: error: max_packet_flits must be at least 4"));
  EXPECT_THAT(error_of("tlm:\n  mode: loose\nnetwork:\n  router: {vcz: 2}\n"),
              HasSubstr("p.yaml:4:12: error: unknown key 'vcz'"))
      << "lines are those of the file";
  EXPECT_THAT(error_of("tlm:\n  mode: loose\nworkload:\n  length: {flits: 3}\n"),
              HasSubstr("p.yaml:3:1: error: workload has no effect"));
  EXPECT_THAT(error_of("{tlm: {}, nic: {}}\n"), HasSubstr("on lines of its own"));
  EXPECT_THAT(error_of("tlm: {mode: \n"), HasSubstr("YAML syntax"));
  EXPECT_THAT(error_of("tlm:\n  mode: loose\nnic:\n  compression: {mode: always, exact: false}\n"),
              HasSubstr("nic.compression.codec.exact must be true"));
  EXPECT_THROW(weft::tlm::from_yaml("no/such/file.yaml"), weft::experiment::configuration_error);
}
