// SPDX-License-Identifier: Apache-2.0
/// `weft explore`: its results, its store, and the answers of `--why`.
#include "cli/sweep_case.h"
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

#ifdef WEFT_PAGMO
#define WEFT_METHOD "nsga2"
#else
#define WEFT_METHOD "random"
#endif

/// 36 designs of a small mesh.
constexpr const char* Designs =
    "network: {topology: {shape: [3, 3]}}\n"
    "workload: {injection: {load: 0.2}, length: 4}\n"
    "simulation: {level: engine, warmup: 100, measure: 400}\n"
    "output: {energy: asap7}\n"
    "sweep:\n"
    "  over: {network.router.vcs: [1, 2, 4], network.router.depth: [2, 4, 6, 8], network.router.pipeline: [3, 4, 5]}\n"
    "explore: {minimize: [latency_mean, area], budget: 14, population: 8, method: " WEFT_METHOD "}\n";

class cli_explore : public cli_sweep {
 protected:
  cli_explore() { write("designs.yaml", Designs); }

  command_result explore(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"explore", "designs.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return weft(arguments);
  }

  json result(const std::string& directory = "results") {
    return json::parse(read(directory + "/designs.explore.json"));
  }

  /// The designs on the front, as text.
  std::set<std::string> front(const std::string& directory = "results") {
    std::set<std::string> settings;
    const json found = result(directory);
    for (const json& member : found.at("front")) settings.insert(member.at("settings").dump());
    return settings;
  }
};

TEST_F(cli_explore, has_the_same_result_for_any_number_of_workers) {
  ASSERT_EQ(explore({"-q", "-j", "1", "-o", "one"}).status, 0);
  ASSERT_EQ(explore({"-q", "-j", "3", "-o", "three"}).status, 0);
  EXPECT_EQ(read("one/designs.explore.csv"), read("three/designs.explore.csv"));
  EXPECT_EQ(read("one/designs.explore.json"), read("three/designs.explore.json"));
  EXPECT_FALSE(front("one").empty());
  EXPECT_LE(result("one").at("spent").get<double>(), 14);
}

TEST_F(cli_explore, continues_after_an_interrupt_as_if_there_had_been_none) {
  const std::vector<std::string> longer{"-q", "-j", "1", "--set", "simulation.measure=8000", "-o"};
  const auto in = [&longer](const std::string& directory) {
    std::vector<std::string> all = longer;
    all.push_back(directory);
    return all;
  };
  ASSERT_EQ(explore(in("whole")).status, 0);
  std::vector<std::string> arguments{"explore", "designs.yaml"};
  const std::vector<std::string> more = in("parts");
  arguments.insert(arguments.end(), more.begin(), more.end());
  for (const int later : {20, 100, 200}) {
    const command_result r = weft(arguments, [&](pid_t process) {
      await_files(process, "parts");
      await_handled(process, SIGINT);
      std::this_thread::sleep_for(std::chrono::milliseconds(later));
      kill(process, SIGINT);
    });
    if (r.status == 0) break;  // it ended before the signal
    ASSERT_EQ(r.status, 130) << r.err;
    EXPECT_THAT(r.err, HasSubstr("run the same command again to continue"));
  }
  ASSERT_EQ(weft(arguments).status, 0);
  EXPECT_EQ(read("whole/designs.explore.csv"), read("parts/designs.explore.csv"));
  EXPECT_EQ(read("whole/designs.explore.json"), read("parts/designs.explore.json"));
}

TEST_F(cli_explore, finds_the_front_of_the_whole_sweep_if_the_budget_allows) {
  ASSERT_EQ(weft({"sweep", "designs.yaml", "-q"}).status, 0);
  const std::size_t points = stored().size();
  EXPECT_EQ(points, 36u);
  ASSERT_EQ(explore({"-q", "--set", "explore.budget=36", "--set", "explore.shorter=1"}).status, 0);
  EXPECT_EQ(stored().size(), points);  // every run was stored
  const json with_bounds = result();
  const std::set<std::string> found = front();
  EXPECT_GT(with_bounds.at("designs").at("excluded"), 0);
  ASSERT_EQ(explore({"-q", "--set", "explore.budget=36", "--set", "explore.shorter=1", "--set", "explore.bounds=false",
                     "--set", "explore.method=random"})
                .status,
            0);
  EXPECT_EQ(result().at("designs").at("measured"), 36);
  EXPECT_EQ(front(), found);
}

TEST_F(cli_explore, explains_why_a_design_is_not_on_the_front) {
  const command_result worse = explore(
      {"--why", "network.router.vcs=4", "--why", "network.router.depth=8", "--why", "network.router.pipeline=5"});
  EXPECT_EQ(worse.status, 0);
  EXPECT_THAT(worse.out, HasSubstr("Why not "));
  EXPECT_THAT(worse.out, HasSubstr(" better, for example\n    vcs="));
  EXPECT_THAT(worse.out, HasSubstr("\n    latency_mean "));
  EXPECT_THAT(worse.out, HasSubstr("% less)"));
  const json why = result().at("why");
  EXPECT_EQ(why.at("on_front"), false);
  EXPECT_FALSE(why.at("dominated_by").empty());
  const command_result violates =
      explore({"--set", "explore.constraints=[area <= 0.08]", "--why", "network.router.vcs=4", "--why",
               "network.router.depth=8", "--why", "network.router.pipeline=5"});
  EXPECT_THAT(violates.out, HasSubstr("It cannot be on the front: area 0."));
  const json member = result().at("front").at(0).at("settings");
  std::vector<std::string> arguments{"--set", "explore.constraints=[area <= 0.08]"};
  for (const auto& [key, value] : member.items())
    arguments.insert(arguments.end(), {"--why", key + "=" + value.get<std::string>()});
  EXPECT_THAT(explore(arguments).out, HasSubstr("It is on the front."));
}

