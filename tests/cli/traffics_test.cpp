// SPDX-License-Identifier: Apache-2.0
/// Runs, sweeps, searches and exports with several traffics.
#include "cli/command.h"
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class cli_traffics : public command_test {
 protected:
  cli_traffics() {
    write("run.yaml", R"(network: {topology: {shape: [4, 4]}, router: {vcs: 4, classes: 2}}
workload:
  traffics:
    data: {pattern: transpose, injection: {load: 0.15}, length: 5}
    control: {injection: {load: 0.02}, length: 1, class: 1}
    video:
      sources: [0, 3]
      pattern: {kind: hotspot, hotspots: [10], share: 1}
      injection: {process: on_off, load: 0.1, peak: 0.5, mean_burst: 30}
      length: 8
    cache: {sources: [1, 2, 5], injection: {process: request_reply, window: 2}, length: 1, reply_class: 1}
simulation: {level: engine, warmup: 500, measure: 10000}
)");
  }

  json run(const std::vector<std::string>& settings, const std::string& file = "run.yaml") {
    std::vector<std::string> arguments{"run", file, "-q"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"--set", s});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.err, "");
    EXPECT_EQ(r.status, 0);
    const std::string result = read("results/run.json");
    return result.empty() ? json() : json::parse(result);
  }

  /// The statistics of the traffic or class called \p name.
  static json of(const json& result, const std::string& name) {
    for (const json& traffic : result["traffics"])
      if (traffic["name"] == name) return traffic;
    return {};
  }
};

TEST_F(cli_traffics, levels_give_the_same_events) {
  for (const char* const queues : {"shared", "per_class"}) {
    const std::string setting = std::string("nic.source_queues=") + queues;
    run({"output.event_log=true", setting, "simulation.measure=1500"});
    const std::string events = read("results/run.events");
    EXPECT_GT(events.size(), 100000u);
    run({"output.event_log=true", setting, "simulation.measure=1500", "simulation.level=pin"});
    EXPECT_EQ(read("results/run.events"), events);
  }
}

/// Several ports of a node share its queues. A port that returns a packet makes the others offer it.
TEST_F(cli_traffics, levels_agree_if_ports_share_the_queues_of_classes) {
  write("run.yaml", R"(network: {topology: {shape: [3]}, router: {vcs: 2, classes: 2, depth: 1}}
nic: {source_queues: per_class}
workload:
  traffics:
    a: {injection: {load: 0.1}, length: 2}
    b: {injection: {load: 0.1}, length: 3, class: 1}
simulation: {level: engine, warmup: 0, measure: 10000}
output: {event_log: true}
)");
  for (const char* const ports : {"nic.ports=2", "nic.ports=3"}) {
    run({ports});
    const std::string events = read("results/run.events");
    run({ports, "simulation.level=pin"});
    EXPECT_EQ(read("results/run.events"), events) << ports;
  }
}

TEST_F(cli_traffics, statistics_of_traffics_and_classes_add_up_to_those_of_the_network) {
  const json result = run({});
  for (const char* const groups : {"traffics", "classes"}) {
    std::uint64_t measured = 0, delivered = 0;
    double offered = 0, accepted = 0, latency = 0;
    for (const json& group : result[groups]) {
      measured += group["measured"].get<std::uint64_t>();
      delivered += group["delivered"].get<std::uint64_t>();
      offered += group["offered"]["mean"].get<double>();
      accepted += group["accepted"]["mean"].get<double>();
      latency += group["latency"]["mean"].get<double>() * group["latency"]["count"].get<double>();
    }
    EXPECT_EQ(measured, result["packets"]["measured"]);
    EXPECT_EQ(delivered, result["packets"]["delivered"]);
    EXPECT_NEAR(offered, result["throughput"]["offered"]["mean"], 1e-12);
    EXPECT_NEAR(accepted, result["throughput"]["accepted"]["mean"], 1e-12);
    EXPECT_NEAR(latency / static_cast<double>(delivered), result["latency"]["packet"]["mean"], 1e-9);
  }
  EXPECT_EQ(result["classes"].size(), 2u);
  EXPECT_EQ(of(result, "cache")["reply_class"], 1);
  EXPECT_GT(of(result, "cache")["round_trip"]["count"], 100);
  EXPECT_EQ(of(result, "cache")["round_trip"]["count"], result["latency"]["round_trip"]["count"]);
}

