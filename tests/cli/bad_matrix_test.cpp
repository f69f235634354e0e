// SPDX-License-Identifier: Apache-2.0
/// Invalid traffic matrices, each with the whole message of `weft`. traffic_matrix_test.cpp has the errors in files.
#include "cli/bad_configuration.h"

namespace weft::cli {
namespace {

constexpr const char* Absolute = "workload:\n  pattern: {kind: matrix, file: good.txt, rates: absolute}\n";

// The file good.txt is a packet list, with the line `0 0 0 5 3`.
const bad_configuration BadMatrices[] = {
    {"without_file",
     "workload: {pattern: matrix}\n",
     {},
     "bad.yaml:1:21: error: pattern matrix: needs a file with lines `source destination rate`, or with 64 rows of 64 "
     "rates"},
    {"file_missing",
     "workload:\n  pattern: {kind: matrix, file: none.txt}\n",
     {},
     "bad.yaml:2:33: error: workload.pattern.file: none.txt: cannot be opened: No such file or directory"},
    {"other_file",
     "workload:\n  pattern: {kind: matrix, file: good.txt}\n",
     {},
     "bad.yaml:2:33: error: workload.pattern.file: good.txt:1: expected 3 columns 'source destination rate', found 5"},
    {"row_of_rates_without_commas",
     "network: {topology: {shape: [5]}}\nworkload:\n  pattern: {kind: matrix, file: good.txt}\n",
     {},
     "bad.yaml:3:33: error: workload.pattern.file: good.txt:1: expected 3 columns 'source destination rate', found 5; "
     "a "
     "row of a matrix has commas between its rates"},
    {"rates_of_another_kind",
     Absolute,
     {"--set", "workload.pattern.rates=percent"},
     "--set workload.pattern.rates=percent: error: workload.pattern.rates: expected one of relative, absolute, got "
     "'percent'"},
    {"rates_of_another_pattern",
     "workload:\n  pattern: {kind: uniform, rates: absolute}\n",
     {},
     "bad.yaml:2:35: error: workload.pattern.rates has no effect unless workload.pattern.kind is matrix"},
    {"rates_of_requests",
     "workload:\n  pattern: {kind: matrix, rates: absolute}\n  injection: {process: request_reply}\n",
     {},
     "bad.yaml:2:34: error: workload.pattern.rates has no effect while workload.injection.process is request_reply\n"
     "bad.yaml:2:19: error: pattern matrix: needs a file with lines `source destination rate`, or with 64 rows of 64 "
     "rates"},
};

class cli_bad_matrix : public cli_bad_configuration {
 protected:
  void write_matrix() {
    write("rates.txt", "0 1 0.5\n2 0 1.5\n");
    write("run.yaml",
          "network: {topology: {shape: [2, 2]}}\nworkload:\n  pattern: {kind: matrix, file: rates.txt}\n  injection: "
          "0.1\nsimulation: {level: engine, warmup: 100, measure: 1000}\n");
  }

  void expect_error(const std::string& command, const std::vector<std::string>& settings, const std::string& message) {
    write_matrix();
    std::vector<std::string> arguments{command, "run.yaml"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"--set", s});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.err, message + "\n");
    EXPECT_EQ(r.status, 2);
  }
};

TEST_P(cli_bad_matrix, is_rejected) { expect_rejection(); }

INSTANTIATE_TEST_SUITE_P(all, cli_bad_matrix, testing::ValuesIn(BadMatrices),
                         [](const auto& parameter) { return parameter.param.name; });

class cli_matrix_load : public cli_bad_matrix {};

TEST_P(cli_matrix_load, is_rejected) { expect_error("run", GetParam().arguments, GetParam().message); }

const bad_configuration BadLoads[] = {
    {"more_than_a_packet_per_cycle",
     "",
     {"workload.injection.load=0.5", "workload.length=1"},
     "--set workload.injection.load=0.5: error: injection: node 2 has a load of 1.5 flits per cycle at a load of 0.5; "
     "with packets of 1 flits on average, it needs 1.5 packets per cycle, but a node creates at most one; lower load "
     "to "
     "at most 0.333333, or send longer packets"},
    {"absolute_more_than_a_packet_per_cycle",
     "",
     {"workload.pattern.rates=absolute", "workload.length=1"},
     "--set workload.length=1: error: injection: node 2 has a load of 1.5 flits per cycle; with packets of 1 flits on "
     "average, it needs 1.5 packets per cycle, but a node creates at most one; lower the sum of its rates to at most "
     "1, or "
     "send longer packets"},
    {"peak_below_the_load_of_a_node",
     "",
     {"workload.injection={process: on_off, load: 0.3, peak: 0.6}"},
     "--set workload.injection={process: on_off, load: 0.3, peak: 0.6}: error: injection on_off: peak (0.6) must be at "
     "least the load of every node, but node 2 has a load of 0.9 at a load of 0.3; raise peak, or lower load to at "
     "most "
     "0.2"},
    {"load_of_absolute_rates",
     "",
     {"workload.pattern={kind: matrix, file: rates.txt, rates: absolute}", "workload.injection.load=0.2"},
     "--set workload.injection.load=0.2: error: workload.injection.load has no effect while workload.pattern.rates is "
     "absolute, because the matrix has the loads; leave it out, or set workload.pattern.rates: relative to scale the "
     "matrix"},
    {"mean_load_above_port_count",
     "",
     {"workload.injection.load=1.1"},
     "--set workload.injection.load=1.1: error: workload.injection.load: expected at most 1 (one flit per cycle and "
     "port "
     "of a node), got 1.1"},
};

INSTANTIATE_TEST_SUITE_P(all, cli_matrix_load, testing::ValuesIn(BadLoads),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace weft::cli
