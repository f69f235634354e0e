// SPDX-License-Identifier: Apache-2.0
/// Pictures of stored results, of whole stores and of selected points.
#include "cli/stored_results.h"
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class cli_plot_choice : public stored_results_test {};

// The store has 4 loads with 2 numbers of VCs.
TEST_F(cli_plot_choice, draws_every_point_of_a_store) {
  for (const char* const kind : {"percentiles", "histogram", "sources", "accepted-time", "latency-time"}) {
    const std::string svg = drawn({kind, "results/points.sqlite"});
    for (const char* const load : {"0.05", "0.2", "0.35"})
      for (const char* const vcs : {"1", "4"})
        EXPECT_THAT(svg, HasSubstr(">vcs = " + std::string(vcs) + ", load = " + load)) << kind;
  }
}

TEST_F(cli_plot_choice, sorts_points_of_a_store_by_key) {
  const std::string svg = drawn({"percentiles", "results/points.sqlite"});
  std::size_t last = 0;
  for (const char* const vcs : {"1", "4"})
    for (const char* const load : {"0.05", "0.2", "0.35", "0.95"}) {
      const std::size_t at = svg.find(">vcs = " + std::string(vcs) + ", load = " + load);
      EXPECT_GT(at, last) << vcs << " " << load;
      last = at;
    }
}

TEST_F(cli_plot_choice, plot_of_a_stored_point_equals_the_plot_of_its_run) {
  EXPECT_EQ(weft({"run", "low.yaml", "-q", "--set", "output.name=load", "--set", "workload.injection.load=0.2", "--set",
                  "network.router.vcs=4"})
                .status,
            0);
  for (const char* const kind : {"network", "matrix", "matrix-latency", "histogram", "accepted-time"})
    EXPECT_EQ(drawn({kind, "results/points.sqlite", "--where", "network.router.vcs=4", "--where",
                     "workload.injection.load=0.2"}),
              drawn({kind, "results/load.json"}))
        << kind;
}

TEST_F(cli_plot_choice, where_option_selects_from_stores_sweeps_and_results) {
  for (const char* const results : {"results/points.sqlite", "results/load.sweep.csv"}) {
    EXPECT_THAT(drawn({"latency-load", results, "--where", "network.router.vcs=1,4"}),
                AllOf(HasSubstr(">vcs = 1<"), HasSubstr(">vcs = 4<")))
        << results;
    EXPECT_THAT(drawn({"breakdown", results, "--where", "network.router.vcs=4", "--where",
                       "workload.injection.load=0.05:0.35:0.15", "--where", "outcome=complete"}),
                AllOf(HasSubstr("0.05<"), HasSubstr("0.35<"), Not(HasSubstr("vcs")), Not(HasSubstr("0.95"))))
        << results;
  }
  EXPECT_EQ(drawn({"network", "results/low.json", "results/high.json", "--where", "workload.injection.load=0.30"}),
            drawn({"network", "results/high.json"}));
  EXPECT_EQ(drawn({"steps", "results", "--where", "collective.algorithm=tree"}), drawn({"steps", "results/tree.json"}));
}

TEST_F(cli_plot_choice, error_for_wrong_choice_lists_alternatives) {
  rejects({"network", "results/points.sqlite"},
          "plot network: error: draws one result, got 8; select with --where from network.router.vcs=1,4 and "
          "workload.injection.load=0.05,0.2,0.35,0.95\n");
  rejects({"percentiles", "results/points.sqlite", "--where", "network.router.vc=4"},
          "--where network.router.vc: error: the results have no such key or column; did you mean "
          "'network.router.vcs'?");
  rejects({"percentiles", "results/points.sqlite", "--where", "colour=4"},
          "no such key or column; they differ in network.router.vcs=1,4 and workload.injection.load=");
  rejects({"latency-load", "results/load.sweep.csv", "--where", "network.router.vcs=4,5"},
          "--where network.router.vcs=5: error: no result has this value, expected one of 1, 4");
  rejects({"latency-load", "results/load.sweep.csv", "--where", "network.router.vcs"},
          "--where network.router.vcs: error: expected KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP");
  rejects({"network", "results/low.json", "results/high.json", "--where", "workload.injection.load=0.1", "--where",
           "name=high"},
          "--where workload.injection.load=0.1 --where name=high: error: no result matches all of these options");
}

