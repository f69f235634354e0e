// SPDX-License-Identifier: Apache-2.0
/// Which cycles belong to the window and to an interval of time.

#include "cli/command.h"
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class cli_window : public command_test {
 protected:
  /// The result of a run with these \p lines of a packet list.
  json list_of(const std::string& lines, const std::string& level, const std::string& output = "{}") {
    write("list.txt", lines);
    write("list.yaml", "network: {topology: {shape: [4, 4]}}\nworkload: {packet_list: list.txt}\nsimulation: {level: " +
                           level + ", warmup: 0}\noutput: " + output + "\n");
    const command_result r = weft({"run", "list.yaml", "-q"});
    EXPECT_EQ(r.status, 0) << r.err;
    return json::parse(read("results/list.json"));
  }

  json run_of(const std::vector<std::string>& settings) {
    write("run.yaml",
          "network: {topology: {shape: [4, 4]}}\nsimulation: {level: engine, warmup: 500, measure: 2000}\n");
    std::vector<std::string> arguments{"run", "run.yaml", "-q"};
    for (const std::string& one : settings) arguments.insert(arguments.end(), {"--set", one});
    weft(arguments);
    return json::parse(read("results/run.json"));
  }
};

TEST_F(cli_window, includes_the_last_packet_of_a_packet_list) {
  for (const char* const level : {"engine", "pin"})
    for (const int last : {1, 99, 100, 101, 200, 400}) {
      const json result = list_of("1 0 0 1 3\n2 " + std::to_string(last) + " 0 3 3\n", level);
      EXPECT_EQ(result["packets"]["measured"], 2) << level << " " << last;
      EXPECT_EQ(result["latency"]["packet"]["count"], 2) << level << " " << last;
      EXPECT_GT(result["cycles"]["window_end"], last);
    }
}

/// The second run samples the time series in every slice, so it skips none.
TEST_F(cli_window, skipping_idle_time_does_not_change_results) {
  const std::string lines = "1 1234 0 1 3\n2 51000 0 2 3\n3 51100 3 3 3\n4 99999 0 1 30\n5 100000 2 1 3\n";
  json skipped = list_of(lines, "engine", "{event_log: true}");
  const std::string events = read("results/list.events");
  EXPECT_FALSE(events.empty());
  json stepped = list_of(lines, "engine", "{event_log: true, interval: 100}");
  EXPECT_EQ(read("results/list.events"), events);
  for (const char* const part : {"outcome", "cycles", "packets", "throughput", "latency", "sources", "channels"})
    EXPECT_EQ(skipped[part], stepped[part]) << part;
  for (const char* const process : {"bernoulli", "on_off"}) {
    const std::vector<std::string> settings = {"simulation.measure=20000", "workload.injection.load=0.00005",
                                               std::string("workload.injection.process=") + process};
    skipped = run_of(settings);
    std::vector<std::string> more = settings;
    more.emplace_back("output.interval=100");
    stepped = run_of(more);
    for (const char* const part : {"outcome", "cycles", "packets", "throughput", "latency", "sources", "channels"})
      EXPECT_EQ(skipped[part], stepped[part]) << process << " " << part;
  }
}

/// Simulated slice by slice, this run would take hours.
TEST_F(cli_window, run_skips_long_idle_time_of_a_packet_list) {
  const json result = list_of("1 10 0 1 5\n2 1000000000000 0 1 5\n", "engine");
  EXPECT_EQ(result["outcome"], "complete");
  EXPECT_EQ(result["packets"]["delivered"], 2);
  EXPECT_GT(result["cycles"]["window_end"], 1'000'000'000'000);
  EXPECT_EQ(result["latency"]["packet"]["min"], result["latency"]["packet"]["max"]);
}

TEST_F(cli_window, intervals_count_packets_created_in_them) {
  for (const char* const level : {"engine", "pin"}) {
    const json series =
        list_of("1 100 0 1 3\n2 199 0 2 3\n3 200 0 3 3\n4 350 0 1 3\n", level, "{interval: 100}")["time_series"];
    const double packet = 3.0 / 100 / 16;
    std::vector<double> offered = series["offered"];
    for (double& value : offered) value /= packet;
    offered.resize(4);
    EXPECT_THAT(offered, ElementsAre(0, 2, 1, 1)) << level;
    EXPECT_EQ(series["source_queue"][0], 0) << level;
  }
}

TEST_F(cli_window, intervals_add_up_to_the_window) {
  const json result = run_of({"workload.injection.load=0.3", "simulation.warmup=0", "output.interval=100"});
  double flits = 0;
  for (const json& rate : result["time_series"]["offered"]) flits += rate.get<double>() * 100 * 16;
  EXPECT_NEAR(flits, result["throughput"]["offered"]["mean"].get<double>() * 2000 * 16, 1e-6);
}

TEST_F(cli_window, gives_a_warning_if_it_is_too_short) {
  EXPECT_THAT(run_of({"simulation.measure=100"})["warnings"],
              ElementsAre("no 95 % interval of the mean latency: fewer than 320 values"));
  EXPECT_THAT(
      run_of({"output.interval=5000"})["warnings"],
      testing::Contains("output.interval of 5000 cycles is longer than the 2500 to the end of the window: there "
                        "is no time series"));
  EXPECT_THAT(run_of({"simulation.measure=20000"})["warnings"], IsEmpty());
}

}  // namespace
}  // namespace weft::cli
