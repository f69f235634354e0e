// SPDX-License-Identifier: Apache-2.0
/// `weft schedule`, as a user calls it.

#include "cli/command.h"
#include <csignal>
#include <map>
#include <string>
#include <utility>
#include <vector>

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

class cli_schedule : public command_test {
 protected:
  cli_schedule() {
    write("mesh.yaml", "network: {topology: {shape: [2, 2]}}\n");
    write("ring.yaml", "network: {topology: {kind: ring, shape: [6]}}\n");
  }

  /// A schedule by which n0 broadcasts on a ring of six nodes, in three steps.
  json broadcast_on_a_ring() {
    const command_result r = weft({"schedule", "ring.yaml", "--collective", "oab", "-o", "-", "--seconds", "0"});
    EXPECT_EQ(r.status, 0) << r.err;
    return json::parse(r.out);
  }
};

TEST_F(cli_schedule, reports_the_step_count_and_whether_it_is_optimal) {
  const command_result r = weft({"schedule", "mesh.yaml", "--collective", "aab"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_THAT(r.out,
              StartsWith("mesh: AAB, all-to-all broadcast, 4 nodes\n4 routers, 8 channels between routers, 1 port "
                         "at a node, shortest paths, one message a transfer\n\n  bound      3 steps, by ports: "));
  EXPECT_THAT(r.out, HasSubstr("\n  schedule   3 steps, TCO 3, by "));
  EXPECT_THAT(r.out, HasSubstr("R optimal: the bound is met\n"));
  EXPECT_THAT(files_in("."), ElementsAre("mesh.yaml", "ring.yaml"));
}

TEST_F(cli_schedule, reports_default_and_given_root) {
  EXPECT_THAT(weft({"schedule", "mesh.yaml", "--collective", "oas"}).out,
              StartsWith("mesh: OAS, one-to-all scatter from n0, 4 nodes\n"));
  EXPECT_THAT(weft({"schedule", "mesh.yaml", "--collective", "oas", "--root", "2"}).out,
              StartsWith("mesh: OAS, one-to-all scatter from n2, 4 nodes\n"));
}

TEST_F(cli_schedule, node_lists_accept_numbers_names_and_ranges) {
  write("concentrated.yaml", "network: {topology: {shape: [2, 2], nodes_per_router: 2}}\n");
  const command_result r = weft({"schedule", "concentrated.yaml", "--collective", "mns", "--senders", "0,r2,n7",
                                 "--receivers", "0-2,5", "-o", "-"});
  EXPECT_EQ(r.status, 0) << r.err;
  const json j = json::parse(r.out);
  EXPECT_EQ(j["sources"], json({"n0", "n4", "n5", "n7"}));
  EXPECT_EQ(j["dests"], json({"n0", "n1", "n2", "n5"}));
  EXPECT_EQ(j["collective"], "scatter");
}

TEST_F(cli_schedule, options_override_keys_of_the_file) {
  write("asks.yaml",
        "network: {topology: {shape: [2, 2]}}\n"
        "schedule: {collective: oab, root: 3, ports: all, combining: true, method: greedy, seconds: 0}\n");
  EXPECT_THAT(
      weft({"schedule", "asks.yaml"}).out,
      AllOf(StartsWith("asks: OAB, one-to-all broadcast from n3, 4 nodes\n4 routers, 8 channels between routers, "
                       "2 ports at a node, shortest paths, messages combined\n"),
            HasSubstr("by greedy")));
  EXPECT_THAT(weft({"schedule", "asks.yaml", "--collective", "aas", "--ports", "one"}).out,
              StartsWith("asks: AAS, all-to-all scatter, 4 nodes\n4 routers, 8 channels between routers, 1 port at a "
                         "node"));
}

TEST_F(cli_schedule, written_schedule_passes_the_check) {
  const command_result found =
      weft({"schedule", "ring.yaml", "--collective", "aas", "-o", "found.json", "--svg", "found.svg"});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("  wrote found.json\n  wrote found.svg\n"));
  EXPECT_THAT(read("found.svg"), StartsWith("<svg "));
  for (const std::vector<std::string>& with : {std::vector<std::string>{}, {"ring.yaml"}}) {
    std::vector<std::string> arguments{"schedule", "--check", "found.json"};
    arguments.insert(arguments.end(), with.begin(), with.end());
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("correct: no step has a conflict, and every node gets its data\n"));
    EXPECT_THAT(r.out, StartsWith("found.json: AAS, all-to-all scatter, 6 nodes\n"));
    EXPECT_THAT(r.out, HasSubstr("R optimal: the bound is met\n"));
  }
}