TEST_F(cli_explore, reports_that_no_design_keeps_the_constraints) {
  const command_result r = explore({"-q", "--set", "explore.constraints=[latency_mean <= 1]"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err,
              HasSubstr("weft: no measured design keeps the constraints; loosen them, or raise explore.budget\n"));
  EXPECT_THAT(r.err, HasSubstr("latency_mean "));
  EXPECT_EQ(result().at("front"), json::array());
}

TEST_F(cli_explore, reports_the_reasons_if_no_design_is_feasible) {
  const command_result r = explore({"-q", "--over", "network.router.vcs=17,18"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("expected an integer from 1 to 16, got '17'"));
}

TEST_F(cli_explore, measures_saturation_loads) {
  const command_result r =
      explore({"--set",
               "explore={minimize: [area], maximize: [saturation], constraints: [saturation >= 0.2], budget: "
               "150, shorter: 1, saturation_width: 0.05}",
               "--set", "explore.method=random", "--over", "network.router.pipeline=4"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("saturation"));
  const json found = result();
  ASSERT_FALSE(found.at("front").empty());
  for (const json& member : found.at("front"))
    EXPECT_GE(member.at("statistics").at("saturation").at("value").get<double>(), 0.2);
  EXPECT_LE(found.at("spent").get<double>(), 160);
}

TEST_F(cli_explore, starts_no_search_for_a_saturation_load_beyond_the_budget) {
  const std::vector<std::string> goals{"--set", "explore.minimize=[area]", "--set", "explore.maximize=[saturation]"};
  const auto with_budget = [&](const std::string& budget) {
    std::vector<std::string> all = goals;
    all.insert(all.end(), {"-q", "--set", "explore.budget=" + budget});
    return explore(all);
  };
  const command_result none = with_budget("1");
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.err, "weft: no design was simulated at full length; raise explore.budget, to 12 or more\n");
  EXPECT_EQ(result().at("spent"), 0);
  for (const double budget : {12., 40.}) {
    EXPECT_EQ(with_budget(std::to_string(static_cast<int>(budget))).status, 0);
    EXPECT_LE(result().at("spent").get<double>(), budget);
    EXPECT_GE(result().at("designs").at("measured"), 1);
  }
}

TEST_F(cli_explore, ends_at_once_if_no_run_has_the_statistic) {
  for (const std::string statistic : {"makespan", "round_trip_mean"}) {
    const command_result r = explore({"-q", "--set", "explore.minimize=[" + statistic + "]"});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr("error: explore.minimize: '" + statistic + "': the runs of "));
  }
}

TEST_F(cli_explore, reports_that_no_run_can_be_used) {
  const command_result r = explore({"-q", "--set", "simulation.measure=1"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("weft: no design has a run whose values can be used; "));
  EXPECT_THAT(r.err, HasSubstr(": nothing_measured: "));
}

TEST_F(cli_explore, has_a_design_with_a_fixed_value) {
  const command_result r = explore({"--over", "network.router.vcs=4", "--set", "explore.budget=60"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr(" of 12 designs are on the front\n"));
  EXPECT_THAT(r.out, HasSubstr(" excluded without simulation, 0 unmeasured, 0 simulated only shortly, "));
}

TEST_F(cli_explore, repeats_the_front_for_its_confidence) {
  ASSERT_EQ(explore({"-q", "--replicates", "3", "--set", "explore.minimize=[latency_mean, energy_per_bit]", "--set",
                     "explore.budget=40"})
                .status,
            0);
  std::size_t known = 0;
  const json found = result();
  for (const json& member : found.at("front"))
    known += member.at("statistics").at("energy_per_bit").at("half_width").is_null() ? 0 : 1;
  EXPECT_GT(known, 0u);
}

TEST_F(cli_explore, writes_a_table_that_plot_draws) {
  ASSERT_EQ(explore({"-q"}).status, 0);
  const command_result r =
      weft({"plot", "pareto", "results/designs.explore.csv", "--x", "area", "--y", "latency_mean", "-o", "front.svg"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(read("results/designs.explore.svg"), HasSubstr("<svg"));
}

TEST_F(cli_explore, is_a_section_of_the_report) {
  ASSERT_EQ(explore({"-q"}).status, 0);
  const command_result r = weft({"report", "results"});
  EXPECT_EQ(r.status, 0) << r.err;
  const std::string page = read("results/report.html");
  EXPECT_THAT(page, HasSubstr("<h2 id=\"search-1\">Search designs</h2>"));
  EXPECT_THAT(page, HasSubstr("latency_mean, cycles"));
  EXPECT_THAT(page, HasSubstr("id=\"search-1-front\""));
}

}  // namespace
}  // namespace weft::cli
