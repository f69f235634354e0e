// SPDX-License-Identifier: Apache-2.0
/// Results as configurations, configurations with includes, and the difference of two results.
#include "cli/command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class cli_configuration : public command_test {
 protected:
  cli_configuration() {
    write("configurations/small.yaml",
          "network: {topology: {shape: [3, 3]}}\n"
          "workload: {injection: 0.1, length: 3}\n"
          "simulation: {warmup: 100, measure: 1000, level: engine}\n");
  }

  json configuration_of(const std::string& file) {
    EXPECT_EQ(weft({"run", file, "-q", "--set", "output.name=it"}).status, 0) << file;
    return json::parse(read("results/it.json"))["configuration"];
  }
};

TEST_F(cli_configuration, rerunning_a_result_reproduces_it) {
  EXPECT_EQ(weft({"run", "configurations/small.yaml", "-q", "--seed", "7", "--set", "output.answers=true"}).status, 0);
  const std::string result = read("results/small.json"), answers = read("results/small.answers");
  write("kept/renamed.json", result);
  for (const char* const file : {"results/small.json", "kept/renamed.json"}) {
    const command_result r = weft({"run", file, "-q", "-o", "again"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.err, "");
    EXPECT_EQ(read("again/small.json"), result);
    EXPECT_EQ(read("again/small.answers"), answers);
  }
  EXPECT_EQ(weft({"run", "results/small.json", "-q"}).status, 0);  // overwrites itself
  EXPECT_EQ(read("results/small.json"), result);
  EXPECT_THAT(weft({"topology", "results/small.json"}).out, HasSubstr("small: 3x3 mesh"));
  EXPECT_EQ(weft({"run", "results/small.json", "-q", "-o", "again", "--seed", "8"}).status, 0);
  EXPECT_NE(read("again/small.json"), result);
}

TEST_F(cli_configuration, result_gives_paths_relative_to_its_own_directory) {
  write("configurations/data/list.txt", "0 0 0 5 3\n");
  write("configurations/list.yaml", "workload: {packet_list: data/list.txt}\nsimulation: {level: engine}\n");
  EXPECT_EQ(weft({"run", "configurations/list.yaml", "-q", "-o", "deep/er"}).status, 0);
  const std::string result = read("deep/er/list.json");
  EXPECT_EQ(json::parse(result)["configuration"]["workload"]["packet_list"], "../../configurations/data/list.txt");
  EXPECT_EQ(weft({"run", "deep/er/list.json", "-q", "-o", (m_directory / "deep/er").string()}).status, 0);
  EXPECT_EQ(read("deep/er/list.json"), result);
}

TEST_F(cli_configuration, rerunning_a_collective_reproduces_its_result) {
  if (lacks("collective")) GTEST_SKIP() << "weft collective was left out of this build";
  write("tree.yaml", "network: {topology: {shape: [3, 3]}}\ncollective: tree\nsimulation: {level: engine}\n");
  EXPECT_EQ(weft({"collective", "tree.yaml", "-q"}).status, 0);
  const std::string result = read("results/tree.json");
  EXPECT_EQ(weft({"collective", "results/tree.json", "-q"}).status, 0);
  EXPECT_EQ(read("results/tree.json"), result);
  EXPECT_THAT(weft({"run", "results/tree.json"}).err, HasSubstr("simulate it with `weft collective`"));
}

TEST_F(cli_configuration, rerunning_a_result_of_another_version_reports_both_versions) {
  EXPECT_EQ(weft({"run", "configurations/small.yaml", "-q"}).status, 0);
  json result = json::parse(read("results/small.json"));
  result["weft"] = "0.0.1";
  write("old.json", result.dump());
  EXPECT_THAT(weft({"run", "old.json", "-q"}).err,
              HasSubstr("weft: old.json is a result of weft 0.0.1, but this is weft "));
}

TEST_F(cli_configuration, including_file_overrides_included_file) {
  write("base/net.yaml", "network: {topology: {kind: torus, shape: [4, 4]}, router: {vcs: 6, depth: 5}}\n");
  write("base/traffic.yaml", "include: net.yaml\nworkload: {packet_list: list.txt}\n");
  write("base/list.txt", "0 0 0 5 3\n");
  write("main.yaml", "network: {router: {vcs: 8}}\ninclude: [base/traffic.yaml]\nsimulation: {level: engine}\n");
  const json c = configuration_of("main.yaml");
  EXPECT_EQ(c["network"]["topology"]["kind"], "torus");
  EXPECT_EQ(c["network"]["router"]["vcs"], 8);
  EXPECT_EQ(c["network"]["router"]["depth"], 5);
  EXPECT_EQ(c["workload"]["packet_list"], "../base/list.txt");
  EXPECT_FALSE(c.contains("include"));
}

TEST_F(cli_configuration, later_include_overrides_earlier_one) {
  write("a.yaml", "network: {topology: {shape: [3, 3]}, router: {vcs: 2, depth: 3}}\n");
  write("b.yaml", "network: {router: {vcs: 5}}\n");
  write("main.yaml", "include: [a.yaml, b.yaml]\nsimulation: {level: engine, warmup: 10, measure: 10}\n");
  const json router = configuration_of("main.yaml")["network"]["router"];
  EXPECT_EQ(router["vcs"], 5);
  EXPECT_EQ(router["depth"], 3);
}

/// Each file includes the next one twice. Without a cache, the innermost file would be read 2^40 times.
TEST_F(cli_configuration, file_included_many_times_is_read_once) {
  constexpr unsigned Levels = 40;
  for (unsigned i = 0; i < Levels; ++i)
    write(fmt::format("level{}.yaml", i), fmt::format("include: [level{0}.yaml, level{0}.yaml]\n", i + 1));
  write(fmt::format("level{}.yaml", Levels), "network: {router: {vcs: 5}}\n");
  write("main.yaml", "include: [level0.yaml, level7.yaml]\nsimulation: {level: engine, warmup: 10, measure: 10}\n");
  EXPECT_EQ(configuration_of("main.yaml")["network"]["router"]["vcs"], 5);
}

/// The result is the same as if the file were read again in each place.
TEST_F(cli_configuration, file_included_twice_takes_effect_at_the_last_include) {
  write("common.yaml", "network: {router: {vcs: 2}}\n");
  write("a.yaml", "include: common.yaml\nnetwork: {router: {vcs: 3, depth: 3}}\n");
  write("b.yaml", "include: common.yaml\nnetwork: {router: {pipeline: 5}}\n");
  const auto router_of = [this](const std::string& includes) {
    write("main.yaml", "include: " + includes + "\nsimulation: {level: engine, warmup: 10, measure: 10}\n");
    const json router = configuration_of("main.yaml")["network"]["router"];
    return fmt::format("{} {} {}", router["vcs"].get<int>(), router["depth"].get<int>(), router["pipeline"].get<int>());
  };
  EXPECT_EQ(router_of("[a.yaml, b.yaml]"), "2 3 5");
  EXPECT_EQ(router_of("[b.yaml, a.yaml]"), "3 3 5");
  EXPECT_EQ(router_of("[a.yaml, b.yaml, a.yaml]"), "3 3 5");
  EXPECT_EQ(router_of("[a.yaml, b.yaml, d/../common.yaml]"), "2 3 5");
}

TEST_F(cli_configuration, includes_nest_at_most_100_deep) {
  const auto chain = [this](unsigned files) {
    for (unsigned i = 1; i < files; ++i) write(fmt::format("c{}.yaml", i), fmt::format("include: c{}.yaml\n", i + 1));
    write(fmt::format("c{}.yaml", files), "network: {router: {vcs: 5}}\n");
    write("main.yaml", "include: c1.yaml\n");
    return weft({"check", "main.yaml"}).err;
  };
  EXPECT_EQ(chain(100), "");
  EXPECT_EQ(chain(101), "c100.yaml:1:10: error: include: files are nested more than 100 deep; nest them less\n");
}

TEST_F(cli_configuration, error_for_including_another_kind_of_file_names_that_kind) {
  write("net.yaml", "format: weft-topology-1\nrouters: [a, b]\nlinks: [{between: [a, b]}]\nnodes: [a, b]\n");
  write("mesh_config", "topology = mesh;\nk = 8;\n");
  write("main.yaml", "include: [net.yaml, mesh_config]\n");
  const std::string network =
      "is a network (weft-topology-1); to simulate this network, set network: {topology: {kind: file, file: NAME}} in "
      "a configuration\n";
  EXPECT_EQ(weft({"check", "main.yaml"}).err,
            "main.yaml:1:11: error: include: net.yaml " + network +
                "main.yaml:1:21: error: include: mesh_config is a configuration of BookSim2; expected a configuration, "
                "in YAML; `weft import` converts it\n");
  EXPECT_EQ(weft({"run", "net.yaml"}).err, "net.yaml: error: " + network);
  EXPECT_EQ(weft({"run", "net.yaml"}).status, 2);
}

TEST_F(cli_configuration, a_result_file_may_be_included) {
  write("configurations/list.txt", "0 200 0 5 3\n");
  EXPECT_EQ(weft({"run", "configurations/small.yaml", "-q", "-o", "kept", "--set",
                  "workload.packet_list=configurations/list.txt"})
                .status,
            0);
  write("variant.yaml", "include: kept/small.json\nnetwork: {router: {vcs: 2}}\n");
  const json c = configuration_of("variant.yaml");
  EXPECT_EQ(c["network"]["topology"]["shape"], json({3, 3}));
  EXPECT_EQ(c["network"]["router"]["vcs"], 2);
  EXPECT_EQ(c["workload"]["packet_list"], "../configurations/list.txt");
}

TEST_F(cli_configuration, rejects_keys_without_effect_unless_they_are_included) {
  write("base.yaml", "workload: {pattern: {kind: hotspot, hotspots: [1], share: 0.5}}\n");
  write("main.yaml", "include: base.yaml\nworkload: {pattern: {kind: transpose}}\n");
  EXPECT_EQ(weft({"check", "main.yaml"}).err, "");
  write("main.yaml", "include: base.yaml\nworkload: {pattern: {kind: transpose, hotspots: [2]}}\n");
  EXPECT_EQ(weft({"check", "main.yaml"}).err,
            "main.yaml:2:49: error: workload.pattern.hotspots has no effect unless workload.pattern.kind is hotspot\n");
}

TEST_F(cli_configuration, error_in_an_included_file_gives_its_location) {
  write("deep/base.yaml", "network:\n  router: {vcs: 99}\n");
  write("main.yaml", "include: deep/base.yaml\nsimulation: {sed: 1}\n");
  EXPECT_EQ(weft({"check", "main.yaml"}).err,
            "deep/base.yaml:2:17: error: network.router.vcs: expected an integer from 1 to 16, got '99'\n"
            "main.yaml:2:14: error: unknown key 'sed' in simulation; did you mean 'seed'?\n");
  write("main.yaml", "include: [none.yaml, {a: b}, deep]\n");
  EXPECT_EQ(weft({"check", "main.yaml"}).err,
            "main.yaml:1:11: error: include: none.yaml cannot be opened: No such file or directory\n"
            "main.yaml:1:22: error: include: expected a file or a list of files, got a map\n"
            "main.yaml:1:30: error: include: deep is a directory\n");
  write("deep/base.yaml", "network: [\n");
  write("main.yaml", "include: deep/base.yaml\n");
  EXPECT_THAT(weft({"check", "main.yaml"}).err, HasSubstr("deep/base.yaml:2:1: error: YAML syntax: "));
}

TEST_F(cli_configuration, error_for_circular_include_shows_the_chain) {
  write("a.yaml", "include: d/b.yaml\n");
  write("d/b.yaml", "simulation: {seed: 1}\ninclude: [../c.yaml]\n");
  write("c.yaml", "include: d/../a.yaml\n");
  EXPECT_EQ(
      weft({"check", "a.yaml"}).err,
      "c.yaml:1:10: error: include: files include each other in a cycle, a.yaml -> d/b.yaml -> c.yaml -> a.yaml\n");
  write("self.yaml", "include: self.yaml\n");
  EXPECT_EQ(weft({"check", "self.yaml"}).err,
            "self.yaml:1:10: error: include: files include each other in a cycle, self.yaml -> self.yaml\n");
}

TEST_F(cli_configuration, setting_the_topology_by_name_keeps_the_shape_of_the_file) {
  write("a.yaml", "network: {topology: torus}\nsimulation: {level: engine, warmup: 10, measure: 10}\n");
  EXPECT_THAT(weft({"topology", "a.yaml"}).out, HasSubstr("a: 8x8 torus"));
  EXPECT_THAT(weft({"topology", "configurations/small.yaml", "--set", "network.topology=torus"}).out,
              HasSubstr("small: 3x3 torus"));
}

TEST_F(cli_configuration, same_seed_gives_same_random_network) {
  write("random.yaml", "network: {topology: {kind: random, routers: 16, degree: 3}}\n");
  const auto network = [this](const char* seed) {
    return weft({"topology", "random.yaml", "--json", "-", "--seed", seed}).out;
  };
  EXPECT_EQ(network("1"), network("1"));
  EXPECT_EQ(weft({"check", "random.yaml", "--seed", "2"}).status, 0);
  EXPECT_EQ(weft({"check", "random.yaml", "--seed", "x"}).status, 2);
}

class cli_diff : public cli_configuration {
 protected:
  void run(const std::string& name, const std::vector<std::string>& settings) {
    std::vector<std::string> arguments = {"run", "configurations/small.yaml", "-q", "--set", "output.name=" + name};
    for (const std::string& one : settings) arguments.insert(arguments.end(), {"--set", one});
    EXPECT_EQ(weft(arguments).status, 0);
  }
};

TEST_F(cli_diff, finds_no_difference_between_repeated_runs) {
  run("a", {});
  run("b", {});
  const command_result r = weft({"diff", "results/a.json", "results/b.json"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out, "A: results/a.json\nB: results/b.json\n\n  the same: all keys and all statistics\n");
}

TEST_F(cli_diff, lists_changed_keys_and_marks_statistics_beyond_noise) {
  run("a", {"simulation.measure=20000"});
  run("b", {"simulation.measure=20000", "network.router.pipeline=9", "simulation.seed=2"});
  const command_result r = weft({"diff", "results/a.json", "results/b.json", "--json", "d.json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("  network.router.pipeline  4  9\n  simulation.seed          1  2\n"));
  EXPECT_THAT(r.out, HasSubstr("beyond noise"));
  const json d = json::parse(read("d.json"));
  EXPECT_THAT(d["keys"], ElementsAre(json({{"key", "network.router.pipeline"}, {"a", 4}, {"b", 9}}),
                                     json({{"key", "simulation.seed"}, {"a", 1}, {"b", 2}})));
  const auto statistic = [&d](const std::string& name) {
    for (const json& one : d["statistics"])
      if (one["name"] == name) return one;
    return json();
  };
  const json latency = statistic("latency.packet.mean"), offered = statistic("throughput.offered.mean");
  EXPECT_EQ(latency["beyond_noise"], true);  // five more cycles per router
  EXPECT_EQ(latency["unit"], "cycles");
  EXPECT_GT(latency["change"], 10);
  EXPECT_EQ(offered["beyond_noise"], false);  // another seed of the same traffic
  EXPECT_EQ(statistic("latency.packet.max")["beyond_noise"], json());
  EXPECT_GT(statistic("channels")["elements_that_differ"], 10);
  EXPECT_EQ(weft({"diff", "results/a.json", "results/b.json", "--json", "-"}).out, read("d.json"));
  EXPECT_EQ(weft({"diff", "results/a.json", "results/b.json", "-q"}).out, "");
}

}  // namespace
}  // namespace weft::cli
