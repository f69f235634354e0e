// SPDX-License-Identifier: Apache-2.0
/// Sweeps: their output files, and their distribution over processes and machines.
#include "cli/sweep_case.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST_F(cli_sweep, row_of_a_point_equals_its_single_run) {
  const command_result r = weft({"sweep", "small.yaml", "--over", "workload.injection.load=0.1,0.2", "-j", "2"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("  complete\n"));
  EXPECT_THAT(r.out, HasSubstr("  wrote results/small.sweep.csv\n"));
  const std::string table = read("results/small.sweep.csv");
  EXPECT_THAT(table, StartsWith("workload.injection.load,name,seed,outcome,"));
  for (const std::string load : {"0.1", "0.2"}) {
    EXPECT_EQ(weft({"run", "small.yaml", "-q", "--set", "workload.injection.load=" + load}).status, 0);
    const std::vector<std::string> csv = lines_of(read("results/small.csv"));
    EXPECT_THAT(table, HasSubstr("\n" + load + "," + csv.at(1) + ",\n"));
  }
}

TEST_F(cli_sweep, options_override_points_of_the_file) {
  write("points.yaml", read("small.yaml") +
                           "sweep:\n  over: {network.router.vcs: [1, 2]}\n"
                           "  linked: {workload.injection.load: [0.1, 0.2], network.router.depth: [4, 8]}\n");
  EXPECT_EQ(weft({"sweep", "points.yaml", "-q"}).status, 0);
  EXPECT_THAT(lines_of(read("results/points.sweep.csv")),
              ElementsAre(StartsWith("network.router.vcs,workload.injection.load,network.router.depth,name,"),
                          StartsWith("1,0.1,4,points,"), StartsWith("1,0.2,8,points,"), StartsWith("2,0.1,4,points,"),
                          StartsWith("2,0.2,8,points,")));
  EXPECT_EQ(weft({"sweep", "points.yaml", "-q", "--over", "network.router.vcs=4", "--replicates", "2"}).status, 0);
  EXPECT_THAT(lines_of(read("results/points.sweep.csv")), SizeIs(1 + 2 * 2));
  EXPECT_EQ(weft({"run", "points.yaml", "-q"}).status, 0);
}

TEST_F(cli_sweep, error_for_wrong_key_gives_its_location) {
  write("bad.yaml", "sweep:\n  over: {network.router.vc: [1, 2]}\n");
  for (const char* const command : {"sweep", "check"}) {
    const command_result r = weft({command, "bad.yaml"});
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.err,
              "bad.yaml:2:9 network.router.vc: error: unknown key 'vc' in network.router; did you mean 'vcs'?\n");
  }
}