TEST_F(cli_schedule, json_agrees_with_the_table) {
  const command_result r = weft({"schedule", "mesh.yaml", "--collective", "aab", "--ports", "one", "--json", "a.json"});
  EXPECT_EQ(r.status, 0) << r.err;
  const json j = json::parse(read("a.json"));
  EXPECT_EQ(j["name"], "mesh");
  EXPECT_EQ(j["collective"], "AAB");
  EXPECT_EQ(j["nodes"], 4);
  EXPECT_EQ(j["bounds"]["R"]["value"], 3);
  EXPECT_EQ(j["bounds"]["R"]["by"], "ports");
  EXPECT_EQ(j["found"]["R"], 3);
  EXPECT_EQ(j["found"]["TCO"], 3);
  EXPECT_EQ(j["optimal"], true);
  EXPECT_THAT(r.out, HasSubstr("  schedule   3 steps, TCO 3, by " + j["found"]["by"].get<std::string>() + "\n"));
  ASSERT_FALSE(j["attempts"].empty());
  EXPECT_GE(j["attempts"][0]["seconds"], 0);
  ASSERT_FALSE(j["printed"].empty());
  EXPECT_EQ(j["printed"][0]["source"], "RINGS Table 1");
  EXPECT_EQ(j["printed"][0]["claim"], "lower_bound");
  EXPECT_FALSE(j.contains("replay"));
}

TEST_F(cli_schedule, json_has_both_costs_and_replay_cycles) {
  const command_result r = weft({"schedule", "mesh.yaml", "--collective", "aab", "--ports", "one", "--combining",
                                 "--replay", "--length", "3", "--set", "simulation.level=engine", "--json", "-"});
  EXPECT_EQ(r.status, 0) << r.err;
  const json j = json::parse(r.out);  // and nothing else
  EXPECT_EQ(j["combining"], true);
  EXPECT_EQ(j["bounds"]["R"]["value"], 2);
  EXPECT_EQ(j["bounds"]["TCO"]["value"], 3);
  EXPECT_EQ(j["found"]["R"], 2);
  EXPECT_EQ(j["found"]["TCO"], 3);
  EXPECT_EQ(j["found"]["least_TCO_of_R"], 3);
  const json& replay = j["replay"];
  EXPECT_EQ(replay["level"], "engine");
  EXPECT_EQ(replay["kept"], true);
  EXPECT_EQ(replay["waits"], 0);
  EXPECT_EQ(replay["per_flit"], 1);
  EXPECT_EQ(replay["with_barriers"], 2 * replay["start_up"].get<double>() + 3 * 3);
  EXPECT_THAT(replay["algorithms"].dump(), HasSubstr("all_at_once"));
}

