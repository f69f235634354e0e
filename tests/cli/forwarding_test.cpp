// SPDX-License-Identifier: Apache-2.0
/// `weft forwarding`, as a user calls it.
#include "cli/command.h"
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Two pairs of nodes with a shared bus between them.
constexpr const char* Bus = R"({"format": "weft-links/1", "name": "bus", "nodes": 4, "links": [
  {"from": 0, "to": 1, "bandwidth": 2, "both": true}, {"from": 2, "to": 3, "bandwidth": 2, "both": true},
  {"from": 1, "to": 2, "bandwidth": 1, "both": true}, {"from": 0, "to": 3, "bandwidth": 1, "both": true}],
  "shared": [{"name": "bus", "from": [0, 1], "to": [2, 3], "bandwidth": 1}]})";

class cli_forwarding : public command_test {
 protected:
  cli_forwarding() {
    write("ring.yaml", "network: {topology: {kind: ring, shape: [4]}}\n");
    write("bus.json", Bus);
  }

  command_result of_dgx1(std::vector<std::string> further) {
    std::vector<std::string> arguments{"forwarding", "--known", "dgx1", "--collective", "allgather"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return weft(arguments);
  }

  /// An allgather on a ring of four, in two rounds.
  json allgather_on_a_ring() {
    const command_result r = weft({"forwarding", "ring.yaml", "--collective", "allgather", "-o", "-"});
    EXPECT_EQ(r.status, 0) << r.err;
    return json::parse(r.out);
  }
};

TEST_F(cli_forwarding, finds_an_optimal_allgather_for_dgx1) {
  const command_result r = of_dgx1({"--steps", "2", "--rounds", "2"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(r.out, StartsWith("dgx1: allgather, C 1, 8 nodes\n32 links, bandwidth 48 in all\n\n"
                                "  bound       2 rounds: chunk 0 has 2 links to go\n"
                                "  found       C 1, S 2, R 2, R/C 2\n"
                                "              by "));
  EXPECT_THAT(r.out, HasSubstr("              R optimal in at most 2 steps: the bound is met\n  tried       "));
  EXPECT_THAT(files_in("."), ElementsAre("bus.json", "ring.yaml"));
}

TEST_F(cli_forwarding, refutes_steps_and_rounds_that_bandwidth_would_allow) {
  const command_result r = of_dgx1({"--chunks", "3", "--steps", "2", "--rounds", "4", "--proof", "refuted"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "weft: no algorithm exists within these limits\n");
  EXPECT_THAT(r.out, AllOf(HasSubstr("  infeasible  there is no algorithm of at most 2 steps and 4 rounds\n"
                                     "              no algorithm of 2 steps and 4 rounds, however divided: refuted by "
                                     "CaDiCaL\n"),
                           HasSubstr("              CaDiCaL, 2 steps, 4 rounds: refuted\n"),
                           HasSubstr("  wrote refuted.cnf and refuted.drat\n")));
  EXPECT_THAT(read("refuted.cnf"), StartsWith("p cnf "));
  EXPECT_NE(read("refuted.drat"), "");
}

TEST_F(cli_forwarding, incomplete_proof_leaves_existing_files_unchanged) {
  write("open.cnf", "old");
  write("open.drat", "old");
  const std::vector<std::string> before = files_in(".");
  const command_result open =
      of_dgx1({"--chunks", "6", "--steps", "2", "--rounds", "7", "--conflicts", "1", "--proof", "open"});
  EXPECT_EQ(open.status, 1);
  EXPECT_THAT(open.out, AllOf(HasSubstr("CaDiCaL, 2 steps, 7 rounds: no answer in 1 conflicts\n"),
                              HasSubstr("  no proof is written, because CaDiCaL refuted nothing\n")));
  EXPECT_EQ(read("open.cnf"), "old");
  EXPECT_EQ(read("open.drat"), "old");
  EXPECT_EQ(files_in("."), before);
}

TEST_F(cli_forwarding, writes_proof_through_symbolic_links) {
  std::filesystem::create_directory(m_directory / "far");
  std::filesystem::create_symlink("far/clauses", m_directory / "p.cnf");
  EXPECT_EQ(of_dgx1({"--chunks", "3", "--steps", "2", "--rounds", "4", "--proof", "p"}).status, 1);
  EXPECT_TRUE(std::filesystem::is_symlink(m_directory / "p.cnf"));
  EXPECT_THAT(read("far/clauses"), StartsWith("p cnf "));
  EXPECT_THAT(files_in("far"), ElementsAre("clauses"));
  EXPECT_THAT(files_in("."), ElementsAre("bus.json", "far", "p.cnf", "p.drat", "ring.yaml"));
  const command_result r = of_dgx1({"--chunks", "3", "--steps", "2", "--rounds", "4", "--proof", "bus.json/p"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, StartsWith("--proof bus.json/p: error: cannot "));
}

TEST_F(cli_forwarding, interrupted_search_leaves_no_partial_proof) {
  write("hard.yaml",
        "network: {topology: {kind: random, routers: 16, degree: 3, seed: 24}}\noutput: {progress: always}\n");
  const command_result r = weft(
      {"forwarding", "hard.yaml", "--collective", "alltoall", "--ports", "1", "--seconds", "1000000", "--proof", "p"},
      [&](pid_t process) {
        await_err(process, " rounds: CaDiCaL");
        kill(process, SIGINT);
      });
  EXPECT_EQ(r.status, 128 + SIGINT) << r.err;
  EXPECT_THAT(files_in("."), ElementsAre("bus.json", "hard.yaml", "ring.yaml"));
}

TEST_F(cli_forwarding, writes_no_proof_when_nothing_was_refuted) {
  const command_result r = of_dgx1({"--proof", "refuted"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("  no proof is written, because CaDiCaL refuted nothing\n"));
}

TEST_F(cli_forwarding, exported_schedule_replays_without_waiting_packets) {
  for (const char* what : {"allgather", "alltoall", "broadcast", "gather"}) {
    const command_result r = weft({"forwarding", "ring.yaml", "--collective", what, "--ccsched", "steps.json"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("  wrote steps.json\n"));
    const command_result played = weft({"schedule", "ring.yaml", "--ports", "all", "--check", "steps.json", "--replay",
                                        "--set", "nic.ports=2", "--set", "simulation.level=pin"});
    EXPECT_EQ(played.status, 0) << what << played.err;
    EXPECT_THAT(played.out, HasSubstr("correct: no step has a conflict, and every node gets its data"));
    EXPECT_THAT(played.out, HasSubstr("no packet waits"));
  }
}

TEST_F(cli_forwarding, explains_infeasible_limits_by_the_bound_they_violate) {
  EXPECT_THAT(of_dgx1({"--chunks", "6", "--rounds", "6"}).out,
              HasSubstr("  infeasible  there is no algorithm of at most 6 rounds\n"
                        "              at least 7 rounds: node 0 gets 42 chunks over bandwidth 6\n"));
  EXPECT_THAT(of_dgx1({"--steps", "1"}).out, HasSubstr("  infeasible  there is no algorithm of at most 1 step\n"
                                                       "              chunk 0 has 2 links to go, S is at most 1\n"));
}

TEST_F(cli_forwarding, unanswered_search_lists_the_methods_tried) {
  const command_result r = of_dgx1({"--chunks", "6", "--steps", "2", "--rounds", "7", "--seconds", "0"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "weft: no algorithm found\n");
  EXPECT_THAT(r.out,
              AllOf(HasSubstr("  bound       7 rounds: node 0 gets 42 chunks over bandwidth 6\n"
                              "  unanswered  no algorithm of at most 2 steps and 7 rounds was found, and none was "
                              "proved impossible\n  tried       greedy matching over time: "),
                    Not(HasSubstr("CaDiCaL"))));
}

TEST_F(cli_forwarding, reads_networks_from_configurations_and_link_files) {
  EXPECT_THAT(weft({"forwarding", "ring.yaml", "--collective", "alltoall"}).out,
              AllOf(StartsWith("ring: alltoall, C 1, 4 nodes\n8 links, bandwidth 8 in all\n"),
                    HasSubstr("R optimal: the bound is met\n")));
  EXPECT_THAT(weft({"forwarding", "ring.yaml", "--set", "network.topology.shape=[6]", "--collective", "broadcast",
                    "--root", "5"})
                  .out,
              StartsWith("ring: broadcast from node 5, C 1, 6 nodes\n"));
  EXPECT_THAT(weft({"forwarding", "--links", "bus.json", "--collective", "gather"}).out,
              AllOf(StartsWith("bus: gather to node 0, C 1, 4 nodes\n8 links, bandwidth 12 in all, 1 limit that links "
                               "share\n"),
                    HasSubstr("R optimal in steps of one round: the bound is met\n")));
  EXPECT_THAT(of_dgx1({"--ports", "1"}).out, HasSubstr("C 1, S 7, R 7, R/C 7\n"));
}

TEST_F(cli_forwarding, reads_chunk_counts_for_each_pair_of_nodes) {
  write("counts.json", "[[0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 3], [0, 0, 0, 0]]");
  const command_result r =
      weft({"forwarding", "--links", "bus.json", "--collective", "alltoallv", "--counts", "counts.json", "-o", "-"});
  EXPECT_EQ(r.status, 0) << r.err;
  const json file = json::parse(r.out);
  EXPECT_EQ(file["collective"]["chunks"].size(), 5u);
  write("found.json", r.out);
  EXPECT_EQ(
      weft({"forwarding", "--check", "found.json", "--collective", "alltoallv", "--counts", "counts.json"}).status, 0);
}

TEST_F(cli_forwarding, warns_about_chunks_from_a_node_to_itself) {
  write("counts.json", "[[5, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]");
  const command_result r =
      weft({"forwarding", "--links", "bus.json", "--collective", "alltoallv", "--counts", "counts.json"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err,
            "--counts counts.json: [0][0]: warning: chunks of a node for itself are left out; they cross no link; "
            "give 0\n");
}

TEST_F(cli_forwarding, written_algorithm_passes_the_check) {
  for (const char* const what :
       {"allgather", "alltoall", "broadcast", "scatter", "gather", "reduce", "reduce-scatter", "allreduce"}) {
    const command_result found =
        weft({"forwarding", "ring.yaml", "--collective", what, "--chunks", "2", "-o", "found.json"});
    EXPECT_EQ(found.status, 0) << found.err;
    EXPECT_THAT(found.out, HasSubstr("  wrote found.json\n")) << what;
    for (const std::vector<std::string>& with : {std::vector<std::string>{}, {"ring.yaml", "--collective", what}}) {
      std::vector<std::string> arguments{"forwarding", "--check", "found.json"};
      arguments.insert(arguments.end(), with.begin(), with.end());
      const command_result r = weft(arguments);
      EXPECT_EQ(r.status, 0) << what << r.err;
      EXPECT_THAT(r.out, HasSubstr("correct: no link is overloaded, and every node gets its data\n")) << what;
    }
  }
  EXPECT_THAT(weft({"forwarding", "--check", "found.json"}).out,
              StartsWith("found.json: 8 chunks in all, C 2, 4 nodes\n"));
}

TEST_F(cli_forwarding, check_reports_the_first_fault_and_the_number_of_faults) {
  json file = allgather_on_a_ring();
  file["steps"].erase(1);
  write("short.json", file.dump());
  const command_result r = weft({"forwarding", "--check", "short.json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("  algorithm   C 1, S 1, R 1, R/C 1\n              WRONG: 5 faults\n    at the "
                               "end: node "));
  EXPECT_THAT(r.err, AllOf(StartsWith("weft: short.json: at the end: node "), HasSubstr(" lacks chunk ")));

  file = allgather_on_a_ring();
  file["steps"][0]["rounds"] = 2;
  write("slow.json", file.dump());
  const command_result slow = weft({"forwarding", "--check", "slow.json"});
  EXPECT_EQ(slow.status, 1);
  EXPECT_EQ(slow.err,
            "weft: slow.json: instance: steps and extra_rounds give 2 rounds, expected 3, the rounds of all steps\n");

  file = allgather_on_a_ring();
  file["steps"][0]["sends"].push_back(file["steps"][0]["sends"][0]);
  write("load.json", file.dump());
  EXPECT_THAT(weft({"forwarding", "--check", "load.json"}).err, HasSubstr("step 1: 2 sends on link "));
}

TEST_F(cli_forwarding, checks_an_algorithm_against_the_given_network) {
  write("found.json", allgather_on_a_ring().dump());
  write("line.yaml", "network: {topology: {shape: [4]}}\n");
  const command_result r = weft({"forwarding", "line.yaml", "--check", "found.json"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("link"));
}

TEST_F(cli_forwarding, writes_a_chakra_trace_for_each_node) {
  const command_result r =
      weft({"forwarding", "ring.yaml", "--collective", "allgather", "--chakra", "trace", "--bytes", "4096"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("  wrote trace.0.json to trace.3.json\n"));
  EXPECT_THAT(files_in("."),
              ElementsAre("bus.json", "ring.yaml", "trace.0.json", "trace.1.json", "trace.2.json", "trace.3.json"));
  EXPECT_EQ(json::parse(read("trace.3.json"))["workload_graph"][0]["comm_size"], 4096);
}

TEST_F(cli_forwarding, prints_the_frontier_of_chunks_steps_and_rounds) {
  const command_result r = of_dgx1({"--frontier", "--steps", "3"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out,
            "dgx1: frontier of allgather to C 6 and S 3, 8 nodes\n32 links, bandwidth 48 in all\n\n"
            "      C      S       R       R/C  proved for these C and S\n"
            "      2      2       3       1.5  node 0 gets 14 chunks over bandwidth 6\n"
            "      6      3       7     1.167  node 0 gets 42 chunks over bandwidth 6\n");
}

TEST_F(cli_forwarding, lists_frontier_points_that_remain_unanswered) {
  const command_result none = of_dgx1({"--frontier", "--steps", "4", "--seconds", "0.000000001"});
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.err, "weft: no algorithm found; time limit reached\n");
  EXPECT_THAT(none.out, HasSubstr("proved for these C and S\n\n  time        limit reached\n"
                                  "  unanswered  C 1 to 6, S 2\n              C 1 to 6, S 3 to 4\n"));
  const command_result quick = of_dgx1({"--frontier", "--steps", "2", "--seconds", "0"});
  EXPECT_EQ(quick.status, 0) << quick.err;
  EXPECT_THAT(quick.out, HasSubstr("proved for these C and S\n"
                                   "      1      2       2         2  chunk 0 has 2 links to go\n\n"
                                   "  unanswered  C 2 to 6, S 2\n"));
}

TEST_F(cli_forwarding, the_same_seed_gives_the_same_file) {
  const auto with = [this](const char* seed) {
    return weft({"forwarding", "ring.yaml", "--collective", "alltoall", "--chunks", "2", "--seed", seed, "-o", "-"})
        .out;
  };
  const std::string first = with("7");
  EXPECT_THAT(first, StartsWith("{\"collective\":"));
  EXPECT_EQ(with("7"), first);
}

/// With one port per node the routes take more rounds than the bound, and CaDiCaL runs for long.
TEST_F(cli_forwarding, ctrl_c_keeps_best_result_so_far) {
  write("random.yaml",
        "network: {topology: {kind: random, routers: 16, degree: 3, seed: 24}}\noutput: {progress: always}\n");
  const auto interrupt = [this](pid_t process) {
    await_err(process, "CaDiCaL");
    kill(process, SIGINT);
  };
  const command_result r = weft({"forwarding", "random.yaml", "--collective", "alltoall", "--ports", "1", "--seconds",
                                 "1000000", "--conflicts", "1000000000", "-o", "best.json"},
                                interrupt);
  EXPECT_EQ(r.status, 130) << r.err;
  EXPECT_THAT(r.err, HasSubstr("weft: interrupted\n"));
  EXPECT_THAT(r.out, AllOf(HasSubstr("R not proved optimal: "), HasSubstr("no answer in the time\n")));
  EXPECT_EQ(weft({"forwarding", "--check", "best.json"}).status, 0);
}

/// With so many chunks the search runs for long; nodes with one port leave no trees.
TEST_F(cli_forwarding, ctrl_c_ends_greedy_matching) {
  write("mesh.yaml", "network: {topology: {shape: [3, 3]}}\noutput: {progress: always}\n");
  const auto interrupt = [this](pid_t process) {
    await_err(process, "greedy matching");
    kill(process, SIGINT);
  };
  const command_result r = weft({"forwarding", "mesh.yaml", "--collective", "allgather", "--ports", "1", "--chunks",
                                 "10000", "--seconds", "1000000"},
                                interrupt);
  EXPECT_EQ(r.status, 130) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("  unanswered  no algorithm was found"),
                           HasSubstr("greedy matching over time: no answer in the time\n")));
}

TEST_F(cli_forwarding, prints_nothing_with_quiet_option) {
  const command_result r = of_dgx1({"-q"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out + r.err, "");
}

}  // namespace
}  // namespace weft::cli
