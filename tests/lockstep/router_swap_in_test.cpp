// SPDX-License-Identifier: Apache-2.0
/// Runs the weft command with verilated routers in a network. The event log must not change by a single byte, and the
/// command must reject parameters that are not supported.
#include "lockstep/swap_in.h"
#include "support/files.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace weft::cli {
namespace {

class lockstep_router_swap_in : public swap_in_test {
 protected:
  /// Compares case.yaml with routers in SystemC, in RTL, and in both.
  void expect_same_routers(const char* command, const settings& more = {}) {
    const settings all = joined({"network.router.implementation=rtl"}, more);
    expect_same(command, {all, joined(all, {"network.router.rtl_routers=[0, 5]"})});
  }
};

class lockstep_router_swap_in_networks : public lockstep_router_swap_in,
                                         public testing::WithParamInterface<swapped_network> {};

const swapped_network RouterNetworks[] = {
    {"mesh_3x3", std::string("network: {topology: {shape: [3, 3]}}\n") + UniformTraffic},
    {"mesh_4x4_of_3_stages",
     std::string("network: {topology: {shape: [4, 4]}, router: {pipeline: 3, vcs: 2, depth: 5}}\n") + UniformTraffic},
    {"mesh_3x3_with_cut_through", std::string("network: {topology: {shape: [3, 3]}, router: {flow_control: "
                                              "virtual_cut_through}}\nnic: {ejection_depth: 8}\n") +
                                      UniformTraffic},
    {"torus_4x4_with_long_links_of_32_bits",
     std::string("network: {topology: {kind: torus, shape: [4, 4]}, link: {cycles: 2}, flit: {payload_bits: 32}}\n") +
         UniformTraffic},
    {"ring_of_7", std::string("network: {topology: {kind: ring, shape: [7]}}\n") + UniformTraffic},
    {"random_graph_by_tables",
     std::string("network: {topology: {kind: random, routers: 8, degree: 3}, routing: up_down}\n") + UniformTraffic},
    {"random_graph_in_layers",
     std::string("network: {topology: {kind: random, routers: 8, degree: 3}, routing: shortest}\n") + UniformTraffic},
    {"hierarchical_ring", std::string("network: {topology: {kind: hierarchical_ring}}\n") + UniformTraffic},
    {"octagon", std::string("network: {topology: octagon}\n") + UniformTraffic},
    {"hypercube", std::string("network: {topology: {kind: hypercube, dimensions: 4}}\n") + UniformTraffic},
    {"fat_tree_by_digits_of_the_destination",
     std::string("network: {topology: {kind: fat_tree, children: [2, 2, 2], parents: [1, 2, 2]}}\n") + UniformTraffic},
    {"fat_tree_at_random", std::string("network: {topology: {kind: fat_tree, children: [2, 2, 2], parents: [1, 2, 2]}, "
                                       "routing: {ascent: random}}\n") +
                               UniformTraffic},
    {"mesh_4x4_with_o1turn", std::string("network: {topology: {shape: [4, 4]}, routing: o1turn}\n") + UniformTraffic},
    {"mesh_3x3_by_valiant", std::string("network: {topology: {shape: [3, 3]}, routing: valiant}\n") + UniformTraffic},
    {"mesh_4x4_by_romm", std::string("network: {topology: {shape: [4, 4]}, routing: romm}\n") + UniformTraffic},
    {"mesh_3x2_with_stages_of_rtl_in_its_nics",
     "network: {topology: {shape: [3, 2]}}\n"
     "workload: {injection: {load: 0.5}, length: {kind: uniform, min: 2, max: 40}, payload: smooth_doubles}\n"
     "nic: {compression: {mode: always}}\n"
     "simulation: {warmup: 200, measure: 1000}\n",
     {"nic.compression.implementation=rtl"}},
};

TEST_P(lockstep_router_swap_in_networks, has_the_same_events_in_rtl_and_systemc) {
  write("case.yaml", GetParam().text);
  expect_same_routers("run", GetParam().rtl);
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_router_swap_in_networks, testing::ValuesIn(RouterNetworks),
                         [](const auto& network) { return std::string(network.param.name); });

TEST_F(lockstep_router_swap_in, messages_of_a_collective_keep_their_class) {
  if (lacks("collective")) GTEST_SKIP() << "weft collective was left out of this build";
  write("case.yaml",
        "network: {topology: {shape: [4, 4]}, router: {vcs: 4, classes: 2}}\n"
        "collective: {algorithm: tree, length: 40, barriers: true}\n"
        "nic: {compression: {mode: always}}\n");
  expect_same_routers("collective", {"nic.compression.implementation=rtl"});
  EXPECT_THAT(read("rtl/case.events"), testing::ContainsRegex(" eject [0-9]+ [23] ")) << "nothing in the second class";
}

/// Packet lists with the injection and delivery times of each packet from the reference simulator (tests/system/golden)
/// and from BookSim2.
struct answered_list {
  const char *name, *network, *list, *answers;
  settings rtl = {"network.router.implementation=rtl"};
};
void PrintTo(const answered_list& l, std::ostream* out) { *out << l.name; }

const settings AllRtl = {"network.router.implementation=rtl", "nic.implementation=rtl"};
const answered_list AnsweredLists[] = {
    {"reference_3x3", "{topology: {shape: [3, 3]}}", "mesh3x3_s4_0.3.gen", "mesh3x3_s4_0.3.ret", AllRtl},
    {"reference_4x2", "{topology: {shape: [4, 2]}, router: {vcs: 2, depth: 3}}", "mesh4x2_s4_1.0.gen",
     "mesh4x2_s4_1.0.ret"},
    {"reference_3x3_of_3_stages", "{topology: {shape: [3, 3]}, router: {pipeline: 3, vcs: 3, depth: 4}}",
     "mesh3x3_s3_0.5.gen", "mesh3x3_s3_0.5.ret"},
    {"booksim_8x8", "{topology: {shape: [8, 8]}}", "oracle/mesh8_0.05_1.gen.gz", "oracle/mesh8_0.05_1.ret.gz", AllRtl},
};

class lockstep_router_swap_in_latencies : public lockstep_router_swap_in,
                                          public testing::WithParamInterface<answered_list> {
 protected:
  static std::string contents(const std::string& file) {
    if (file.find('/') != std::string::npos) return shared_data(file);
    std::ifstream in(std::filesystem::path(WEFT_GOLDEN) / file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  static std::set<std::string> lines(const std::string& text) {
    std::istringstream in(text);
    std::set<std::string> all;
    for (std::string line; std::getline(in, line);) all.insert(line);
    return all;
  }
};

TEST_P(lockstep_router_swap_in_latencies, equal_the_recorded_latencies) {
  const answered_list& l = GetParam();
  const std::string list = contents(l.list), answers = contents(l.answers);
  if (list.empty()) GTEST_SKIP() << WEFT_SHARED_DATA << "/" << l.list << " is absent";
  write("list.txt", list);
  write("case.yaml",
        std::string("network: ") + l.network + "\nworkload: {packet_list: list.txt}\noutput: {answers: true}\n");
  arguments more = {"-q", "-o", "rtl"};
  for (const std::string& setting : l.rtl) more.insert(more.end(), {"--set", setting});
  const command_result r = call("run", more);
  ASSERT_EQ(r.status, 0) << r.err;
  const std::set<std::string> found = lines(read("rtl/case.answers")), expected = lines(answers);
  EXPECT_GT(expected.size(), 100U);
  EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end())) << m_directory.path();
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_router_swap_in_latencies, testing::ValuesIn(AnsweredLists),
                         [](const auto& list) { return std::string(list.param.name); });

TEST_F(lockstep_router_swap_in, sweep_covers_both_implementations) {
  write("case.yaml", std::string("network: {topology: {shape: [2, 2]}}\n") + UniformTraffic);
  expect_same_in_sweep("network.router.implementation");
}

TEST_F(lockstep_router_swap_in, error_for_unsupported_parameter_names_key_and_remedy) {
#ifdef WEFT_OTHER_MODELS
  GTEST_SKIP() << "this build has other models";
#endif
  write("case.yaml",
        "network:\n  topology: {shape: [3, 3]}\n  router:\n    implementation: rtl\n" + std::string(UniformTraffic));
  const struct {
    const char *setting, *why;
  } cases[] = {
      {"network.router.pipeline=5",
       "compiled with S = 3 and 4 for wormhole and with S = 4 for virtual cut-through, not with S = 5 for "
       "wormhole; set network.router.pipeline: 4, build with -DWEFT_RTL_MORE_ROUTERS=s5, or leave the key out"},
      {"network.router.vcs=8",
       "at most 4 VCs, not 8; set network.router.vcs: 4, build with "
       "-DWEFT_RTL_ROUTER_SIZES=Vcs=8, or leave the key out"},
      {"network.router.depth=32", "at most 16 flits of a VC, not 32; set network.router.depth: 16, build with "},
      {"nic.ejection_depth=32", "at most 16 flits of an ejection VC, not 32; set nic.ejection_depth: 16, build with "},
      {"network.flit.payload_bits=128",
       "at most 64 payload bits, not 128; set network.flit.payload_bits: 64, build with "},
      {"network.topology.shape=[9, 9]", "at most 64 nodes, not 81; use a smaller network.topology, build with "},
      {"network.topology.shape=[2, 2, 2]",
       "at most 5 ports, not 7; use a network.topology with fewer ports per router, build with "},
      {"network.routing.algorithm=west_first",
       "has no adaptive routing; use another network.routing.algorithm, or leave the key out"},
      {"network.routing={algorithm: source, allow_deadlock: true}",
       "for routing tables and does not support source routing; use another network.routing.algorithm, or leave the "
       "key out"},
      {"network.topology={kind: fat_tree}", "RTL router"},
  };
  for (const auto& c : cases)
    expect_rejection(c.setting, "4:21: error: network.router.implementation: the RTL router ", c.why);
  EXPECT_EQ(call("sweep", {"--over", "network.router.vcs=4,8", "-q", "-o", "results"}).status, 0);
  EXPECT_THAT(read("results/case.sweep.csv"), testing::ContainsRegex("\n8,case,,infeasible,.*at most 4 VCs, not 8"));
}

}  // namespace
}  // namespace weft::cli