TEST_F(cli_schedule, writes_no_proof_when_nothing_was_refuted) {
  const command_result r = weft({"schedule", "mesh.yaml", "--collective", "aab", "--ports", "one", "--proof", "none"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("  no proof is written, because nothing was refuted\n"));
}

TEST_F(cli_schedule, writes_no_solver_proof_for_flow_bound) {
  write("square.yaml", "network: {topology: {shape: [4, 4]}}\n");
  const std::vector<std::string> question{"schedule", "square.yaml", "--collective", "oas",     "--root",
                                          "1",        "--ports",     "all",          "--proof", "p"};
  const command_result flow = weft(question);
  EXPECT_EQ(flow.status, 0) << flow.err;
  EXPECT_THAT(flow.out, HasSubstr("fewer than 6 steps are impossible by flow"));
  EXPECT_THAT(flow.out, HasSubstr("  no proof is written, because CaDiCaL has completed no refutation\n"));
  EXPECT_THAT(files_in("."), ElementsAre("mesh.yaml", "ring.yaml", "square.yaml"));
  std::vector<std::string> of_solver = question;
  of_solver.insert(of_solver.end(), {"--method", "sat"});
  const command_result sat = weft(of_solver);
  EXPECT_EQ(sat.status, 0) << sat.err;
  EXPECT_THAT(sat.out, HasSubstr("  wrote p.cnf and p.drat\n"));
  EXPECT_THAT(read("p.cnf"), StartsWith("p cnf "));
  EXPECT_THAT(files_in("."), ElementsAre("mesh.yaml", "p.cnf", "p.drat", "ring.yaml", "square.yaml"));
}

TEST_F(cli_schedule, needs_deadlock_free_routing_only_for_replay) {
  const std::vector<std::string> torus = {"torus.yaml", "--set", "network.router.vcs=1"};
  write("torus.yaml", "network: {topology: {kind: torus, shape: [3, 3]}}\n");
  const auto with = [&](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), torus.begin(), torus.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return weft(arguments);
  };
  EXPECT_THAT(with({"check"}, {}).err, HasSubstr("routing in a torus needs at least 2"));
  EXPECT_EQ(with({"schedule"}, {"--collective", "aab", "--seconds", "0", "-o", "s.json"}).status, 0);
  EXPECT_EQ(with({"schedule"}, {"--check", "s.json"}).status, 0);
  const command_result played = with({"schedule"}, {"--check", "s.json", "--replay"});
  EXPECT_EQ(played.status, 2);
  EXPECT_THAT(played.err, HasSubstr("routing in a torus needs at least 2"));
}

TEST_F(cli_schedule, json_of_a_check_lists_faults_and_replay_results) {
  ASSERT_EQ(weft({"schedule", "mesh.yaml", "--collective", "aab", "--ports", "one", "-o", "s.json"}).status, 0);
  const auto run_check = [this](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"schedule", "mesh.yaml", "--ports", "one", "--check", "s.json", "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return weft(arguments);
  };
  const json good = json::parse(run_check({"--replay"}).out);
  EXPECT_EQ(good["found"]["R"], 3);
  EXPECT_EQ(good["found"]["TCO"], 3);
  EXPECT_TRUE(good["faults"].empty());
  EXPECT_EQ(good["replay"]["kept"], true);

  json file = json::parse(read("s.json"));
  file["steps"].erase(2);
  file["R"] = file["TCO"] = 2;
  write("s.json", file.dump());
  const command_result r = run_check({"--replay"});
  EXPECT_EQ(r.status, 1);
  const json bad = json::parse(r.out);
  EXPECT_EQ(bad["faults"].size(), 4U);  // each node lacks a message
  EXPECT_FALSE(bad.contains("replay"));
}

/// On a 2x2 mesh with one VC every node first sends to the opposite one, all clockwise, then to its neighbors. Each
/// step is free of conflicts; without barriers the four packets of the first two steps deadlock.
class cli_schedule_deadlock : public cli_schedule {
 protected:
  cli_schedule_deadlock() {
    write("short.yaml",
          "network: {topology: {shape: [2, 2]}, router: {vcs: 1}}\n"
          "simulation: {level: engine, deadlock_after: 500}\n"
          "collective: {algorithm: schedule, schedule: s.json, length: 64, barriers: false}\n");
    const command_result r =
        weft({"schedule", "mesh.yaml", "--collective", "aas", "--ports", "one", "--seconds", "0", "-o", "-"});
    EXPECT_EQ(r.status, 0) << r.err;
    json file = json::parse(r.out);
    std::map<std::pair<std::string, std::string>, json> channel;
    for (const json& c : file["topology"]["channels"]) channel[{c["src"], c["dst"]}] = c["id"];
    const std::vector<unsigned> ring{0, 1, 3, 2};  // clockwise
    const auto transfer = [&](unsigned from, unsigned hops) {
      const auto router = [&](unsigned at) { return "r" + std::to_string(ring[at % 4]); };
      const std::string source = "n" + std::to_string(ring[from]),
                        target = "n" + std::to_string(ring[(from + hops) % 4]);
      json path{channel.at({source, router(from)})};
      if (hops == 3) path.push_back(channel.at({router(from), router(from + 3)}));
      for (unsigned i = 0; i < hops && hops < 3; ++i)
        path.push_back(channel.at({router(from + i), router(from + i + 1)}));
      path.push_back(channel.at({router(from + hops), target}));
      return json{{"src", source},
                  {"dst", target},
                  {"payload", json::array({json::array({source, target})})},
                  {"size", 1},
                  {"path", path}};
    };
    file["steps"] = {{{"transfers", {transfer(0, 2), transfer(2, 2)}}},
                     {{"transfers", {transfer(1, 2), transfer(3, 2)}}},
                     {{"transfers", {transfer(0, 1), transfer(1, 1), transfer(2, 1), transfer(3, 1)}}},
                     {{"transfers", {transfer(0, 3), transfer(1, 3), transfer(2, 3), transfer(3, 3)}}}};
    file["R"] = file["TCO"] = 4;
    write("s.json", file.dump());
  }