TEST_F(cli_traffics, loads_are_those_of_the_sources_and_can_be_scaled_together) {
  const auto offered = [](const json& result, const char* name) {
    return of(result, name)["offered"]["mean"].get<double>();
  };
  const json plain = run({});
  EXPECT_NEAR(offered(plain, "data"), 0.15, 0.01);
  EXPECT_NEAR(offered(plain, "control"), 0.02, 0.001);
  EXPECT_NEAR(offered(plain, "video"), 0.1 * 2 / 16, 0.003);
  EXPECT_DOUBLE_EQ(plain["configuration"]["workload"]["injection"]["load"], 0.15 + 0.02 + 0.1 * 2 / 16);
  const json half = run({"workload.injection.load=0.09125"});
  EXPECT_NEAR(offered(half, "data"), 0.075, 0.007);
  EXPECT_NEAR(offered(half, "video"), 0.05 * 2 / 16, 0.002);
  // An override of one load takes precedence over the sum in a file.
  write("summed.yaml", "include: run.yaml\nworkload: {injection: 0.09125}\noutput: {name: run}\n");
  EXPECT_NEAR(offered(run({}, "summed.yaml"), "data"), 0.075, 0.007);
  const json one = run({"workload.traffics.data.injection.load=0.3"}, "summed.yaml");
  EXPECT_NEAR(offered(one, "data"), 0.3, 0.015);
  EXPECT_NEAR(offered(one, "control"), 0.02, 0.001);
}

TEST_F(cli_traffics, a_result_repeats_its_run) {
  run({"workload.injection.load=0.1"});
  const std::string result = read("results/run.json"), table = read("results/run.csv");
  EXPECT_EQ(weft({"run", "results/run.json", "-q"}).status, 0);
  EXPECT_EQ(read("results/run.json"), result);
  EXPECT_EQ(read("results/run.csv"), table);
}

TEST_F(cli_traffics, the_terminal_and_the_csv_file_show_each_traffic) {
  const command_result r = weft({"run", "run.yaml"});
  for (const char* const label : {"  data  ", "  control  ", "  video  ", "  cache  ", "  class 0  ", "  class 1  "})
    EXPECT_THAT(r.out, HasSubstr(label));
  EXPECT_THAT(r.out, HasSubstr("round trip"));
  EXPECT_THAT(first_line(read("results/run.csv")),
              HasSubstr(",traffic_video_latency_mean,traffic_video_latency_half_width,"));
}

TEST_F(cli_traffics, sweeps_vary_one_traffic_and_exports_have_its_columns) {
  const command_result r = weft({"sweep", "run.yaml", "-q", "--over", "workload.traffics.data.injection.load=0.05,0.2",
                                 "--set", "simulation.measure=2000"});
  EXPECT_EQ(r.err, "");
  ASSERT_EQ(r.status, 0);
  const command_result table = weft({"export", "results/points.sqlite"});
  EXPECT_EQ(table.status, 0);
  for (const char* const column : {"workload.traffics.data.injection.load", "workload.traffics.cache.reply_class",
                                   "traffic_data_latency_mean", "class_1_latency_p99"})
    EXPECT_THAT(first_line(table.out), HasSubstr(column));
  EXPECT_THAT(first_line(read("results/run.sweep.csv")), HasSubstr("traffic_data_latency_mean"));
}