TEST_F(cli_sweep, samples_points_at_random) {
  EXPECT_EQ(weft({"sweep", "small.yaml", "-q", "--sample", "workload.injection.load=0.05:0.2", "--sample",
                  "network.router.vcs=1,2,4", "--samples", "6"})
                .status,
            0);
  EXPECT_THAT(lines_of(read("results/small.sweep.csv")), SizeIs(7));
  const command_result r = weft({"sweep", "small.yaml", "--over", "network.router.vcs=1", "--samples", "6"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, StartsWith("--samples 6: error: sweep.samples has no effect without keys to sample"));
}

TEST_F(cli_sweep, records_infeasible_point_and_continues) {
  const command_result r = weft({"sweep", "small.yaml", "--over", "network.router.vcs=1,99,2"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.err, AllOf(HasSubstr("weft: 1 of 3 points are infeasible, the first at network.router.vcs=99: "),
                           HasSubstr("expected an integer from 1 to 16, got '99'")));
  const auto table = lines_of(read("results/small.sweep.csv"));
  ASSERT_THAT(table, SizeIs(4));
  EXPECT_THAT(table[2], AllOf(StartsWith("99,small,,infeasible,"), HasSubstr("expected an integer from 1 to 16")));
  EXPECT_THAT(stored(), SizeIs(3));
  EXPECT_THAT(weft({"export", "results/points.sqlite"}).out, HasSubstr(",infeasible,"));
}

TEST_F(cli_sweep, point_may_set_a_section_and_an_invalid_key_in_it) {
  const command_result r = weft({"sweep", "small.yaml", "-q", "--over", "network.topology={kind: mesh, shape: [4, 4]}",
                                 "--over", "network.topology.shape=[0],[3, 3]"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(lines_of(read("results/small.sweep.csv")), SizeIs(3));
  EXPECT_THAT(lines_of(weft({"export", "results/points.sqlite"}).out), SizeIs(3));
}

TEST_F(cli_sweep, deadlock_prone_network_is_an_infeasible_point) {
  const command_result r = weft({"sweep", "small.yaml", "--over", "network.topology.kind=mesh,torus", "--set",
                                 "network.router.vcs=1", "--set", "network.topology.shape=[5, 5]"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.err, HasSubstr("1 of 2 points are infeasible, the first at network.topology.kind=torus"));
}

TEST_F(cli_sweep, fails_without_any_feasible_point) {
  const command_result r = weft({"sweep", "small.yaml", "--over", "network.router.vcs=98,99"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, StartsWith("--over network.router.vcs=98: error: network.router.vcs: expected an integer"));
  EXPECT_EQ(r.out, "");
}

TEST_F(cli_sweep, runs_sweeps_of_collectives) {
  if (lacks("collective")) GTEST_SKIP() << "weft collective was left out of this build";
  write("tree.yaml",
        "network: {topology: {shape: [3, 3]}}\ncollective: {algorithm: tree}\nsimulation: {level: engine}\n");
  const command_result r = weft(
      {"sweep", "tree.yaml", "--over", "collective.algorithm=tree,ring,hierarchy", "--over", "collective.length=1,4"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("at least"));
  const auto table = lines_of(read("results/tree.sweep.csv"));
  ASSERT_THAT(table, SizeIs(7));
  EXPECT_THAT(table[1], StartsWith("tree,1,tree,"));
  EXPECT_THAT(table[5], AllOf(StartsWith("hierarchy,1,"), HasSubstr("infeasible")));  // without groups
}

TEST_F(cli_sweep, equal_points_with_different_names_run_once) {
  EXPECT_EQ(weft({"sweep", "small.yaml", "-q", "--over", "network.router.vcs=1,2,2", "-j", "1"}).status, 0);
  EXPECT_THAT(lines_of(read("results/small.sweep.csv")), SizeIs(4));
  EXPECT_THAT(stored(), SizeIs(2));
  write("same.yaml", read("small.yaml"));
  const command_result r =
      weft({"sweep", "same.yaml", "--set", "output.progress=always", "--over", "network.router.vcs=1,2,4"});
  EXPECT_THAT(r.err, HasSubstr("1 of 1 points"));
  EXPECT_THAT(stored(), SizeIs(3));
  EXPECT_THAT(read("results/same.sweep.csv"), HasSubstr("\n1,same,"));
}

TEST_F(cli_sweep, parts_share_one_store) {
  for (const char* const part : {"0/3", "1/3", "2/3"})
    EXPECT_EQ(weft({"sweep", "small.yaml", "-q", "--over", "simulation.seed=1:7:1", "--part", part}).status, 0);
  EXPECT_THAT(stored(), SizeIs(7));
  EXPECT_THAT(files_in("results"), ElementsAre("points.sqlite"));
  const command_result r =
      weft({"sweep", "small.yaml", "--over", "simulation.seed=1:7:1", "--set", "output.progress=always"});
  EXPECT_THAT(r.err, Not(HasSubstr("points")));  // none is left to run
  EXPECT_THAT(lines_of(read("results/small.sweep.csv")), SizeIs(8));
}

TEST_F(cli_sweep, export_has_all_keys_and_statistics) {
  EXPECT_EQ(weft({"sweep", "small.yaml", "-q", "--over", "network.router.vcs=1,2"}).status, 0);
  const command_result r = weft({"export", "results/points.sqlite", "--csv", "all.csv"});
  EXPECT_EQ(r.status, 0) << r.err;
  const auto table = lines_of(read("all.csv"));
  ASSERT_THAT(table, SizeIs(3));
  EXPECT_THAT(table[0], AllOf(StartsWith("id,weft,network.topology.kind,network.topology.shape,"),
                              HasSubstr(",network.router.vcs,"), HasSubstr(",latency_mean,"), HasSubstr(",error")));
  EXPECT_EQ(weft({"export", "none.sqlite"}).status, 2);
}

TEST_F(cli_sweep, export_aligns_columns_of_infeasible_points) {
  EXPECT_EQ(
      weft({"sweep", "small.yaml", "-q", "--over", "network.routing.allow_deadlock=true,false", "--over",
            "network.topology={kind: ring, shape: [6]},{kind: rings, shape: [6]}", "--over", "workload.injection=0.1"})
          .status,
      0);
  const auto table = lines_of(weft({"export", "results/points.sqlite"}).out);
  ASSERT_THAT(table, SizeIs(5));
  EXPECT_THAT(table[0], StartsWith("id,weft,network.topology.kind,network.topology.shape,"));
  EXPECT_THAT(table[0], AllOf(HasSubstr(",network.routing.allow_deadlock,"), HasSubstr(",workload.injection.load,"),
                              Not(HasSubstr(",workload.injection,"))));
  std::size_t infeasible = 0;
  for (std::size_t i = 1; i < table.size(); ++i) {
    EXPECT_THAT(table[i], AllOf(AnyOf(HasSubstr(",TRUE,"), HasSubstr(",FALSE,")), Not(HasSubstr(",true,")),
                                Not(HasSubstr(",false,"))));
    if (table[i].find("infeasible") == std::string::npos) continue;
    ++infeasible;
    EXPECT_THAT(table[i], AllOf(HasSubstr(",rings,[6],"), HasSubstr(",0.1,")));
  }
  EXPECT_EQ(infeasible, 2u);
}

TEST_F(cli_sweep, saturation_is_independent_of_job_count) {
  const std::vector<std::string> arguments{
      "saturation", "small.yaml", "-q", "--width", "0.05", "--over", "network.router.vcs=1,4"};
  std::set<std::string> tables;
  for (const char* const jobs : {"1", "3"}) {
    auto all = arguments;
    all.insert(all.end(), {"-j", jobs, "-o", std::string("with_") + jobs});
    EXPECT_EQ(weft(all).status, 0);
    tables.insert(read(std::string("with_") + jobs + "/small.saturation.csv"));
  }
  ASSERT_THAT(tables, SizeIs(1));
  const auto table = lines_of(*tables.begin());
  ASSERT_THAT(table, SizeIs(3));
  EXPECT_EQ(table[0],
            "network.router.vcs,saturation_low,saturation_high,saturation_uncertainty,accepted_most,loads,outcome,"
            "error");
  for (std::size_t i = 1; i < table.size(); ++i) EXPECT_THAT(table[i], HasSubstr(",found,"));
  const json found = json::parse(read("with_3/small.saturation.json"))["searches"];
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1]["keys"], json({{"network.router.vcs", "4"}}));
  const json& load = found[1]["saturation"];
  EXPECT_GT(load["uncertainty"].get<double>(), 0);
  EXPECT_EQ(table[2], fmt::format("4,{},{},{},{},{},found,", load["low"].get<double>(), load["high"].get<double>(),
                                  load["uncertainty"].get<double>(), load["accepted_most"].get<double>(),
                                  found[1]["loads"].get<int>()));
}

TEST_F(cli_sweep, curve_measures_loads_below_saturation) {
  const command_result r = weft({"curve", "small.yaml", "--width", "0.05", "--points", "8"});
  EXPECT_EQ(r.status, 0) << r.err;
  const auto table = lines_of(read("results/small.curve.csv"));
  EXPECT_THAT(table[0], StartsWith("workload.injection.load,name,"));
  EXPECT_GE(std::count_if(table.begin(), table.end(),
                          [](const std::string& line) { return line.find(",complete,") != std::string::npos; }),
            6);
  const command_result again = weft({"saturation", "small.yaml", "--width", "0.05", "--set", "output.progress=always"});
  EXPECT_THAT(again.err, Not(HasSubstr("points")));  // all loads are those of the curve
}

/// The test uses shorter runs and fewer points than the examples.
TEST_F(cli_sweep, exploration_examples_run) {
  const auto example = [this](const char* script, const char* options) {
    return shell(
        fmt::format("'{}/examples/explore/{}' {} -q --set 'simulation={{warmup: 200, measure: 600}}' "
                    "--width 0.2 {} 2>err",
                    WEFT_SOURCE_DIR, script, WEFT_COMMAND, options));
  };
  EXPECT_EQ(example("router.sh", "--over network.router.vcs=1,4 --over network.router.depth=4"), 0) << read("err");
  EXPECT_THAT(lines_of(read("results/router.saturation.csv")), SizeIs(1 + 2 * 3));
  EXPECT_THAT(read("results/router.front.svg"), HasSubstr(">area_mm2<"));
  EXPECT_EQ(example("networks.sh", "--points 4"), 0) << read("err");
  const std::string table = read("results/networks.curve.csv"), drawing = read("results/networks.latency.svg");
  for (const char* const kind : {"mesh", "octagon", "torus", "fat_tree"})
    EXPECT_THAT(table, HasSubstr(std::string("\"{kind: ") + kind));
  for (const char* const label : {">mesh<", ">Octagon<", ">torus<", ">fat tree<", "offered load, bits/node/cycle"})
    EXPECT_THAT(drawing, HasSubstr(label));
}

TEST_F(cli_sweep, areas_of_router_examples_match_their_points) {
  for (const std::string part : {"allocators", "pipelines", "buffers"}) {
    const std::string folder = WEFT_SOURCE_DIR "/examples/explore/routers/";
    EXPECT_EQ(weft({"sweep", folder + part + ".yaml", "-q", "--set", "simulation={warmup: 200, measure: 600}", "--over",
                    "workload.injection.load=0.1"})
                  .status,
              0);
    const std::string results = "results/" + part + ".sweep.csv", areas = folder + "area_of_" + part + ".csv";
    const std::string points = read(results);
    EXPECT_THAT(points, Not(HasSubstr("infeasible")));
    std::ifstream in(areas);
    std::string row;
    ASSERT_TRUE(std::getline(in, row)) << areas;
    while (std::getline(in, row)) {
      // The keys are all fields but the last three.
      std::size_t end = row.size();
      for (unsigned field = 0; field < 3; ++field) end = row.rfind(',', end - 1);
      EXPECT_THAT(points, HasSubstr(row.substr(0, end))) << areas;
    }
    EXPECT_EQ(
        weft({"plot", "pareto", results, "--join", areas, "--x", "area_mm2", "--y", "latency_mean", "-o", "a.svg"})
            .status,
        0);
    EXPECT_THAT(read("a.svg"), HasSubstr(">area_mm2<"));
  }
}

TEST_F(cli_sweep, search_rejects_a_swept_load_and_collectives) {
  EXPECT_EQ(weft({"curve", "small.yaml", "--over", "workload.injection.load=0.1"}).err,
            "workload.injection.load: error: is the key that the search varies, so it cannot be swept\n");
  write("tree.yaml", "collective: {algorithm: tree}\n");
  EXPECT_EQ(weft({"saturation", "tree.yaml"}).status, 2);
}

/// Under mpirun; skipped if mpirun is missing or weft was built without MPI.
class cli_sweep_mpirun : public cli_sweep {
 protected:
  void SetUp() override {
    if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun (Debian: openmpi-bin)";
    by_mpirun(2, WEFT_COMMAND " sweep small.yaml --over network.router.vcs=1 --store none.sqlite -o none");
    if (read("err").find("was built without MPI") != std::string::npos) GTEST_SKIP() << "weft was built without MPI";
  }

  /// Runs a command in so many processes. \return its exit status; its output goes to the files out and err
  int by_mpirun(int processes, const std::string& command) {
    return shell(
        fmt::format("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n {} "
                    "{} >out 2>err",
                    processes, command));
  }
};

TEST_F(cli_sweep_mpirun, writes_the_same_table_as_one_process) {
  const std::string line = "sweep small.yaml --over simulation.seed=1:9:1 --over network.router.vcs=1,99";
  EXPECT_EQ(by_mpirun(2, WEFT_COMMAND " " + line + " -o by_mpi"), 0) << read("err");
  EXPECT_THAT(read("out"), HasSubstr("wrote by_mpi/small.sweep.csv"));
  EXPECT_EQ(shell(WEFT_COMMAND " " + line + " -q -o by_hand 2>/dev/null"), 0);
  EXPECT_EQ(read("by_mpi/small.sweep.csv"), read("by_hand/small.sweep.csv"));
  EXPECT_THAT(stored("by_mpi/points.sqlite"), SizeIs(18));
}

TEST_F(cli_sweep_mpirun, rejects_jobs_option_even_for_one_process) {
  EXPECT_NE(by_mpirun(1, WEFT_COMMAND " sweep small.yaml --over simulation.seed=1,2 -j 2"), 0);
  EXPECT_THAT(read("err"), HasSubstr("--jobs 2: error: each process of mpirun runs one point at a time"));
}

TEST_F(cli_sweep_mpirun, search_gives_the_same_result_as_one_process) {
  for (const std::string search : {"saturation", "curve"}) {
    const std::string line =
        WEFT_COMMAND " " + search + " small.yaml -q --width 0.1 --over network.router.vcs=1,4 -o " + search;
    EXPECT_EQ(by_mpirun(3, line + "_by_mpi"), 0) << read("err");
    EXPECT_EQ(shell(line + "_by_hand"), 0);
    const std::string table = read(search + "_by_mpi/small." + search + ".csv");
    EXPECT_THAT(lines_of(table), SizeIs(::testing::Ge(3u)));
    EXPECT_EQ(table, read(search + "_by_hand/small." + search + ".csv"));
    const std::vector<std::string> by_mpi = stored(search + "_by_mpi/points.sqlite"),
                                   by_hand = stored(search + "_by_hand/points.sqlite");
    EXPECT_THAT(by_mpi, ::testing::UnorderedElementsAreArray(by_hand));
  }
}

TEST_F(cli_sweep_mpirun, resumes_after_losing_a_process) {
  const std::string line = "sweep small.yaml -q --over simulation.seed=1:30:1 --set simulation.measure=20000";
  // The second process kills itself when two points are stored; mpirun then ends the first one.
  write("rank.sh",
        "#!/bin/sh\nwatch() {\n  until [ \"$(" WEFT_COMMAND
        " export results/points.sqlite 2>/dev/null | wc -l)\" -ge 3 ]; do sleep 0.02; done\n  kill -9 $$\n}\n"
        "[ \"$OMPI_COMM_WORLD_RANK\" = 1 ] && watch &\nexec " WEFT_COMMAND " " +
            line + "\n");
  EXPECT_NE(by_mpirun(2, "sh rank.sh"), 0);
  const std::vector<std::string> kept = stored();
  EXPECT_GE(kept.size(), 2u);
  EXPECT_LT(kept.size(), 30u) << "it was killed too late";
  EXPECT_EQ(shell(WEFT_COMMAND " " + line), 0);
  const std::vector<std::string> all = stored();
  EXPECT_THAT(all, SizeIs(30));
  EXPECT_THAT(std::set<std::string>(all.begin(), all.end()), SizeIs(30));
  EXPECT_TRUE(std::equal(kept.begin(), kept.end(), all.begin())) << "stored points remain";
}

TEST_F(cli_sweep, job_array_runs_all_parts) {
  EXPECT_EQ(weft({"sweep", "small.yaml", "--over", "simulation.seed=1:5:1", "--slurm", "job.sh", "--tasks", "2"}).out,
            "  wrote job.sh: 5 points in 2 tasks; submit it with sbatch job.sh\n");
  for (const char* const task : {"0", "1"})
    EXPECT_EQ(shell(fmt::format("SLURM_ARRAY_TASK_ID={} bash job.sh", task)), 0);
  EXPECT_THAT(stored(), SizeIs(5));
}

TEST_F(cli_sweep, job_array_requires_a_feasible_point) {
  const command_result r = weft({"sweep", "small.yaml", "--over", "network.router.vcs=98,99", "--slurm", "job.sh"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  EXPECT_THAT(r.err, AllOf(HasSubstr("--over network.router.vcs=98: error: "), HasSubstr("vcs=99: error: ")));
  EXPECT_EQ(read("job.sh"), "");
}

}  // namespace
}  // namespace weft::cli
