// SPDX-License-Identifier: Apache-2.0
// Recorded MPI programs, replayed by the command.
#include "mpi/replay_case.h"
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using ::testing::HasSubstr;

class mpi_replay_program : public mpi_replay, public testing::WithParamInterface<const char*> {};

/// The rows of a CSV file without quotes, with columns by name.
std::vector<std::map<std::string, std::string>> rows_in(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::vector<std::string>> cells;
  for (std::string line; std::getline(lines, line);) {
    cells.emplace_back();
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.back().push_back(cell);
  }
  std::vector<std::map<std::string, std::string>> rows;
  for (std::size_t r = 1; r < cells.size(); ++r) {
    rows.emplace_back();
    for (std::size_t i = 0; i < cells[r].size(); ++i) rows.back()[cells[0].at(i)] = cells[r][i];
  }
  return rows;
}

TEST_F(mpi_replay, trace_of_a_killed_program_is_reported_as_incomplete) {
  EXPECT_NE(record("killed", 3), 0);
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "-q"});
  EXPECT_EQ(r.status, 1) << r.err;
  for (const char* rank : {"rank 0, call ", "rank 1, call ", "rank 2, call "}) EXPECT_THAT(r.err, HasSubstr(rank));
  EXPECT_THAT(r.err, HasSubstr("the trace ends here, and the program did not"));
}

TEST_F(mpi_replay, skips_a_receive_that_never_completes) {
  ASSERT_EQ(record("leaked_receive", 2), 0) << read("err");
  expect_sound(replay({"--computing", "0"}));
}

TEST_F(mpi_replay, omits_canceled_receives_without_warning) {
  ASSERT_EQ(record("cancelled_receives", 2), 0) << read("err");
  EXPECT_EQ(metrics()["not_covered"], nlohmann::json::object());
  for (const char* const eager : {"0", "4096"}) {
    const nlohmann::json one = replay({"--computing", "0", "--set", std::string("workload.replay.eager=") + eager});
    expect_sound(one);
    EXPECT_EQ(one["bytes"], 2 * 4 + 2 * 4);  // with MPI_Allreduce() of main()
    EXPECT_EQ(one["warnings"], nlohmann::json::array());
  }
}

TEST_F(mpi_replay, error_for_head_on_sends_suggests_a_larger_eager_limit) {
  ASSERT_EQ(record("head_on", 2), 0) << read("err");
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "-q", "--set", "workload.replay.eager=1000"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("rank 0, call 1, MPI_Send: sends 2000 bytes to rank 1 with tag 4, which receives them "
                               "in call 2, MPI_Recv, but waits in call 1, MPI_Send, before that; with "
                               "`workload.replay.eager: 2000` or more it is sent at once"));
  EXPECT_THAT(r.err, HasSubstr("rank 1, call 1, MPI_Send: sends 2000 bytes to rank 0"));
  expect_sound(replay({"--computing", "0", "--set", "workload.replay.eager=2000"}));
}

TEST_F(mpi_replay, replays_waits_between_threads) {
  ASSERT_EQ(record("waiting_threads", 2), 0) << read("err");
  for (const char* const eager : {"0", "4096"}) {
    const nlohmann::json one = replay({"--set", std::string("workload.replay.eager=") + eager});
    expect_sound(one);
    EXPECT_THAT(one["warnings"].dump(), HasSubstr("2 threads of rank 0 called MPI: their calls keep the order"));
  }
  EXPECT_THAT(weft({"replay", "mesh.yaml", "--trace", "t"}).out,
              HasSubstr("  warning: 2 threads of rank 0 called MPI"));
  ASSERT_EQ(record("threads", 4, "", "u"), 0) << read("err");
  std::string levels[2];
  for (std::string& level : levels) {
    const command_result r = weft({"replay", "mesh.yaml", "--trace", "u", "--computing", "0", "--set",
                                   std::string("simulation.level=") + (&level == levels ? "engine" : "pin")});
    EXPECT_EQ(r.status, 0) << r.err;
    level = r.out;
    EXPECT_THAT(level, HasSubstr("warning: 4 threads of rank 0, and those of 3 more ranks, called MPI"));
  }
  EXPECT_EQ(levels[0], levels[1]);
}

