// SPDX-License-Identifier: Apache-2.0
#include "weft/report/results.h"

#include "unit/experiment/fake_network.h"
#include <algorithm>
#include <new>
#include <sstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/report/format.h"
#include "weft/topology/generators/grid.h"

namespace weft::experiment {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two packets on a 2x2 mesh with latencies 14 and 10 and equal network latencies.
class unit_experiment_results : public testing::Test {
 protected:
  unit_experiment_results()
      : m_configuration(
            parse_configuration("network: {topology: {shape: [2, 2]}}\nsimulation: {seed: 9}", "dir/two.yaml")),
        m_graph(build_network(m_configuration)),
        m_source({{1, 0, 3, 5, 10}, {2, 1, 2, 1, 20}}, 4, {}, 1),
        m_watch(m_source, options()),
        m_model(4, m_source, m_watch),
        m_result(simulate(plan(), m_graph, m_source, m_model, m_watch, {})) {
    m_result.window_counts = {{0, 0, 5}, {0, 1, 0}, {1, 2, 6}, {3, 4, 4}};
  }

  static run_plan plan() {
    run_plan p;
    p.drain = 1000;
    p.deadlock_after = 500;
    p.finite = true;
    p.least_window = std::nullopt;
    return p;
  }

  static measurement_options options() {
    measurement_options o;
    o.nodes = 4;
    return o;
  }

  run_summary make_summary(double speed = 0) const { return {m_configuration, m_graph, m_watch, m_result, speed}; }

