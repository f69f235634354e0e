// SPDX-License-Identifier: Apache-2.0
/// Runs the weft command with verilated stages in the NICs of a network. The event log must not change by a single
/// byte.
#include "cli/command.h"
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

using testing::HasSubstr;

class lockstep_swap_in : public command_test {
 protected:
  /// The number under \p name in a table of one row.
  static double column(const std::string& csv, const std::string& name) {
    std::istringstream lines(csv);
    std::string header, row, title, value;
    std::getline(lines, header);
    std::getline(lines, row);
    std::istringstream titles(header), values(row);
    while (std::getline(titles, title, ',') && std::getline(values, value, ','))
      if (title == name) return std::stod(value);
    ADD_FAILURE() << "no column " << name;
    return 0;
  }

  /// Runs \p configuration with the stages in SystemC and, with \p more, in RTL; compares the results for packets.
  void expect_same(const std::string& configuration, const std::vector<std::string>& more = {}) {
    write("case.yaml", configuration);
    const auto run = [this](const std::string& directory, std::vector<std::string> arguments) {
      arguments.insert(arguments.begin(),
                       {"run", "case.yaml", "-q", "-o", directory, "--set", "output={event_log: true, answers: true}"});
      const command_result r = weft(arguments);
      EXPECT_EQ(r.status, 0) << r.out << r.err;
    };
    run("systemc", {});
    std::vector<std::string> rtl = {"--set", "nic.compression.implementation=rtl"};
    rtl.insert(rtl.end(), more.begin(), more.end());
    run("rtl", rtl);
    const std::string events = read("systemc/case.events");
    EXPECT_GT(std::count(events.begin(), events.end(), '\n'), 5000);
    EXPECT_TRUE(events == read("rtl/case.events")) << "the event logs differ: " << m_directory.path();
    EXPECT_TRUE(read("systemc/case.answers") == read("rtl/case.answers")) << "the answers differ";
    const std::string csv = read("rtl/case.csv");
    EXPECT_EQ(csv, read("systemc/case.csv"));
    EXPECT_GT(column(csv, "compressed_share"), 0.1);
    EXPECT_LT(column(csv, "travelled_share"), 0.95);
  }
};

TEST_F(lockstep_swap_in, matches_systemc_with_selective_compression_in_all_nodes) {
  expect_same(
      "network: {topology: {shape: [4, 3]}}\n"
      "workload: {injection: {load: 0.5}, length: {kind: uniform, min: 2, max: 60}, payload: smooth_doubles}\n"
      "nic: {compression: {mode: selective, length_threshold: 40, received_threshold: 300, queue_threshold: 1}}\n"
      "simulation: {warmup: 500, measure: 2000}\n");
}

TEST_F(lockstep_swap_in, matches_systemc_with_classic_code_in_some_nodes) {
  expect_same(
      "network: {topology: {shape: [3, 3]}, flit: {payload_bits: 256}}\n"
      "workload: {injection: {load: 0.3}, length: {kind: uniform, min: 1, max: 30}, payload: small_integers}\n"
      "nic: {compression: {mode: always, integer_code: classic}}\n"
      "simulation: {warmup: 500, measure: 5000}\n",
      {"--set", "nic.compression.rtl_nodes=[0, 4, 7]"});
}

TEST_F(lockstep_swap_in, matches_systemc_with_32_bit_flits_without_clock_gating) {
  expect_same(
      "network: {topology: {shape: [2, 3]}, flit: {payload_bits: 32}}\n"
      "workload: {injection: {load: 0.4}, length: {kind: uniform, min: 1, max: 30}, payload: small_integers}\n"
      "nic: {compression: {mode: always}}\n"
      "simulation: {warmup: 500, measure: 2000, clock_gating: false}\n");
}

TEST_F(lockstep_swap_in, messages_keep_their_class_in_a_collective) {
  if (lacks("collective")) GTEST_SKIP() << "weft collective was left out of this build";
  write("case.yaml",
        "network: {topology: {shape: [4, 4]}, router: {vcs: 4, classes: 2}}\n"
        "collective: {algorithm: tree, length: 40, barriers: true}\n"
        "nic: {compression: {mode: always}}\n"
        "simulation: {level: pin}\n"
        "output: {event_log: true}\n");
  for (const std::string implementation : {"systemc", "rtl"}) {
    const command_result r = weft({"collective", "case.yaml", "-q", "-o", implementation, "--set",
                                   "nic.compression.implementation=" + implementation});
    EXPECT_EQ(r.status, 0) << r.out << r.err;
  }
  const std::string events = read("systemc/case.events");
  EXPECT_THAT(events, testing::ContainsRegex(" eject [0-9]+ [23] ")) << "no packet travels in the second class";
  EXPECT_TRUE(events == read("rtl/case.events")) << "the event logs differ: " << m_directory.path();
}

TEST_F(lockstep_swap_in, error_for_unsupported_table_lists_built_in_one) {
  write("case.yaml",
        "network: {topology: {shape: [2, 2]}}\n"
        "nic: {compression: {mode: always, table: [20, 18, 16, 14, 12, 10], implementation: rtl}}\n");
  const command_result r = weft({"run", "case.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("nic.compression.implementation: "));
  EXPECT_THAT(r.err, HasSubstr("[18, 17, 16, 15, 14, 13]"));
}

}  // namespace
}  // namespace weft::cli