TEST_P(mpi_replay_program, completes_and_compression_keeps_integers) {
  ASSERT_EQ(record(GetParam(), 4, Whole), 0) << read("err");
  expect_sound(replay({"--computing", "0"}));
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "--compare", "--computing", "0"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("selective"));
  const auto modes = rows_in(read("results/mesh.compare.csv"));
  ASSERT_EQ(modes.size(), 3u);
  const auto number = [&modes](std::size_t i, const char* column) { return std::stoull(modes[i].at(column)); };
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(modes[i].at("outcome"), "complete");
    EXPECT_EQ(number(i, "path_computing") + number(i, "path_network"), number(i, "makespan"));
    EXPECT_EQ(number(i, "flits"), number(0, "flits"));
    EXPECT_LE(number(i, "flit_hops"), number(0, "flit_hops"));
  }
  EXPECT_EQ(number(0, "changed_flits"), 0u);
  const bool of_doubles = GetParam() != std::string("integer_sort") && GetParam() != std::string("ant_colony");
  EXPECT_EQ(number(1, "changed_flits") > 0, of_doubles);
  EXPECT_LT(number(1, "flit_hops"), number(0, "flit_hops"));
}

INSTANTIATE_TEST_SUITE_P(, mpi_replay_program,
                         testing::Values("integer_sort", "conjugate_gradient", "fft_transpose", "ant_colony",
                                         "halo_exchange", "gradients"),
                         [](const testing::TestParamInfo<const char*>& program) { return std::string(program.param); });

TEST_F(mpi_replay, every_supported_mpi_function_is_replayed) {
  ASSERT_EQ(record("all_calls", 5, Whole), 0) << read("err");
  for (const char* const eager : {"0", "4096"})
    expect_sound(replay({"--set", std::string("workload.replay.eager=") + eager, "--computing", "0"}));
}