  configuration m_configuration;
  topology m_graph;
  packet_list_source m_source;
  measurement m_watch;
  fake_network m_model;
  run_result m_result;
};

TEST_F(unit_experiment_results, json_matches_hand_calculation) {
  const json j = to_json(make_summary());
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
  EXPECT_EQ(j["cycles"]["window_first"], 10);
  EXPECT_EQ(j["cycles"]["window_end"], 31);  // the second packet is delivered in cycle 30
  EXPECT_EQ(j["throughput"]["accepted"]["mean"], 6.0 / 21 / 4);
  EXPECT_EQ(j["latency"]["packet"]["mean"], 12);
  EXPECT_EQ(j["latency"]["packet"]["percentiles"]["50"], 10);
  EXPECT_EQ(j["latency"]["packet"]["percentiles"]["99.9"], 14);
  EXPECT_EQ(j["latency"]["histogram"]["counts"], json({1, 0, 0, 0, 1}));
  EXPECT_EQ(j["latency"]["histogram"]["edges"], json({10, 11, 12, 13, 14, 15}));
  EXPECT_TRUE(j["latency"]["packet"]["half_width"].is_null());
  EXPECT_EQ(j["latency"]["packet"]["no_interval"], "fewer than 320 values");
  EXPECT_EQ(j["sources"]["accepted"]["min"], 1.0 / 21) << "of the two nodes that created packets";
  EXPECT_NEAR(j["sources"]["accepted"]["mean"].get<double>(), 3.0 / 21, 1e-12);
  EXPECT_EQ(j["sources"]["accepted"]["max"], 5.0 / 21);
  EXPECT_EQ(j["sources"]["per_node"], json({5.0 / 21, 1.0 / 21, 0.0, 0.0}));
  EXPECT_TRUE(j["stationary"].is_null());  // undefined for a packet list
  EXPECT_EQ(j["warnings"], json::array({"no 95 % interval of the mean latency: fewer than 320 values"}));
  for (const char* const absent : {"matrix", "time_series", "physical", "warmup", "precision"})
    EXPECT_FALSE(j.contains(absent)) << absent;
  EXPECT_EQ(j["by_length"], json::parse(R"([{"flits": 1, "count": 1, "mean_latency": 10.0, "compressed": 0},
                                            {"flits": 5, "count": 1, "mean_latency": 14.0, "compressed": 0}])"));
  json channels = j["channels"];
  for (json& channel : channels) {
    EXPECT_DOUBLE_EQ(channel["utilisation"].get<double>(), channel["flits"].get<double>() / 21);
    channel.erase("utilisation");
  }
  EXPECT_EQ(channels, json::parse(R"([
    {"router": 0, "port": "+x", "to": {"router": 1, "port": "-x"}, "flits": 5},
    {"router": 1, "port": "+y", "to": {"router": 3, "port": "-y"}, "flits": 6},
    {"router": 3, "port": "local", "to": {"node": 3}, "flits": 4}])"));
  EXPECT_EQ(j["routers"][1]["flits"], 6);
  EXPECT_DOUBLE_EQ(j["routers"][1]["flits_per_cycle"].get<double>(), 6.0 / 21);
}

TEST_F(unit_experiment_results, json_marks_incomplete_runs) {
  for (const auto& [how, name] : {std::pair{outcome::Deadlock, "deadlock"},
                                  {outcome::NotDrained, "not_drained"},
                                  {outcome::Interrupted, "interrupted"},
                                  {outcome::Corrupt, "corrupt"},
                                  {outcome::Empty, "nothing_measured"}}) {
    m_result.how = how;
    const json j = to_json(make_summary());
    EXPECT_EQ(j["outcome"], name);
    EXPECT_EQ(j["complete"], false);
  }
  m_result.how = outcome::Saturated;
  EXPECT_EQ(to_json(make_summary())["complete"], true);
  EXPECT_EQ(to_json(make_summary())["saturated"], true);
}

TEST_F(unit_experiment_results, completely_measured_packet_list_has_exact_means) {
  m_configuration.workload.packet_list = "list.txt";
  m_configuration.simulation.measure = 0;
  const json j = to_json(make_summary());
  for (const json& metric : {j["latency"]["packet"], j["latency"]["network"], j["throughput"]["offered"],
                             j["throughput"]["accepted"], j["throughput"]["carried"]}) {
    EXPECT_TRUE(metric["half_width"].is_null()) << metric;
    EXPECT_EQ(metric["no_interval"], "all packets of the list are measured: the mean is exact");
  }
  EXPECT_THAT(to_table(make_summary()), Not(HasSubstr("±")));
  m_configuration.simulation.measure = 100;  // a part of the list is a sample
  EXPECT_EQ(to_json(make_summary())["latency"]["packet"]["no_interval"], "fewer than 320 values");
}

TEST_F(unit_experiment_results, warns_of_queues_that_grow_beyond_the_window) {
  m_result.how = outcome::Saturated;
  m_result.queues = {{1, 3}, true, 30};
  m_result.queues_until = 90;
  EXPECT_EQ(to_json(make_summary())["warnings"],
            json({"the source queue grew from the start of the window to cycle 90, after "
                  "its end, at 2 of 4 nodes: 1, 3"}));
}

TEST_F(unit_experiment_results, saturated_network_has_no_interval_and_lists_growing_queues) {
  m_result.how = outcome::Saturated;
  m_result.queues = {{1, 3}, true, 30};
  const json j = to_json(make_summary());
  EXPECT_EQ(j["latency"]["packet"]["no_interval"], "the network is saturated");
  EXPECT_EQ(j["stationary"], false);
  EXPECT_EQ(j["sources"]["growing"], json({1, 3}));
  EXPECT_DOUBLE_EQ(j["sources"]["growth"].get<double>(), 30 / (0.75 * 21) / 4);
  EXPECT_EQ(j["warnings"], json({"the source queue grew all through the window at 2 of 4 nodes: 1, 3"}));
  EXPECT_THAT(to_table(make_summary()), HasSubstr("\n  warning: the source queue grew"));
}

TEST_F(unit_experiment_results, an_undecided_run_recommends_a_window_length) {
  m_result.how = outcome::Undecided;
  m_result.queues = {{1, 3}, true, 30};
  m_result.window_needed = 12'000;
  const json j = to_json(make_summary());
  EXPECT_EQ(j["outcome"], "undecided");
  EXPECT_EQ(j["complete"], true);
  EXPECT_EQ(j["saturated"], false);
  EXPECT_EQ(j["latency"]["packet"]["no_interval"], "the network may be saturated");
  EXPECT_TRUE(j["stationary"].is_null());
  const std::string window =
      "the window is too short to tell whether the network is saturated; raise simulation.measure to 12000 or more";
  EXPECT_EQ(j["warnings"], json({window, "the source queue grew all through the window at 2 of 4 nodes: 1, 3"}));
  m_result.how = outcome::Complete;
  m_result.queues = {};
  EXPECT_EQ(to_json(make_summary())["warnings"][0], window);
}

TEST_F(unit_experiment_results, clock_frequency_adds_physical_units) {
  m_configuration.simulation.clock = 2;
  const json physical = to_json(make_summary())["physical"];
  EXPECT_DOUBLE_EQ(physical["latency"]["mean"].get<double>(), 6);
  EXPECT_DOUBLE_EQ(physical["latency"]["percentiles"]["99"].get<double>(), 7);
  EXPECT_DOUBLE_EQ(physical["link_bandwidth"].get<double>(), 16);
  EXPECT_DOUBLE_EQ(physical["bisection_bandwidth"].get<double>(), 32);
  EXPECT_DOUBLE_EQ(physical["accepted"].get<double>(), 1.5 / 21 * 16);
  EXPECT_THAT(to_table(make_summary()), HasSubstr("6.00  ns on average, at 2 GHz\n"));
}

TEST_F(unit_experiment_results, time_intervals_are_reported_as_series) {
  m_configuration.output.interval = 50;
  time_series::entry a{20, 10, 1, 14, 3, {5, 0, 6, 4}, {}}, b{0, 10, 0, 0, 1, {0, 0, 1, 25}, {}};
  ASSERT_EQ(to_json(make_summary())["time_series"].count("queues"), 0u);
  a.occupancy = {1, 2, 3, 4};
  b.occupancy = {0, 0, 0.5, 0};
  m_result.series = {a, b};
  const json t = to_json(make_summary())["time_series"];
  EXPECT_EQ(t["interval"], 50);
  EXPECT_EQ(t["start"], json({0, 50}));
  EXPECT_EQ(t["offered"], json({0.1, 0.0}));
  EXPECT_EQ(t["accepted"], json({0.05, 0.05}));
  EXPECT_EQ(t["latency"], json({14.0, nullptr}));
  EXPECT_EQ(t["source_queue"], json({3, 1}));
  EXPECT_EQ(t["channels"].size(), 3u);  // in the order of "channels"
  EXPECT_EQ(t["channels"][2], json::parse(R"({"id": 2, "utilisation": [0.08, 0.5]})"));
  EXPECT_EQ(t["routers"][2], json::parse(R"({"router": 2, "occupancy": [3.0, 0.5]})"));
}

TEST_F(unit_experiment_results, queues_are_reported_for_connected_input_ports) {
  m_configuration.output.interval = 50;
  m_configuration.router.vcs = 2;
  time_series::entry a{0, 0, 0, 0, 0, {0, 0, 0, 0}, {}, 3, {}}, b = a;
  for (std::uint32_t i = 0; i < 4 * 5 * 2; ++i) {  // routers, ports, VCs
    a.queues.push_back(i);
    b.queues.push_back(0);
  }
  m_result.series = {a, b};
  EXPECT_EQ(to_json(make_summary())["time_series"].count("queues"), 0u);
  m_configuration.output.queues = true;
  const json queues = to_json(make_summary())["time_series"]["queues"];
  ASSERT_EQ(queues.size(), 12u);  // each router has queues of two neighbors and a node
  const std::string first = R"({"router": 0, "port": "+x", "flits": [[0.0, 0.0], [0.33, 0.0]]})";
  EXPECT_EQ(queues[0], json::parse(first));
  EXPECT_EQ(queues[11], json::parse(R"({"router": 3, "port": "local", "flits": [[12.67, 0.0], [13.0, 0.0]]})"));
}

TEST_F(unit_experiment_results, csv_has_one_value_per_header_column) {
  m_configuration.output.name = "a \"b\", c";
  const std::string csv = to_csv(make_summary());
  std::istringstream lines(csv);
  std::string header, row;
  std::getline(lines, header);
  std::getline(lines, row);
  EXPECT_THAT(header, HasSubstr("name,seed,outcome,cycles,packets_measured,packets_delivered,offered,"));
  EXPECT_THAT(row, HasSubstr("\"a \"\"b\"\", c\",9,complete,100,2,2,0.07142857142857142,"));
  const auto commas = [](const std::string& s) { return std::count(s.begin(), s.end(), ','); };
  EXPECT_EQ(commas(header), commas(row) - 1);  // one comma is part of the name
}

TEST_F(unit_experiment_results, the_table_is_aligned_and_has_units) {
  const std::string table = to_table(make_summary(123456.7));
  EXPECT_THAT(table,
              HasSubstr("two: 2x2 mesh, dimension_order routing, 4 VCs of 8 flits, 4 pipeline cycles, seed 9\n"));
  EXPECT_THAT(table, HasSubstr("  packets delivered                 2  of 2 measured\n"));
  EXPECT_THAT(
      table, HasSubstr("  busiest link                 0.2857  flits/cycle, router 1 (1,0) +y -> router 3 (1,1) -y\n"));
  EXPECT_THAT(table, HasSubstr("  speed                       123,456  cycles/s\n"));
  EXPECT_THAT(table, HasSubstr("\n  complete\n"));
  EXPECT_THAT(to_table(make_summary()), Not(HasSubstr("speed")));
}

TEST_F(unit_experiment_results, statistics_are_null_when_nothing_is_measured) {
  measurement nothing(m_source, options());
  nothing.close_window(100);
  const run_summary r{m_configuration, m_graph, nothing, m_result, 0};
  const json latency = to_json(r)["latency"]["packet"];
  EXPECT_EQ(latency["count"], 0);
  for (const char* const metric : {"mean", "half_width", "min", "max"})
    EXPECT_TRUE(latency.contains(metric) && latency[metric].is_null()) << metric;
  EXPECT_TRUE(latency["percentiles"].contains("99.9") && latency["percentiles"]["99.9"].is_null());
  EXPECT_TRUE(to_json(r)["mean_routers"].is_null());
  EXPECT_THAT(to_table(r), Not(HasSubstr("nan")));
  EXPECT_THAT(to_csv(r), Not(HasSubstr("nan")));
}

TEST(unit_experiment_format, out_of_memory_message_names_the_keys_to_lower) {
  EXPECT_THAT(message_of(std::bad_alloc()), HasSubstr("out of memory; lower network.topology.shape"));
  EXPECT_EQ(message_of(std::runtime_error("a disk is full")), "a disk is full");
}

}  // namespace
}  // namespace weft::experiment
