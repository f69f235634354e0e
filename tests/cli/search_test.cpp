// SPDX-License-Identifier: Apache-2.0
/// The loads that `weft saturation` may report as found, and sweeps that are rejected before they run.

#include "cli/command.h"
#include <csignal>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

class cli_search : public command_test {
 protected:
  cli_search() {
    write("run.yaml",
          "network: {topology: {shape: [4, 4]}}\nsimulation: {level: engine, warmup: 500, measure: 2000}\n");
  }
};

TEST_F(cli_search, reports_no_saturation_load_if_runs_fail_for_other_reasons) {
  const auto found = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"saturation", "run.yaml", "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    weft(arguments);
    return read("results/run.saturation.csv");
  };
  EXPECT_THAT(found({"--set", "workload.injection={process: on_off, peak: 0.5}", "--width", "0.2"}),
              HasSubstr(",infeasible,\"load 0.6"));
  EXPECT_THAT(found({"--set", "simulation.drain=0", "--set", "simulation.measure=500", "--width", "0.2"}),
              HasSubstr(",not_drained,load "));
  EXPECT_THAT(found({"--most", "0.02", "--set", "simulation.measure=20", "--width", "0.01"}),
              HasSubstr(",nothing_measured,load "));
  EXPECT_THAT(found({"--width", "0.2"}), HasSubstr(",found,"));
}

/// The row of the table of saturation loads, by columns: "0.5,,0.498,9,infeasible,…".
TEST_F(cli_search, leaves_the_column_of_an_unmeasured_bound_empty) {
  const auto row = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"saturation", "run.yaml", "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    weft(arguments);
    const std::string table = read("results/run.saturation.csv");
    return table.substr(table.find('\n') + 1);
  };
  // Above a peak of 0.5 no load is feasible: the search continues to its width, and has no load above.
  EXPECT_THAT(row({"--set", "workload.injection={process: on_off, peak: 0.5}", "--width", "0.05"}),
              MatchesRegex("0\\.5,,,0\\.[0-9]+,[0-9]+,infeasible,\"load 0\\.5[0-4][0-9]* is infeasible: .*\n"));
  // The first three loads are above the peak; the search still simulates those below.
  EXPECT_THAT(row({"--set", "workload.injection={process: on_off, peak: 0.3}", "--width", "0.1"}),
              MatchesRegex("0\\.[12][0-9]*,,,0\\.[0-9]+,[0-9]+,infeasible,\"load 0\\.3.*\n"));
}

TEST_F(cli_search, rejects_traffic_without_a_load_with_one_error) {
  write("list.txt", "1 0 0 1 5\n");
  const std::string loop = "workload.injection.process=request_reply";
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--set", loop},
                                             {"--set", loop, "--over", "workload.injection.window=1,2"},
                                             {"--over", loop},
                                             {"--set", "workload={packet_list: list.txt}"}})
    for (const char* const command : {"saturation", "curve"}) {
      std::vector<std::string> call{command, "run.yaml"};
      call.insert(call.end(), more.begin(), more.end());
      const command_result r = weft(call);
      EXPECT_EQ(r.status, 2);
      EXPECT_THAT(r.err, MatchesRegex("run.yaml: error: this experiment has no load to search, because [^\n]*\n"))
          << more.back();
      EXPECT_THAT(files_in("results"), IsEmpty());
    }
}