TEST_F(cli_plot_choice, error_names_the_point_that_lacks_the_data) {
  EXPECT_EQ(weft({"sweep", "low.yaml", "-q", "-o", "plain", "--set", "output.interval=none", "--over",
                  "network.router.vcs=1,4"})
                .status,
            0);
  rejects({"accepted-time", "plain"}, "plain/points.sqlite, vcs = 1: error: has no time_series; set output.interval");
}

TEST_F(cli_plot_choice, rejects_more_than_28_series) {
  EXPECT_EQ(weft({"sweep", "low.yaml", "-q", "-o", "many", "--set", "simulation.measure=200", "--over",
                  "simulation.seed=1:29:1"})
                .status,
            0);
  rejects({"percentiles", "many/points.sqlite"},
          "plot percentiles: error: draws at most 28 results, got 29; select with --where from "
          "simulation.seed=1,2,3,4,5,6,7,8,9,10,11,12,… 29 in all");
  EXPECT_THAT(drawn({"percentiles", "many/points.sqlite", "--where", "simulation.seed=1:28:1"}),
              HasSubstr(">seed = 28<"));
}

TEST_F(cli_plot_choice, reads_the_store_of_a_directory_that_has_no_json_results) {
  rejects({"percentiles", "results"}, "results/ring.json: error: has no latency.packet.percentiles; no packet was");
  EXPECT_THAT(drawn({"percentiles", "results", "--where", "outcome=complete"}), Not(HasSubstr("vcs = 4")));
  fs::create_directory(m_directory / "swept");
  for (const char* const file : {"points.sqlite", "load.sweep.csv"})
    fs::copy_file(m_directory / "results" / file, m_directory / "swept" / file);
  EXPECT_THAT(drawn({"percentiles", "swept"}), HasSubstr(">vcs = 4, load = 0.2<"));
}

TEST_F(cli_plot_choice, finds_topology_file_relative_to_the_store) {
  write("nets/two.yaml",
        "format: weft-topology-1\nrouters: [a, b]\nlinks: [{between: [a, b]}]\nnodes: [a, b]\n"
        "routing: {algorithm: up_down, root: a}\n");
  write("own.yaml",
        "network: {topology: {kind: file, file: nets/two.yaml}}\nworkload: {injection: 0.1}\n"
        "simulation: {level: engine, warmup: 100, measure: 500}\n");
  ASSERT_EQ(weft({"sweep", "own.yaml", "-q", "-o", "own", "--over", "network.router.vcs=1,2"}).status, 0);
  const std::string picture = drawn({"network", "own/points.sqlite", "--where", "network.router.vcs=2"});
  EXPECT_THAT(picture, HasSubstr("utilisation, flits/cycle"));
  fs::create_directory(m_directory / "other");
  fs::rename(m_directory / "own", m_directory / "other/own");
  const std::vector<std::string> there = {"network", "other/own/points.sqlite", "--where", "network.router.vcs=2"};
  rejects(there, "other/own/points.sqlite: error: has no topology file other/nets/two.yaml; copy the file there");
  fs::rename(m_directory / "nets", m_directory / "other/nets");
  EXPECT_EQ(drawn(there), picture);
}

TEST_F(cli_plot_choice, draws_ranks_of_a_replay) {
  EXPECT_EQ(weft({"replay", WEFT_SOURCE_DIR "/examples/message_list.yaml", "-q", "-o", "replayed"}).status, 0);
  EXPECT_THAT(drawn({"ranks", "replayed/message_list.json"}),
              AllOf(HasSubstr("waiting for messages"), HasSubstr(">rank 3<")));
  rejects({"ranks", "results/low.json"}, "plot ranks: error: draws one replay; expected NAME.json");
}

TEST_F(cli_plot_choice, draws_links_of_collectives_and_replays) {
  EXPECT_EQ(weft({"replay", WEFT_SOURCE_DIR "/examples/message_list.yaml", "-q", "-o", "replayed"}).status, 0);
  for (const char* const file : {"results/tree.json", "replayed/message_list.json"})
    EXPECT_THAT(drawn({"network", file}), HasSubstr("utilisation, flits/cycle")) << file;
  rejects({"curve", "replayed/message_list.json", "--x", "makespan", "--y", "flits"},
          "--x makespan: error: to plot collectives and replays, run a sweep and use `weft plot curve");
  EXPECT_EQ(weft({"sweep", "tree.yaml", "-q", "-o", "trees", "--over", "network.router.vcs=2,4"}).status, 0);
  EXPECT_THAT(drawn({"steps", "trees", "--where", "network.router.vcs=2"}), HasSubstr("step "));
}

}  // namespace
}  // namespace weft::cli
