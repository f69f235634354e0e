// SPDX-License-Identifier: Apache-2.0
/// Runs the weft command with verilated NICs in a network, with and without verilated routers. The event log must not
/// change by a single byte, and the command must reject parameters that are not supported.
#include "lockstep/swap_in.h"
#include <string>

namespace weft::cli {
namespace {

const settings Nics = {"nic.implementation=rtl"};
const settings Everything = {"nic.implementation=rtl", "network.router.implementation=rtl"};
const settings SomeNics = {"nic.implementation=rtl", "nic.rtl_nodes=[0, 5]"};

class lockstep_nic_swap_in : public swap_in_test {};
class lockstep_nic_swap_in_networks : public lockstep_nic_swap_in,
                                      public testing::WithParamInterface<swapped_network> {};

constexpr const char* Replies =
    "workload: {injection: {process: request_reply, window: 6, reply: 7}, length: {kind: uniform, min: 1, max: 8}, "
    "payload: small_integers}\n"
    "simulation: {warmup: 100, measure: 900}\n";
constexpr const char* Doubles =
    "workload: {injection: {load: 0.5}, length: {kind: uniform, min: 2, max: 40}, payload: smooth_doubles}\n"
    "simulation: {warmup: 100, measure: 900}\n";

const swapped_network NicNetworks[] = {
    {"mesh_3x3", std::string("network: {topology: {shape: [3, 3]}}\n") + UniformTraffic, Everything},
    {"mesh_4x4_with_cut_through_and_two_classes",
     std::string("network: {topology: {shape: [4, 4]}, router: {flow_control: virtual_cut_through, classes: 2}}\n"
                 "nic: {ejection_depth: 12}\n") +
         Replies,
     Everything},
    {"mesh_3x3_with_two_classes_and_no_ejection_buffer_of_32_bits",
     "network: {topology: {shape: [3, 3]}, router: {classes: 2}, flit: {payload_bits: 32}}\n"
     "workload: {injection: {process: request_reply, window: 6, reply: 3}}\n"
     "simulation: {warmup: 100, measure: 700, clock_gating: false}\n"},
    {"mesh_3x3_with_compression",
     std::string("network: {topology: {shape: [3, 3]}}\n"
                 "nic: {compression: {mode: always}, window: 100}\n") +
         Doubles,
     Everything},
    {"mesh_4x4_with_selective_compression_and_two_classes",
     std::string("network: {topology: {shape: [4, 4]}, router: {classes: 2}}\n"
                 "nic: {compression: {mode: selective, length_threshold: 6, received_threshold: 30, "
                 "queue_threshold: 1}, window: 100}\n") +
         Replies,
     Everything},
    {"fat_tree", std::string("network: {topology: {kind: fat_tree}, router: {vcs: 4}}\n") + UniformTraffic},
    {"mesh_4x4_with_adaptive_routing",
     std::string("network: {topology: {shape: [4, 4]}, routing: west_first}\nnic: {link_cycles: 3}\n") +
         UniformTraffic},
    {"fat_tree_with_source_routing",
     std::string("network: {topology: {kind: fat_tree}, routing: source, router: {vcs: 4}}\n") + UniformTraffic},
    {"torus_4x4_in_layers_with_compression",
     std::string("network: {topology: {kind: torus, shape: [4, 4]}, routing: shortest, router: {vcs: 4}}\n"
                 "nic: {compression: {mode: always}, window: 100}\n") +
         Doubles,
     Everything},
};

TEST_P(lockstep_nic_swap_in_networks, has_the_same_events_in_rtl_and_systemc) {
  write("case.yaml", GetParam().text);
  std::vector<settings> rtl = {Nics, SomeNics};
  if (!GetParam().rtl.empty()) rtl.push_back(GetParam().rtl);
  expect_same("run", rtl);
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_nic_swap_in_networks, testing::ValuesIn(NicNetworks),
                         [](const auto& network) { return std::string(network.param.name); });

TEST_F(lockstep_nic_swap_in, messages_of_a_collective_keep_their_class) {
  if (lacks("collective")) GTEST_SKIP() << "weft collective was left out of this build";
  write("case.yaml",
        "network: {topology: {shape: [4, 4]}, router: {vcs: 4, classes: 2}}\n"
        "collective: {algorithm: tree, length: 40, barriers: true}\n"
        "nic: {compression: {mode: always}}\n");
  expect_same("collective", {Nics, Everything});
  EXPECT_THAT(read("rtl/case.events"), testing::ContainsRegex(" eject [0-9]+ [23] ")) << "nothing in the second class";
}

/// Each packet's number of truncated bits reaches compressors and NICs in RTL, in SystemC, and in the engine.
TEST_F(lockstep_nic_swap_in, truncates_each_message_by_its_own_bits) {
  if (lacks("replay")) GTEST_SKIP() << "weft replay was left out of this build";
  write("list.txt", "0 0 0 1 4096 2\n1 0 1 2 8192 2\n2 0 2 3 2048 2\n3 0 3 0 64 2 2\n4 0 0 3 4096 1\n");
  write("case.yaml",
        "network: {topology: {shape: [2, 2]}}\nnic: {compression: {mode: always}, ejection_depth: 8}\n"
        "workload: {trace: list.txt, payload: smooth_doubles,\n"
        "  replay: {cuts: [40 bits from 8000, 9 bits from 4000, raw of double]}}\n");
  // XOR stages pass packets without names.
  expect_same("replay", {Nics,
                         Everything,
                         joined(Everything, {"nic.coding=true"}),
                         {"nic.compression.implementation=rtl"},
                         {"simulation.level=engine"}});
  // 64 packets of 16 doubles with 24 bits each take 6 flits, 32 with 55 bits 14.
  EXPECT_THAT(read("rtl/case.json"), testing::HasSubstr("\"flits_saved\": 704,"));
}

/// HNC with RTL NICs, RTL routers, and both.
const settings Routers = {"network.router.implementation=rtl"};

TEST_F(lockstep_nic_swap_in, xor_stages_code_and_decode_a_collective) {
  if (lacks("collective")) GTEST_SKIP() << "weft collective was left out of this build";
  write("case.yaml",
        "network: {topology: {shape: [4, 4]}, router: {vcs: 4, flow_control: virtual_cut_through}}\n"
        "collective: {algorithm: network_coding, group: [2, 2], length: 6, barriers: true}\n"
        "nic: {coding: true}\n");
  expect_same("collective", {Nics, SomeNics, Routers, Everything});
  EXPECT_THAT(read("rtl/case.json"), testing::ContainsRegex("\"made\": [1-9]"));
}

TEST_F(lockstep_nic_swap_in, xor_stages_work_with_compressors_on_a_torus) {
  if (lacks("collective")) GTEST_SKIP() << "weft collective was left out of this build";
  write("case.yaml",
        "network: {topology: {kind: torus, shape: [4, 4]}, router: {vcs: 4, classes: 2}}\n"
        "collective: {algorithm: network_coding_direct, group: [2, 2], length: 5}\n"
        "nic: {coding: true, compression: {mode: always}}\n");
  expect_same("collective", {Nics, Routers, Everything});
}

TEST_F(lockstep_nic_swap_in, xor_stages_with_many_entries_serve_64_nodes) {
  if (lacks("collective")) GTEST_SKIP() << "weft collective was left out of this build";
  write("case.yaml",
        "network: {topology: {shape: [8, 8]}, router: {vcs: 4, flow_control: virtual_cut_through}}\n"
        "collective: {algorithm: network_coding, group: [4, 2], placement: mirror, barriers: true}\n"
        "nic: {coding: {enabled: true, entries: 64, overhead: 1}}\n");
  expect_same("collective", {Everything});
}

TEST_F(lockstep_nic_swap_in, sweep_covers_both_implementations) {
  write("case.yaml", std::string("network: {topology: {shape: [2, 2]}}\n") + UniformTraffic);
  expect_same_in_sweep("nic.implementation");
}

TEST_F(lockstep_nic_swap_in, error_for_unsupported_parameter_names_key_and_remedy) {
#ifdef WEFT_OTHER_MODELS
  GTEST_SKIP() << "this build has other models";
#endif
  write("case.yaml",
        "network:\n  topology: {shape: [3, 3]}\nnic:\n  implementation: rtl\n" + std::string(UniformTraffic));
  const struct {
    const char *setting, *why;
  } cases[] = {
      {"network.router.vcs=8",
       "for 4 VCs of 8 flits, not for 8 VCs of 8 flits; set network.router.vcs: 4 and "
       "network.router.depth: 8, build with -DWEFT_RTL_MORE_NICS=8x8, or leave the key out"},
      {"network.router.depth=4", "for 4 VCs of 8 flits, not for 4 VCs of 4 flits; set network.router.vcs: 4 and"},
      {"network.router.classes=4", "for 1 or 2 classes, not 4; lower network.router.classes, or leave the key out"},
      {"nic.ejection_depth=32", "at most 16 flits of an ejection VC, not 32; set nic.ejection_depth: 16, or leave"},
      {"nic.buckets=4", "for 1 sub-window, not 4; set nic.buckets: 1, or leave the key out"},
      {"nic.ports=2", "for 1 port, not 2; set nic.ports: 1, or leave the key out"},
      {"nic.coding={enabled: true, depth: 8}", "flits that XOR stages hold, not 8; set nic.coding.depth: 16, or leave"},
      {"nic.coding={enabled: true, entries: 20}", "for 16 or 64 entries of an XOR decoder, not 20; set nic.coding"},
      {"nic.coding={enabled: true, overhead: 3}",
       "for 0 cycles of an XOR with 16 entries, not 3; set nic.coding.overhead: 0, or leave the key out"},
      {"nic.coding={enabled: true, entries: 64}",
       "for 1 cycle of an XOR with 64 entries, not 0; set nic.coding.overhead: 1, or leave the key out"},
      {"network.flit.payload_bits=128", "at most 64 payload bits, not 128; lower network.flit.payload_bits, or leave"},
      {"network.routing.algorithm=o1turn", "that the source draws; use another network.routing.algorithm, or leave"},
      {"nic.compression={mode: always, latency: 100}", "of given latency; set nic.compression.latency: rtl, or leave"},
      {"nic.compression={mode: always, integer_code: classic}", "set nic.compression.integer_code: table, or leave"},
      {"nic.compression={mode: always, table: [20, 18, 16, 14, 12, 10]}", "leave out nic.compression.table, or leave"},
      {"nic.compression={mode: always, exact: false}", "with exact LSB-cut; set nic.compression.exact: true, or leave"},
      {"nic.compression={mode: always, buffer: 64}",
       "memories, not 64; set nic.compression.buffer: 512, or leave the key"},
  };
  for (const auto& c : cases) expect_rejection(c.setting, "4:19: error: nic.implementation: the RTL NIC ", c.why);
}

}  // namespace
}  // namespace weft::cli
