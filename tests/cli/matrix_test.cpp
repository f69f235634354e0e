// SPDX-License-Identifier: Apache-2.0
/// Runs, sweeps and searches with a traffic matrix.
#include "cli/command.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class cli_matrix : public command_test {
 protected:
  /// Node 2 has three times the mean load, and node 3 sends nothing.
  cli_matrix() {
    write("rates.txt", "0 1 0.05\n1 3 0.05\n2 0 0.2\n2 1 0.1\n");
    write("rates.csv", "0, 0.05, 0, 0\r\n0,0,0,0.05\r\n0.2,0.1,0,0\r\n0,0,0,0\r\n");
    write("run.yaml",
          "network: {topology: {shape: [2, 2]}}\nworkload:\n  pattern: {kind: matrix, file: rates.txt}\n  injection: "
          "0.1\nsimulation: {level: engine, warmup: 100, measure: 20000}\n");
  }

  json run(const std::vector<std::string>& settings) {
    std::vector<std::string> arguments{"run", "run.yaml", "-q"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"--set", s});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.err, "");
    EXPECT_EQ(r.status, 0);
    return json::parse(read("results/run.json"));
  }
};

TEST_F(cli_matrix, formats_and_levels_give_the_same_events) {
  run({"output.event_log=true"});
  const std::string events = read("results/run.events");
  EXPECT_GT(events.size(), 100000u);
  run({"output.event_log=true", "workload.pattern.file=rates.csv"});
  EXPECT_EQ(read("results/run.events"), events);
  run({"output.event_log=true", "simulation.level=pin"});
  EXPECT_EQ(read("results/run.events"), events);
  // The mean of the rates is 0.1, so the rates are the loads.
  run({"output.event_log=true", "workload.pattern.rates=absolute"});
  EXPECT_EQ(read("results/run.events"), events);
}

TEST_F(cli_matrix, results_have_the_pairs_and_sources_of_the_matrix) {
  const json result = run({"output.matrix=true"});
  const json& pairs = result["matrix"]["packets"];
  const double rates[4][4] = {{0, 0.05, 0, 0}, {0, 0, 0, 0.05}, {0.2, 0.1, 0, 0}, {0, 0, 0, 0}};
  std::uint64_t packets = 0;
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t d = 0; d < 4; ++d) {
      const auto count = pairs[s][d].get<std::uint64_t>();
      const double expected = rates[s][d] / 5 * 20000;  // a binomial distribution; five standard deviations
      EXPECT_NEAR(static_cast<double>(count), expected, 5 * std::sqrt(expected)) << s << " to " << d;
      packets += count;
    }
  }
  EXPECT_EQ(result["packets"]["delivered"], packets);
  EXPECT_NEAR(result["throughput"]["offered"]["mean"], 0.1, 0.01);
  const json &sources = result["sources"], &per_node = sources["per_node"];
  EXPECT_EQ(per_node[3], 0);
  EXPECT_GT(sources["accepted"]["min"], 0) << "node 3 is no source";
  EXPECT_EQ(sources["accepted"]["min"], std::min(per_node[0].get<double>(), per_node[1].get<double>()));
  EXPECT_EQ(sources["accepted"]["max"], per_node[2]);
}

TEST_F(cli_matrix, overrides_select_another_pattern) {
  write("run.yaml",
        "network: {topology: {shape: [2, 2]}}\nworkload:\n  pattern: {kind: matrix, file: rates.txt, rates: absolute}\n"
        "simulation: {level: engine, warmup: 100, measure: 1000}\n");
  EXPECT_EQ(run({})["configuration"]["workload"]["injection"], json::parse(R"({"process": "bernoulli"})"));
  for (const char* const key : {"workload.pattern", "workload.pattern.kind"}) {
    const json workload =
        run({std::string(key) + "=uniform", "workload.injection.load=0.2"})["configuration"]["workload"];
    EXPECT_EQ(workload["injection"]["load"], 0.2);
    EXPECT_FALSE(workload["pattern"].contains("rates"));
  }
}

TEST_F(cli_matrix, requests_follow_the_rows) {
  const json result = run({"workload.injection={process: request_reply, window: 1}", "output.matrix=true"});
  const json& pairs = result["matrix"]["packets"];
  EXPECT_GT(pairs[2][0], 0);
  EXPECT_GT(pairs[0][2], 0) << "replies";
  EXPECT_EQ(pairs[3][0], 0) << "node 3 only replies";
  EXPECT_GT(pairs[3][1], 0);
  EXPECT_FALSE(result["configuration"]["workload"]["pattern"].contains("rates"));
}

TEST_F(cli_matrix, a_sweep_varies_the_file_and_the_load) {
  const command_result r = weft({"sweep", "run.yaml", "--over", "workload.pattern.file=rates.txt,rates.csv", "--over",
                                 "workload.injection.load=0.05,0.1"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("rates.csv"));
}

/// Node 2 injects at most one flit per cycle, so the network carries a mean load of at most 1 / 3.
TEST_F(cli_matrix, saturation_is_found_at_the_limit_of_the_busiest_node) {
  const command_result topology = weft({"topology", "run.yaml"});
  EXPECT_THAT(topology.out, HasSubstr("    of matrix             0.3333  flits/node/cycle: node 2 injects no more\n"));
  EXPECT_THAT(topology.out, Not(HasSubstr("  offered ")));
  const command_result r = weft({"saturation", "run.yaml", "--width", "0.02"});
  EXPECT_EQ(r.err, "") << "no load above one packet per cycle is tried";
  const json search = json::parse(read("results/run.saturation.json"))["searches"][0];
  EXPECT_EQ(search["outcome"], "found");
  EXPECT_LE(search["saturation"]["low"], 1. / 3 + search["saturation"]["uncertainty"].get<double>());
  EXPECT_GT(search["saturation"]["high"], 0.28);
}

TEST_F(cli_matrix, searches_need_relative_rates) {
  for (const char* const command : {"saturation", "curve"}) {
    const command_result r = weft({command, "run.yaml", "--set", "workload.pattern.rates=absolute"});
    EXPECT_EQ(
        r.err,
        "run.yaml: error: this experiment has no load to search, because packets follow a packet list, flows have "
        "rates of their own, requests wait "
        "for replies, or a matrix has absolute rates; set the `rates` of the pattern to relative to scale a matrix, or "
        "use `weft sweep` to vary other keys, such as the `window` of requests\n");
    EXPECT_EQ(r.status, 2);
  }
}

TEST_F(cli_matrix, a_search_reports_points_with_absolute_rates_as_infeasible) {
  weft({"saturation", "run.yaml", "--width", "0.2", "-q", "--over", "workload.pattern.rates=relative,absolute"});
  EXPECT_THAT(
      read("results/run.saturation.csv"),
      MatchesRegex("workload.pattern.rates,[^\n]*\nrelative,[^\n]*\nabsolute,,,,,0,infeasible,[^\n]*has no effect "
                   "while workload.pattern.rates is absolute[^\n]*\n"));
}

TEST_F(cli_matrix, topology_prints_the_load_of_absolute_rates) {
  EXPECT_THAT(weft({"topology", "run.yaml", "--set", "workload.pattern.rates=absolute"}).out,
              HasSubstr("  offered                 0.1000  flits/node/cycle, mean of the matrix\n"));
}

}  // namespace
}  // namespace weft::cli