  command_result replayed(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"schedule", "short.yaml", "--check", "s.json", "--replay", "--length", "64"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return weft(arguments);
  }
};

TEST_F(cli_schedule_deadlock, replay_reports_the_ring_of_waiting_packets_and_fails) {
  const command_result r = replayed({});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "weft: replay without barriers: deadlock\n");
  EXPECT_THAT(r.out, HasSubstr("no packet waits; each of the 4 steps takes as long as its slowest packet alone\n"));
  EXPECT_THAT(r.out, HasSubstr("    without barriers       deadlock\n"));
  EXPECT_THAT(r.out, HasSubstr("holds up: a ring of 8\n"));
  EXPECT_THAT(r.out, HasSubstr("times the schedule with barriers\n"));
}

TEST_F(cli_schedule_deadlock, json_has_the_outcome_of_every_replay) {
  const command_result r = replayed({"--json", "-"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, AllOf(StartsWith("weft: replay without barriers: deadlock\n"), HasSubstr("a ring of 8\n")));
  const json replay = json::parse(r.out)["replay"];
  EXPECT_EQ(replay["kept"], true);
  EXPECT_GT(replay["with_barriers"], 4 * 64);
  EXPECT_TRUE(replay["without_barriers"].is_null());
  EXPECT_EQ(replay["outcomes"],
            json({{"with_barriers", "complete"}, {"twice_as_long", "complete"}, {"without_barriers", "deadlock"}}));
  EXPECT_THAT(replay["explanation"].dump(), HasSubstr("a ring of 8"));
  ASSERT_FALSE(replay["algorithms"].empty());
  for (const json& algorithm : replay["algorithms"]) EXPECT_EQ(algorithm["outcome"], "complete");
}

TEST_F(cli_schedule_deadlock, replay_that_completes_exits_with_status_0) {
  const command_result r = replayed({"--set", "network.router.vcs=2", "--json", "-"});
  EXPECT_EQ(r.status, 0) << r.err;
  const json replay = json::parse(r.out)["replay"];
  EXPECT_EQ(replay["outcomes"]["without_barriers"], "complete");
  EXPECT_GT(replay["without_barriers"], 3 * 64) << "each node sends three messages";
  EXPECT_TRUE(replay["explanation"].empty());
}

TEST_F(cli_schedule_deadlock, collective_command_reports_the_deadlock_and_fails) {
  const command_result r = weft({"collective", "short.yaml"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "weft: deadlock\n");
  EXPECT_THAT(r.out, HasSubstr("a ring of 8\n"));
  EXPECT_THAT(read("results/short.json"), HasSubstr("\"outcome\": \"deadlock\""));
  EXPECT_EQ(weft({"collective", "short.yaml", "--set", "collective.barriers=true"}).status, 0);
}

TEST_F(cli_schedule, same_seed_gives_same_file_for_any_thread_count) {
  const auto with = [this](const char* jobs, const char* seed) {
    const command_result r = weft({"schedule", "ring.yaml", "--collective", "aas", "--jobs", jobs, "--seed", seed, "-o",
                                   "-", "--seconds", "1000000"});
    EXPECT_EQ(r.status, 0) << r.err;
    return r.out;
  };
  const std::string first = with("1", "7");
  EXPECT_THAT(first, StartsWith("{\n  \"format\": \"ccsched/1\",\n"));
  EXPECT_EQ(with("1", "7"), first);
  EXPECT_EQ(with("4", "7"), first);
}

TEST_F(cli_schedule, lists_methods_and_why_some_do_not_apply) {
  const command_result all = weft({"schedule", "--methods"});
  EXPECT_EQ(all.status, 0);
  EXPECT_THAT(all.out, HasSubstr("greedy"));
  EXPECT_THAT(all.out, Not(HasSubstr("does not fit")));
  const command_result here = weft({"schedule", "mesh.yaml", "--collective", "oab", "--methods"});
  EXPECT_EQ(here.status, 0);
  EXPECT_THAT(here.out, HasSubstr("does not fit: "));
}

TEST_F(cli_schedule, check_reports_the_first_fault_and_the_number_of_faults) {
  json file = broadcast_on_a_ring();
  ASSERT_EQ(file["R"], 3);
  file["steps"][2]["transfers"].erase(0);
  write("missing.json", file.dump());
  const command_result missing = weft({"schedule", "--check", "missing.json"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.out, HasSubstr("WRONG: 1 fault\n    after the last step, n"));
  EXPECT_THAT(missing.out, HasSubstr(" lacks the message of n0\n"));
  EXPECT_THAT(missing.err, StartsWith("weft: missing.json: after the last step, n"));

  file = broadcast_on_a_ring();
  std::swap(file["steps"][0], file["steps"][2]);
  write("held.json", file.dump());
  EXPECT_THAT(weft({"schedule", "--check", "held.json", "ring.yaml"}).out,
              HasSubstr("sends the message of n0, which it does not hold before the step\n"));

  file = broadcast_on_a_ring();
  json& both = file["steps"][1]["transfers"];
  both.push_back(file["steps"][0]["transfers"][0]);
  write("clash.json", file.dump());
  const command_result clash = weft({"schedule", "--check", "clash.json"});
  EXPECT_EQ(clash.status, 1);
  EXPECT_THAT(clash.err,
              AllOf(StartsWith("weft: clash.json: step 2: channel "), HasSubstr("serves 1 transfer per step, "
                                                                                "but 2 transfers use it: ")));
  file = broadcast_on_a_ring();
  file["steps"][0]["transfers"][0]["path"].erase(1);
  write("path.json", file.dump());
  EXPECT_THAT(weft({"schedule", "--check", "path.json"}).err,
              StartsWith("weft: path.json: step 1, transfer 1: the path has reached "));
}

TEST_F(cli_schedule, accepts_node_and_router_numbers_and_names) {
  write("named.net.yaml",
        "format: weft-topology-1\nkind: named\nrouters: [{name: a}, {name: r0}, {name: c}]\nlinks: [{from: a, to: r0}, "
        "{from: r0, to: a}, {from: r0, to: c}, {from: c, to: r0}]\nnodes: [a, r0, c]\nrouting: shortest\n");
  write("named.yaml",
        "network: {topology: {kind: file, file: named.net.yaml}}\nschedule: {seconds: 0, collective: oab, root: r2}\n");
  EXPECT_THAT(weft({"schedule", "named.yaml"}).out, HasSubstr("broadcast from n2, 3 nodes"));
  const std::pair<const char*, const char*> roots[] = {{"1", "n1"}, {"n1", "n1"}, {"r0", "n1"}, {"r1", "n1"},
                                                       {"c", "n2"}, {"r2", "n2"}, {"a", "n0"}};
  for (const auto& [root, node] : roots) {
    const command_result r = weft({"schedule", "named.yaml", "--root", root});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr(std::string("broadcast from ") + node + ", 3 nodes")) << root;
  }
  const command_result lists =
      weft({"schedule", "named.yaml", "--collective", "mnb", "--senders", "r1,r2", "--receivers", "a"});
  EXPECT_EQ(lists.status, 0) << lists.err;
  EXPECT_EQ(weft({"schedule", "named.yaml", "--collective", "mnb", "--senders", "r3"}).status, 2);
}

/// On a ring of four, n0 sends to n1 by the longer path.
TEST_F(cli_schedule, checks_minimal_paths_and_message_length_as_requested) {
  write("four.yaml", "network: {topology: {kind: ring, shape: [4]}}\n");
  const command_result r =
      weft({"schedule", "four.yaml", "--collective", "mnb", "--senders", "0", "--receivers", "1", "-o", "-"});
  ASSERT_EQ(r.status, 0) << r.err;
  json file = json::parse(r.out);
  const auto id = [&file](const char* from, const char* to) {
    for (const json& c : file["topology"]["channels"])
      if (c["src"] == from && c["dst"] == to) return c["id"];
    return json();
  };
  file["steps"][0]["transfers"][0]["path"] = {id("n0", "r0"), id("r0", "r3"), id("r3", "r2"), id("r2", "r1"),
                                              id("r1", "n1")};
  write("long.json", file.dump());
  const command_result any = weft({"schedule", "four.yaml", "--check", "long.json"});
  EXPECT_EQ(any.status, 0) << any.err;
  EXPECT_THAT(any.out, HasSubstr("paths up to 2 channels longer than the shortest, one message a transfer"));
  const command_result minimal = weft({"schedule", "four.yaml", "--check", "long.json", "--paths", "minimal"});
  EXPECT_EQ(minimal.status, 1);
  EXPECT_THAT(minimal.err, HasSubstr("the path from n0 to n1 has 5 channels, but a shortest path has 3"));
}

/// Constructions need more steps than the proven bound, so other methods run for long.
TEST_F(cli_schedule, ctrl_c_keeps_the_best_schedule_so_far) {
  // The bound is 30 steps, and no method is known to find fewer than 31.
  write("odd.yaml", "network: {topology: {shape: [5, 5]}}\noutput: {progress: always}\n");
  const auto interrupt = [this](pid_t process) {
    await_err(process, "tabu: ");
    kill(process, SIGINT);
  };
  const command_result r =
      weft({"schedule", "odd.yaml", "--collective", "aas", "--seconds", "1000000", "-o", "best.json"}, interrupt);
  EXPECT_EQ(r.status, 130) << r.err;
  EXPECT_THAT(r.err, HasSubstr("weft: interrupted\n"));
  EXPECT_EQ(weft({"schedule", "--check", "best.json"}).status, 0);
}

TEST_F(cli_schedule, examples_run_from_any_directory) {
  for (const char* const name : {"mesh", "octagon", "fat_tree"}) {
    const command_result r = weft({"schedule", std::string(WEFT_SOURCE_DIR "/examples/schedule_") + name + ".yaml",
                                   "--quiet", "--seconds", "0", "-o", "found.json"});
    EXPECT_EQ(r.status, 0) << name;
    EXPECT_EQ(r.out + r.err, "") << name;
    EXPECT_EQ(weft({"schedule", "--check", "found.json"}).status, 0) << name;
  }
}

TEST_F(cli_schedule, documented_example_passes_the_check) {
  const std::string page = read(WEFT_SOURCE_DIR "/docs/02_user/schedules.md"), fence = "```json\n";
  const std::size_t first = page.find(fence + "{\n  \"format\": \"ccsched/1\"");
  ASSERT_NE(first, std::string::npos);
  const std::size_t begin = first + fence.size();
  write("doc.json", page.substr(begin, page.find("```", begin) - begin));
  const command_result r = weft({"schedule", "--check", "doc.json"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("correct: no step has a conflict, and every node gets its data\n"));
  EXPECT_THAT(r.out, HasSubstr("R optimal: the bound is met\n"));
}

TEST_F(cli_schedule, check_accepts_unconnected_nodes_only_without_traffic) {
  json file = broadcast_on_a_ring();
  file["cores"].push_back("n99");
  write("idle.json", file.dump());
  const command_result idle = weft({"schedule", "--check", "idle.json"});
  EXPECT_EQ(idle.status, 0) << idle.err;
  EXPECT_THAT(idle.out, HasSubstr("correct: no step has a conflict, and every node gets its data\n"));
  EXPECT_EQ(weft({"schedule", "--check", "idle.json", "--json", "idle_report.json"}).status, 0);

  file["dests"].push_back("n99");
  write("lacking.json", file.dump());
  const command_result lacking = weft({"schedule", "--check", "lacking.json"});
  EXPECT_EQ(lacking.status, 1);
  EXPECT_THAT(lacking.out, HasSubstr("WRONG: 1 fault\n"));
  EXPECT_THAT(lacking.err, HasSubstr("lacks the message of n0"));
}

}  // namespace
}  // namespace weft::cli