TEST_F(mpi_replay, both_levels_take_the_same_number_of_cycles) {
  ASSERT_EQ(record("ping_pong", 2, Whole), 0) << read("err");
  const nlohmann::json fast = replay({"--computing", "0", "--set", "output.event_log=true"});
  const std::string events = read("results/mesh.events");
  nlohmann::json pins = replay({"--computing", "0", "--set", "simulation.level=pin", "--set", "output.event_log=true"});
  expect_sound(fast);
  EXPECT_EQ(read("results/mesh.events"), events);
  EXPECT_GT(events.size(), 2 * 12'802u);
  for (const char* const what : {"makespan", "critical_path", "ranks", "channels"}) EXPECT_EQ(pins[what], fast[what]);
  // 100 messages of 128 flits, and one flit each way for the final check of main().
  EXPECT_EQ(fast["critical_path"]["messages"], 101);
  EXPECT_EQ(fast["flits"], 12'802);
}

TEST_F(mpi_replay, keys_and_options_give_the_same_result) {
  ASSERT_EQ(record("halo_exchange", 4, Whole), 0) << read("err");
  write("keys.yaml",
        "network: {topology: {kind: mesh, shape: [4, 4]}}\nsimulation: {level: engine, clock: 2}\n"
        "workload: {trace: t, replay: {nodes: [0, 3, 12, 15], computing: 0.5}}\n");
  ASSERT_EQ(weft({"check", "keys.yaml"}).status, 0);
  ASSERT_EQ(weft({"replay", "keys.yaml"}).status, 0);
  const std::string first = read("results/keys.json");
  const nlohmann::json by_keys = nlohmann::json::parse(first);
  const nlohmann::json by_options = replay({"--map", "0,3,12,15", "--computing", "0.5", "--set", "simulation.clock=2"});
  expect_sound(by_keys);
  EXPECT_GT(by_keys["ranks"][0]["computing"], 0);
  EXPECT_EQ(by_keys["ranks"], by_options["ranks"]);
  EXPECT_EQ(by_keys["configuration"]["workload"], by_options["configuration"]["workload"]);
  // A result is a configuration, whatever its folder.
  ASSERT_EQ(weft({"replay", "results/keys.json"}).status, 0);
  EXPECT_EQ(read("results/keys.json"), first);
  for (const char* const command : {"run", "saturation"}) {
    const command_result r = weft({command, "keys.yaml"});
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(
        r.err,
        HasSubstr("keys.yaml:3:19: error: this experiment is a recorded program; simulate it with `weft replay`"));
  }
}

TEST_F(mpi_replay, sweep_points_equal_single_replays) {
  ASSERT_EQ(record("integer_sort", 4, Whole), 0) << read("err");
  const std::vector<std::string> sweep{"sweep",  "mesh.yaml",
                                       "--set",  "workload.trace=t",
                                       "--set",  "workload.replay.computing=0",
                                       "--over", "nic.compression.mode=none,always",
                                       "--over", "network.topology.kind=mesh,torus",
                                       "--over", "workload.replay.map=linear,optimised"};
  const command_result r = weft(sweep);
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("makespan"));
  const auto rows = rows_in(read("results/mesh.sweep.csv"));
  ASSERT_EQ(rows.size(), 8u);
  const nlohmann::json alone = replay({"--computing", "0", "--map", "optimised", "--set", "network.topology.kind=torus",
                                       "--set", "nic.compression.mode=always"});
  EXPECT_EQ(std::to_string(alone["makespan"].get<std::uint64_t>()), rows[7].at("makespan"));
  // The content of the trace identifies stored points, not its name.
  const auto stored = [this] {
    EXPECT_EQ(weft({"export", "results/points.sqlite", "--csv", "all.csv"}).status, 0);
    const std::string table = read("all.csv");
    return std::count(table.begin(), table.end(), '\n') - 1;
  };
  ASSERT_EQ(stored(), 8);
  std::filesystem::rename(m_directory / "t", m_directory / "u");
  std::vector<std::string> again = sweep;
  again[3] = "workload.trace=u";
  EXPECT_EQ(weft(again).status, 0);
  EXPECT_EQ(stored(), 8);
  ASSERT_EQ(record("ant_colony", 4, Whole), 0) << read("err");
  EXPECT_EQ(weft(sweep).status, 0);
  EXPECT_EQ(stored(), 16);
}

TEST_F(mpi_replay, maps_ranks_to_nodes_as_configured) {
  ASSERT_EQ(record("halo_exchange", 4, Whole), 0) << read("err");
  const nlohmann::json linear = replay({"--computing", "0"}), listed = replay({"--map", "0,3,12,15"}),
                       placed = replay({"--map", "optimised"});
  EXPECT_EQ(listed["ranks"][3]["node"], 15);
  EXPECT_GT(listed["mapping_cost"], linear["mapping_cost"]);
  EXPECT_LE(placed["mapping_cost"], linear["mapping_cost"]);
  EXPECT_EQ(linear["ranks"][0]["computing"], 0);
  EXPECT_GT(listed["ranks"][0]["computing"], 0);
}

TEST_F(mpi_replay, uses_the_configured_collective_algorithms) {
  ASSERT_EQ(record("gradients", 4, Whole), 0) << read("err");
  write("mesh.yaml", "network: {topology: {kind: mesh, shape: [2, 2]}}\nsimulation: {level: engine}\n");
  ASSERT_EQ(weft({"schedule", "mesh.yaml", "--collective", "aab", "-o", "s.json", "--seconds", "0"}).status, 0);
  const auto with = [this](const std::string& key, const std::string& value) {
    std::vector<std::string> arguments{"--computing", "0", "--set", "workload.replay.collectives." + key + "=" + value};
    if (value == "schedule")
      arguments.insert(arguments.end(), {"--set", "workload.replay.collectives.schedule=s.json"});
    const nlohmann::json one = replay(arguments);
    expect_sound(one);
    std::uint64_t messages = 0;
    for (const auto& rank : one["ranks"]) messages += rank["messages"].get<std::uint64_t>();
    return messages;
  };
  const std::uint64_t usual = with("all_reduce", "usual");
  // All-reduces up to 10,000 bytes use recursive doubling: 8 messages on 4 ranks. A tree has 6.
  EXPECT_EQ(with("all_reduce", "recursive_doubling"), usual);
  EXPECT_LT(with("all_reduce", "rank_tree"), usual);
  EXPECT_EQ(with("all_reduce", "'usual, rank_tree from 100000000'"), usual);
  // An all-gather around a ring has as many messages as one by trees or by a schedule, if none are joined.
  EXPECT_EQ(with("all_gather", "all_at_once"), usual);
  EXPECT_LE(with("all_gather", "schedule"), usual);
  const command_result r =
      weft({"check", "mesh.yaml", "--set", "workload.trace=t", "--set",
            "workload.replay.collectives.all_reduce=schedule", "--set", "workload.replay.collectives.schedule=s.json"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("workload.replay.collectives.all_reduce: of 4 ranks: schedule: the file is for another "
                               "collective (broadcast from nodes 0,1,2,3 to 0,1,2,3)"));
}

TEST_F(mpi_replay, sweep_over_algorithms_accepts_node_groups) {
  ASSERT_EQ(record("ant_colony", 4), 0) << read("err");
  write("groups.yaml",
        "network: {topology: {kind: mesh, shape: [4, 4]}}\nsimulation: {level: engine}\n"
        "workload: {trace: t, replay: {computing: 0, collectives: {group: [2]}}}\n");
  ASSERT_EQ(weft({"sweep", "groups.yaml", "-q", "--over", "workload.replay.collectives.broadcast=usual,network_coding"})
                .status,
            0);
  const auto rows = rows_in(read("results/groups.sweep.csv"));
  ASSERT_EQ(rows.size(), 2u);
  for (const auto& row : rows) EXPECT_EQ(row.at("outcome"), "complete") << row.at("error");
  EXPECT_NE(rows[0].at("makespan"), rows[1].at("makespan"));
  const command_result r = weft({"replay", "groups.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err,
              HasSubstr("workload.replay.collectives.group has no effect, because no collective uses an algorithm"));
  // A stored point does not make a rejected configuration valid.
  write("groups.yaml",
        "network: {topology: {kind: mesh, shape: [4, 4]}}\nsimulation: {level: engine}\n"
        "workload: {trace: t, replay: {computing: 0, collectives: {broadcast: usual, group: [2]}}}\n");
  EXPECT_EQ(weft({"sweep", "groups.yaml", "-q", "--over", "workload.replay.map=linear"}).status, 2);
}

TEST_F(mpi_replay, rejects_unsuitable_options) {
  ASSERT_EQ(record("ping_pong", 2, "-x WEFT_PING_TIMES=2 -x WEFT_PING_BYTES=8"), 0) << read("err");
  const auto rejected = [this](const std::vector<std::string>& more, const std::string& message) {
    std::vector<std::string> arguments{"replay", "mesh.yaml", "--trace", "t"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr(message));
  };
  rejected({"--map", "0"},
           "--map 0: error: workload.replay.nodes: expected one node for each of 2 ranks, got 1 in all");
  rejected({"--map", "0,16"}, "--map 0,16: error: workload.replay.nodes: expected node numbers from 0 to 15, got 16");
  rejected({"--map", "2,2"}, "--map 2,2: error: workload.replay.nodes: a node is given twice");
  rejected({"--map", "2,2", "--compare"}, "--map 2,2: error: workload.replay.nodes: a node is given twice");
  EXPECT_EQ(weft({"replay", "mesh.yaml", "--trace", "t", "-q", "--compare", "--set", "simulation.level=pin"}).status,
            0);
  rejected({"--map", "near"}, "--map near: error: workload.replay.map: expected one of linear, optimised, got 'near'");
  rejected({"--set", "network.topology.shape=[1, 1]", "--set", "network.topology.nodes_per_router=1"}, "2 to ");
  rejected({"--computing", "-1"}, "--computing -1: error: workload.replay.computing: expected a number from 0 to 1000");
  rejected({"--set", "output.directory=t", "--set", "output.name=rank", "--set", "output.json=false", "--set",
            "workload.replay.packet=0"},
           "workload.replay.packet: expected an integer from 1");
  rejected({"--set", "workload.packet_list=none.txt"}, "workload.packet_list has no effect with workload.trace");
  const command_result none = weft({"replay", "mesh.yaml"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("workload.trace is missing"));
  const command_result alone = weft({"run", "mesh.yaml", "--set", "workload.replay.map=optimised"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.err, HasSubstr("workload.replay.map has no effect without workload.trace"));
  write("big.yaml",
        "network: {topology: {shape: [2, 1]}}\nworkload: {trace: t, replay: {packet: 9}}\n"
        "nic: {compression: {mode: always, buffer: 8}}\n");
  EXPECT_THAT(weft({"check", "big.yaml"}).err, HasSubstr("expected at least 9 flits (the longest packet), got 8"));
}

TEST_F(mpi_replay, network_truncation_equal_to_the_recorded_one_changes_no_flits) {
  ASSERT_EQ(record("conjugate_gradient", 4,
                   std::string(Whole) + " -x 'WEFT_MPI_CUT=20 bits in MPI_Isend; 6 bits in MPI_Allreduce'"),
            0)
      << read("err");
  const auto with = [this](const std::string& rules) {
    return replay(
        {"--computing", "0", "--set", "nic.compression.mode=always", "--set", "workload.replay.cuts=[" + rules + "]"});
  };
  const nlohmann::json same = with("20 bits in MPI_Isend, 6 bits in MPI_Allreduce");
  expect_sound(same);
  EXPECT_EQ(same["changed_flits"], 0);
  EXPECT_GT(same["flits_saved"], 0);
  std::uint64_t saved = 0, compressed = 0, flits = 0;
  for (const auto& rank : same["ranks"]) {
    saved += rank["flits_saved"].get<std::uint64_t>();
    compressed += rank["compressed"].get<std::uint64_t>();
    flits += rank["flits"].get<std::uint64_t>();
    EXPECT_LE(rank["compressed"], rank["messages"]);
  }
  EXPECT_EQ(same["flits_saved"], saved);
  EXPECT_EQ(same["compressed_messages"], compressed);
  EXPECT_EQ(same["flits"], flits);
  EXPECT_GT(with("28 bits")["changed_flits"], 0);
  const nlohmann::json raw = with("raw");
  EXPECT_EQ(raw["changed_flits"], 0);
  EXPECT_EQ(raw["flits_saved"], 0);
  EXPECT_EQ(raw["compressed_messages"], 0);
  EXPECT_EQ(raw["configuration"]["workload"]["replay"]["cuts"], nlohmann::json::array({"raw"}));
}

}  // namespace
}  // namespace weft::cli