TEST_F(cli_search, reports_undecided_if_the_window_is_too_short) {
  const command_result r = weft({"saturation", "run.yaml", "-q", "--width", "0.1", "--set",
                                 "workload.injection={process: on_off, mean_burst: 5000}"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(read("results/run.saturation.csv"),
              MatchesRegex(".*,undecided,load 0.[0-9]* is undecided: the window is too short to tell whether the "
                           "network is saturated; raise simulation.measure to [0-9]* or more\n"));
  EXPECT_THAT(r.err, MatchesRegex("weft: [0-9]* of [0-9]* points are undecided, the first at .*: the window is .*"));
}

TEST_F(cli_search, repeats_the_runs_at_both_bounds_with_a_longer_window) {
  for (const char* const until : {"none", "0.02"}) {
    const std::string directory = until;
    const command_result r = weft(
        {"saturation", "run.yaml", "-q", "--width", "0.1", "-o", directory, "--set", "simulation.until=" + directory});
    EXPECT_EQ(r.status, 0) << r.err;
    const std::string table = read(directory + "/run.saturation.csv"), row = table.substr(table.find('\n') + 1);
    const std::string points = weft({"export", directory + "/points.sqlite"}).out;
    std::istringstream cells(row);
    std::string bound;
    for (int i = 0; i < 2 && std::getline(cells, bound, ','); ++i) {
      int times = 0;
      std::istringstream lines(points);
      for (std::string line; std::getline(lines, line);) times += line.find("," + bound + ",") != std::string::npos;
      EXPECT_EQ(times, 2) << bound << "\n" << points;
    }
  }
}

/// The capacity of the busiest link is a bound that the search does not use.
TEST_F(cli_search, saturation_stays_within_link_bound) {
  struct network {
    const char *topology, *routing, *pattern;
    int flits;
    double bound;  ///< flits/node/cycle: 1 / packets over the busiest link of one packet from each node
  };
  const network networks[] = {
      {"{shape: [8, 8]}", "dimension_order", "transpose", 5, 1. / 7},  // a corner turns 7 packets
      {"{shape: [6, 6]}", "dimension_order", "transpose", 1, 1. / 5},
      {"{shape: [8, 8]}", "dimension_order", "bit_complement", 5, 1. / 4},  // 4 of a row cross its middle
      {"{kind: ring, shape: [8]}", "dimension_order", "tornado", 2, 1. / 3},
      {"{kind: torus, shape: [6, 6]}", "dimension_order", "tornado", 4, 1. / 2},
      {"{shape: [4, 4]}", "dimension_order", "uniform", 4, 15. / 16},  // 8 of 15 packets of each half cross 4 links
  };
  for (const network& n : networks) {
    write("net.yaml", std::string("network: {topology: ") + n.topology + ", routing: " + n.routing +
                          ", router: {vcs: 4}}\nworkload: {pattern: " + n.pattern +
                          ", length: " + std::to_string(n.flits) + "}\nsimulation: {level: engine}\n");
    const command_result r = weft({"saturation", "net.yaml", "-q", "--width", "0.02"});
    ASSERT_EQ(r.status, 0) << r.err;
    const json found = json::parse(read("results/net.saturation.json"))["searches"][0];
    ASSERT_EQ(found["outcome"], "found") << n.topology << found;
    const json& load = found["saturation"];
    ASSERT_TRUE(load["uncertainty"].is_number()) << found;
    EXPECT_LE(load["low"].get<double>(), n.bound + load["uncertainty"].get<double>()) << n.topology << found;
    EXPECT_LE(load["uncertainty"].get<double>(), 0.25 * n.bound) << n.topology << found;
    EXPECT_GE(load["high"].get<double>(), 0.6 * n.bound) << n.topology << found;
  }
}

/// In runs of 200,000 cycles, the network carries 0.975 and does not carry 0.98. Nodes create a packet in nearly every
/// cycle, so the offered load hardly varies.
TEST_F(cli_search, uncertainty_includes_variation_of_accepted_load) {
  write("net.yaml",
        "network: {topology: {shape: [3, 3]}}\nnic: {ports: 2}\nworkload: {length: 1}\n"
        "simulation: {level: engine, warmup: 1000, measure: 5000}\n");
  for (const char* const seed : {"1", "3", "5"}) {
    ASSERT_EQ(weft({"saturation", "net.yaml", "-q", "--seed", seed}).status, 0);
    const json found = json::parse(read("results/net.saturation.json"))["searches"][0];
    ASSERT_EQ(found["outcome"], "found") << found;
    const json& load = found["saturation"];
    ASSERT_TRUE(load["uncertainty"].is_number()) << found;
    EXPECT_LE(load["low"].get<double>(), 0.98 + load["uncertainty"].get<double>()) << found;
    EXPECT_GE(load["high"].get<double>(), 0.975 - load["uncertainty"].get<double>()) << found;
    EXPECT_LE(load["uncertainty"].get<double>(), 0.03) << found;
  }
}

TEST_F(cli_search, interrupted_search_reports_no_bounds) {
  const command_result r =
      weft({"saturation", "run.yaml", "-q", "--set", "simulation.measure=1000000000"}, [&](pid_t process) {
        await_files(process, "results");
        await_handled(process, SIGTERM);
        kill(process, SIGTERM);
      });
  EXPECT_EQ(r.status, 128 + SIGTERM);
  EXPECT_EQ(read("results/run.saturation.csv"),
            "saturation_low,saturation_high,saturation_uncertainty,accepted_most,loads,outcome,error\n"
            ",,,,0,interrupted,\n");
}

TEST_F(cli_search, error_names_damaged_store) {
  EXPECT_EQ(weft({"sweep", "run.yaml", "-q", "--over", "network.router.vcs=1"}).status, 0);
  std::string store = read("results/points.sqlite");
  const std::string header = "name,seed,outcome";
  ASSERT_NE(store.find(header), std::string::npos);
  store[store.find(header)] = '"';
  write("results/points.sqlite", store);
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"sweep", "run.yaml", "--over", "network.router.vcs=1"},
                                             {"export", "results/points.sqlite"},
                                             {"plot", "latency-load", "results/points.sqlite", "-o", "x.svg"}}) {
    const command_result r = weft(call);
    EXPECT_EQ(r.status, 2) << call[0];
    EXPECT_THAT(r.err, HasSubstr("results/points.sqlite is damaged: wrong checksum of point ")) << call[0];
  }
}

