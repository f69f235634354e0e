// SPDX-License-Identifier: Apache-2.0
/// Verilated routers in a network, in the weft command: the event log stays the same, byte for byte; what they cannot
/// do is refused.
#include "cli/command.h"
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

using testing::HasSubstr;

/// A network, and what RTL it gets beside its routers.
struct swapped_network {
  const char* name;
  std::string text;
  std::vector<std::string> rtl{};
};

void PrintTo(const swapped_network& n, std::ostream* out) { *out << n.name; }

class lockstep_router_swap_in : public command_test {
 protected:
  using arguments = std::vector<std::string>;

  /// What \p command says of case.yaml with \p more.
  command_result call(const char* command, const arguments& more) {
    arguments all = {command, "case.yaml"};
    all.insert(all.end(), more.begin(), more.end());
    return weft(all);
  }

  /// The events of case.yaml, written into \p directory.
  std::string events_of(const char* command, const std::string& directory, const arguments& more = {}) {
    arguments all = {"-q", "-o", directory, "--set", "output.event_log=true"};
    for (const std::string& setting : more) all.insert(all.end(), {"--set", setting});
    const command_result r = call(command, all);
    EXPECT_EQ(r.status, 0) << r.out << r.err;
    return read(directory + "/case.events");
  }

  /// Compares case.yaml with routers in SystemC, in RTL, and in both.
  void expect_same(const char* command, const arguments& more = {}) {
    const std::string systemc = events_of(command, "systemc");
    EXPECT_GT(std::count(systemc.begin(), systemc.end(), '\n'), 2000);
    arguments settings = {"network.router.implementation=rtl"};
    settings.insert(settings.end(), more.begin(), more.end());
    EXPECT_TRUE(events_of(command, "rtl", settings) == systemc) << "the event logs differ: " << m_directory.path();
    EXPECT_EQ(read("rtl/case.csv"), read("systemc/case.csv"));
    settings.emplace_back("network.router.rtl_routers=[0, 5]");
    EXPECT_TRUE(events_of(command, "both", settings) == systemc) << "the event logs differ: " << m_directory.path();
  }
};

class lockstep_router_swap_in_of : public lockstep_router_swap_in,
                                   public testing::WithParamInterface<swapped_network> {};

constexpr const char* Uniform =
    "workload: {injection: {load: 0.4}, length: {kind: uniform, min: 1, max: 8}}\n"
    "simulation: {warmup: 100, measure: 700}\n";

const swapped_network Networks[] = {
    {"mesh_3x3", std::string("network: {topology: {shape: [3, 3]}}\n") + Uniform},
    {"mesh_4x4_of_3_stages",
     std::string("network: {topology: {shape: [4, 4]}, router: {pipeline: 3, vcs: 2, depth: 5}}\n") + Uniform},
    {"mesh_3x3_with_cut_through", std::string("network: {topology: {shape: [3, 3]}, router: {flow_control: "
                                              "virtual_cut_through}}\nnic: {ejection_depth: 8}\n") +
                                      Uniform},
    {"torus_4x4_with_long_links_of_32_bits",
     std::string("network: {topology: {kind: torus, shape: [4, 4]}, link: {cycles: 2}, flit: {payload_bits: 32}}\n") +
         Uniform},
    {"ring_of_7", std::string("network: {topology: {kind: ring, shape: [7]}}\n") + Uniform},
    {"random_graph_by_tables",
     std::string("network: {topology: {kind: random, routers: 8, degree: 3}, routing: up_down}\n") + Uniform},
    {"mesh_3x2_with_stages_of_rtl_in_its_nics",
     "network: {topology: {shape: [3, 2]}}\n"
     "workload: {injection: {load: 0.5}, length: {kind: uniform, min: 2, max: 40}, payload: smooth_doubles}\n"
     "nic: {compression: {mode: always}}\n"
     "simulation: {warmup: 200, measure: 1000}\n",
     {"nic.compression.implementation=rtl"}},
};

