// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/report/results.h"

#include "unit/experiment/fake_network.h"
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/experiment/report/format.h"
#include "weft/topology/generators/grid.h"

namespace weft::experiment {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two packets on a 2x2 mesh: latencies 14 and 10, network latencies the same.
class unit_experiment_results : public testing::Test {
 protected:
  unit_experiment_results()
      : m_asked(parse_configuration("network: {topology: {shape: [2, 2]}}\nsimulation: {seed: 9}", "dir/two.yaml")),
        m_graph(build_network(m_asked)),
        m_source({{1, 0, 3, 5, 10}, {2, 1, 2, 1, 20}}, 4, {}, 1),
        m_watch(m_source, options()),
        m_model(4, m_source, m_watch),
        m_result(simulate({0, 0, 1000, 500, true}, m_graph, m_source, m_model, m_watch, {})) {
    m_result.window_counts = {{0, 0, 5}, {0, 1, 0}, {1, 2, 6}, {3, 4, 4}};
  }

  static measurement_options options() {
    measurement_options o;
    o.nodes = 4;
    return o;
  }

  report told(double speed = 0) const { return {m_asked, m_graph, m_watch, m_result, speed}; }

  configuration m_asked;
  topology m_graph;
  packet_list_source m_source;
  measurement m_watch;
  fake_network m_model;
  run_result m_result;
};

TEST_F(unit_experiment_results, json_has_everything) {
  const json j = to_json(told());
  EXPECT_EQ(j["weft"], version());
  EXPECT_EQ(j["name"], "two");
  EXPECT_EQ(j["seed"], 9);
  EXPECT_EQ(j["outcome"], "complete");
  EXPECT_EQ(j["complete"], true);
  EXPECT_EQ(j["saturated"], false);
  EXPECT_EQ(j["deadlock"], false);
  EXPECT_EQ(j["configuration"]["network"]["topology"]["shape"], json({2, 2}));
  EXPECT_EQ(j["packets"]["measured"], 2);
  EXPECT_EQ(j["packets"]["delivered"], 2);
  EXPECT_EQ(j["cycles"]["window_end"], 100);
  EXPECT_EQ(j["throughput"]["accepted"]["mean"], 6.0 / 100 / 4);
  EXPECT_EQ(j["latency"]["packet"]["mean"], 12);
  EXPECT_EQ(j["latency"]["packet"]["percentiles"]["50"], 10);
  EXPECT_EQ(j["latency"]["packet"]["percentiles"]["99.9"], 14);
  EXPECT_EQ(j["latency"]["packet"]["histogram"]["counts"], json({1, 0, 0, 0, 1}));
  EXPECT_EQ(j["by_length"], json::parse(R"([{"flits": 1, "count": 1, "mean_latency": 10.0, "compressed": 0},
                                            {"flits": 5, "count": 1, "mean_latency": 14.0, "compressed": 0}])"));
  EXPECT_EQ(j["channels"], json::parse(R"([
    {"router": 0, "port": "+x", "to": "router 1 (1,0) -x", "flits": 5, "utilisation": 0.05},
    {"router": 1, "port": "+y", "to": "router 3 (1,1) -y", "flits": 6, "utilisation": 0.06},
    {"router": 3, "port": "local", "to": "node 3", "flits": 4, "utilisation": 0.04}])"));
  EXPECT_EQ(j["routers"][1],
            json::parse(R"({"router": 1, "coordinates": [1, 0], "flits": 6, "flits_per_cycle": 0.06})"));
}

TEST_F(unit_experiment_results, json_marks_what_is_not_complete) {
  for (const auto& [how, name] : {std::pair{outcome::Deadlock, "deadlock"},
                                  {outcome::NotDrained, "not_drained"},
                                  {outcome::Interrupted, "interrupted"},
                                  {outcome::Corrupt, "corrupt"}}) {
    m_result.how = how;
    const json j = to_json(told());
    EXPECT_EQ(j["outcome"], name);
    EXPECT_EQ(j["complete"], false);
  }
  m_result.how = outcome::Saturated;
  EXPECT_EQ(to_json(told())["complete"], true);
  EXPECT_EQ(to_json(told())["saturated"], true);
}

TEST_F(unit_experiment_results, csv_has_a_header_and_as_many_values) {
  m_asked.output.name = "a \"b\", c";
  const std::string csv = to_csv(told());
  std::istringstream lines(csv);
  std::string header, row;
  std::getline(lines, header);
  std::getline(lines, row);
  EXPECT_THAT(header, HasSubstr("name,seed,outcome,cycles,packets_measured,packets_delivered,offered,"));
  EXPECT_THAT(row, HasSubstr("\"a \"\"b\"\", c\",9,complete,100,2,2,0.015,"));
  const auto commas = [](const std::string& s) { return std::count(s.begin(), s.end(), ','); };
  EXPECT_EQ(commas(header), commas(row) - 1);  // one is in the name
}

TEST_F(unit_experiment_results, the_table_is_aligned_and_has_units) {
  const std::string table = to_table(told(123456.7));
  EXPECT_THAT(table,
              HasSubstr("two: 2x2 mesh, dimension_order routing, 4 VCs of 8 flits, 4 pipeline cycles, seed 9\n"));
  EXPECT_THAT(table, HasSubstr("  packets delivered                 2  of 2 measured\n"));
  EXPECT_THAT(
      table, HasSubstr("  busiest link                 0.0600  flits/cycle, router 1 (1,0) +y -> router 3 (1,1) -y\n"));
  EXPECT_THAT(table, HasSubstr("  speed                       123,456  cycles/s\n"));
  EXPECT_THAT(table, HasSubstr("\n  complete\n"));
  EXPECT_THAT(to_table(told()), Not(HasSubstr("speed")));
}

TEST_F(unit_experiment_results, nothing_measured_is_told_as_such) {
  measurement nothing(m_source, options());
  nothing.close_window(100);
  const report r{m_asked, m_graph, nothing, m_result, 0};
  EXPECT_EQ(to_json(r)["latency"]["packet"], json({{"count", 0}}));
  EXPECT_TRUE(to_json(r)["mean_routers"].is_null());
  EXPECT_THAT(to_table(r), Not(HasSubstr("nan")));
  EXPECT_THAT(to_csv(r), Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace weft::experiment