TEST_F(cli_search, check_command_rejects_invalid_sweep_sections) {
  const auto checked = [&](const std::string& sweep) {
    write("sweep.yaml", "network: {topology: {shape: [4, 4]}}\nsweep: " + sweep + "\n");
    return weft({"check", "sweep.yaml"});
  };
  EXPECT_EQ(checked("{over: {network.router.vcs: [1, 2]}}").out, "sweep.yaml: good\n");
  EXPECT_EQ(checked("{over: {workload.injection.load: 0.1:x:0.1}}").status, 2);
  EXPECT_EQ(checked("{samples: 5}").status, 2);
  const command_result none = checked("{over: {network.router.vcs: [99]}}");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("expected an integer from 1 to 16, got '99'"));
  const command_result some = checked("{over: {network.router.vcs: [1, 99]}}");
  EXPECT_EQ(some.status, 0);
  EXPECT_THAT(some.out, HasSubstr("good; 1 of 2 points of the sweep are infeasible: "));
}

TEST_F(cli_search, rejects_key_swept_twice) {
  const command_result r =
      weft({"sweep", "run.yaml", "--over", "network.router.vcs=1,2", "--linked", "network.router.vcs=3,4"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("--linked network.router.vcs: error: is swept twice"));
}

TEST_F(cli_search, rejects_paths_that_are_not_stores) {
  EXPECT_EQ(weft({"export", "run.yaml"}).status, 2);
  EXPECT_EQ(weft({"export", "."}).status, 2);
  EXPECT_EQ(weft({"export", "none.sqlite"}).status, 2);
  const command_result r = weft({"sweep", "run.yaml", "--over", "network.router.vcs=1", "--store", "."});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("--store .: error: is a directory; expected a file"));
}

TEST_F(cli_search, rejects_a_file_that_is_not_a_store_and_keeps_it) {
  const std::string notes = "not a database, and long enough that SQLite looks at it: " + std::string(200, 'x');
  write("notes.txt", notes);
  for (const char* command : {"sweep", "saturation", "curve"}) {
    const command_result r = weft({command, "run.yaml", "--over", "network.router.vcs=1", "--store", "notes.txt"});
    EXPECT_EQ(r.status, 2) << command;
    EXPECT_THAT(r.err, HasSubstr("--store notes.txt: error: ")) << command;
    EXPECT_THAT(r.err, HasSubstr("not a database; name another file with --store")) << command;
    EXPECT_EQ(read("notes.txt"), notes) << command;
  }
}

TEST_F(cli_search, rejects_a_ring_with_a_two_dimensional_shape) {
  const command_result r = weft({"check", "run.yaml", "--set", "network.topology.kind=ring"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("shape [4, 4] has 2 sides; a ring has one, such as [8], and a torus more"));
}

}  // namespace
}  // namespace weft::cli