TEST_F(cli_traffics, columns_of_different_traffics_have_different_names) {
  run({"workload.traffics={a: {}, a_network: {}}", "simulation.measure=500"});
  std::vector<std::string> columns;
  std::istringstream header(first_line(read("results/run.csv")));
  for (std::string column; std::getline(header, column, ',');) columns.push_back(column);
  std::sort(columns.begin(), columns.end());
  EXPECT_EQ(std::adjacent_find(columns.begin(), columns.end()), columns.end());
}

TEST_F(cli_traffics, diff_compares_traffics_by_name) {
  run({"output.name=a"});
  run({"output.name=b", "workload.traffics.control.injection.load=0.05"});
  const command_result r = weft({"diff", "results/a.json", "results/b.json"});
  EXPECT_THAT(r.out, HasSubstr("traffics.control.offered.mean"));
  EXPECT_THAT(r.out, HasSubstr("classes.1.latency.mean"));
}

TEST_F(cli_traffics, pictures_and_the_report_show_networks_with_priorities_of_classes) {
  run({"network.router.priority=message_class", "nic.source_queues=per_class", "simulation.measure=1000"});
  EXPECT_EQ(weft({"plot", "network", "results/run.json", "-o", "network.svg"}).err, "");
  EXPECT_EQ(weft({"report", "results", "-o", "report.html"}).status, 0);
  const std::string page = read("report.html");
  EXPECT_THAT(page, HasSubstr("<td>cache</td>"));
  EXPECT_THAT(page, HasSubstr("<td>class 1</td>"));
}

TEST_F(cli_traffics, a_search_scales_the_mix) {
  const command_result r = weft({"saturation", "run.yaml", "--width", "0.02", "--set", "simulation.measure=3000",
                                 "--set", "workload.traffics.video.injection.process=bernoulli"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("saturation"));
}

TEST_F(cli_traffics, topology_prints_the_bound_and_the_latency_of_each) {
  const command_result r = weft({"topology", "run.yaml"});
  EXPECT_EQ(r.status, 0);
  for (const char* const label : {"of the traffics", "mean of the traffics", "of data", "of control", "of video"})
    EXPECT_THAT(r.out, HasSubstr(label));
  EXPECT_THAT(r.out, Not(HasSubstr("of cache")));
}

/// A saturated class fills the only source queue, so packets of the other class wait behind it.
TEST_F(cli_traffics, a_queue_per_class_isolates_classes_in_a_node) {
  write("run.yaml",
        R"(network: {topology: {shape: [4, 4]}, router: {vcs: 4, classes: 2, flow_control: virtual_cut_through}}
workload:
  traffics:
    bulk: {pattern: {kind: hotspot, hotspots: [5], share: 1}, injection: {load: 0.5}, length: 8}
    control: {injection: {load: 0.02}, length: 1, class: 1}
simulation: {level: engine, warmup: 500, measure: 5000}
)");
  const json shared = run({}), isolated = run({"nic.source_queues=per_class"});
  const auto accepted = [](const json& result) { return of(result, "control")["accepted"]["mean"].get<double>(); };
  EXPECT_LT(accepted(shared), 0.006);
  EXPECT_NEAR(accepted(isolated), 0.02, 0.001);
}

TEST_F(cli_traffics, packet_lists_have_classes) {
  write("list.txt", "0 0 0 5 3 0 1\n1 0 0 5 3\n2 9 3 1 2 0 0\n3 9 3 2 2 0 1\n");
  write("run.yaml",
        "network: {topology: {shape: [4, 4]}, router: {vcs: 4, classes: 2}}\nworkload: {packet_list: "
        "list.txt}\nsimulation: {level: engine}\n");
  const json result = run({"output.event_log=true"});
  EXPECT_EQ(result["classes"][0]["delivered"], 2);
  EXPECT_EQ(result["classes"][1]["delivered"], 2);
  const std::string events = read("results/run.events");
  run({"output.event_log=true", "simulation.level=pin"});
  EXPECT_EQ(read("results/run.events"), events);
}

}  // namespace
}  // namespace weft::cli