TEST_P(lockstep_router_swap_in_of, has_the_same_events) {
  write("case.yaml", GetParam().text);
  expect_same("run", GetParam().rtl);
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_router_swap_in_of, testing::ValuesIn(Networks),
                         [](const auto& network) { return std::string(network.param.name); });

TEST_F(lockstep_router_swap_in, messages_of_a_collective_keep_their_class) {
  write("case.yaml",
        "network: {topology: {shape: [4, 4]}, router: {vcs: 4, classes: 2}}\n"
        "collective: {algorithm: tree, length: 40, barriers: true}\n"
        "nic: {compression: {mode: always}}\n");
  expect_same("collective", {"nic.compression.implementation=rtl"});
  EXPECT_THAT(read("rtl/case.events"), testing::ContainsRegex(" eject [0-9]+ [23] ")) << "nothing in the second class";
}

TEST_F(lockstep_router_swap_in, a_sweep_goes_through_both) {
  write("case.yaml", std::string("network: {topology: {shape: [2, 2]}}\n") + Uniform);
  const command_result r =
      call("sweep", {"--over", "network.router.implementation=systemc,rtl", "-q", "-j", "2", "-o", "results"});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  const std::string csv = read("results/case.sweep.csv");
  const auto row = [&csv](const std::string& implementation) {
    const std::size_t at = csv.find("\n" + implementation + ",");
    EXPECT_NE(at, std::string::npos) << csv;
    const std::size_t begin = at + implementation.size() + 2;
    return csv.substr(begin, csv.find('\n', begin) - begin);
  };
  EXPECT_EQ(row("systemc"), row("rtl"));
}

TEST_F(lockstep_router_swap_in, names_file_line_key_and_remedy_of_what_is_not_covered) {
  write("case.yaml",
        "network:\n  topology: {shape: [3, 3]}\n  router:\n    implementation: rtl\n" + std::string(Uniform));
  const struct {
    const char *setting, *why;
  } cases[] = {
      {"network.router.pipeline=5",
       "compiled with S = 3 and 4 for wormhole and with S = 4 for virtual cut-through, not with S = 5; give "
       "network.router.pipeline: 4, or leave the key out"},
      {"network.router.vcs=8", "at most 4 VCs, not 8; lower network.router.vcs, or leave the key out"},
      {"network.router.depth=32", "at most 16 flits of a VC, not 32; lower network.router.depth, or leave"},
      {"nic.ejection_depth=32", "at most 16 flits of an ejection VC, not 32; lower nic.ejection_depth, or leave"},
      {"network.flit.payload_bits=128", "at most 64 payload bits, not 128; lower network.flit.payload_bits, or leave"},
      {"network.topology.shape=[9, 9]", "at most 64 nodes, not 81; make network.topology smaller, or leave"},
      {"network.topology.shape=[2, 2, 2]", "at most 5 ports, not 7; take a network.topology of fewer ports a router"},
      {"network.routing.algorithm=west_first",
       "has no adaptive routing; take another network.routing.algorithm, or leave the key out"},
      {"network.routing.algorithm=o1turn", "what the source chose; take another network.routing.algorithm, or leave"},
      {"network.topology={kind: fat_tree}", "RTL router"},
      {"nic.coding=true", "without the code of XOR stages; leave out nic.coding, or leave the key out"},
  };
  for (const auto& c : cases)
    for (const char* command : {"check", "run"}) {
      const command_result r = call(command, {"--set", c.setting});
      EXPECT_EQ(r.status, 2) << c.setting;
      EXPECT_THAT(r.err, testing::StartsWith("case.yaml:4:21: error: network.router.implementation: the RTL router "))
          << c.setting;
      EXPECT_THAT(r.err, HasSubstr(c.why)) << c.setting;
    }
  EXPECT_EQ(call("sweep", {"--over", "network.router.vcs=4,8", "-q", "-o", "results"}).status, 0);
  EXPECT_THAT(read("results/case.sweep.csv"), testing::ContainsRegex("\n8,case,,infeasible,.*at most 4 VCs, not 8"));
}

}  // namespace
}  // namespace weft::cli
