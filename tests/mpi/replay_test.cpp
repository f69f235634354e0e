// SPDX-License-Identifier: Apache-2.0
// Recorded MPI programs, replayed by the command.
#include "mpi/recording.h"
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class mpi_replay : public recording_test {
 protected:
  void SetUp() override {
    recording_test::SetUp();
    write("mesh.yaml", "network: {topology: {kind: mesh, shape: [4, 4]}}\nsimulation: {level: tlm}\n");
  }

  nlohmann::json replay(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"replay", "mesh.yaml", "--trace", "t", "--json", "-"});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 0) << r.err;
    return nlohmann::json::parse(r.out)["replays"];
  }

  /// What holds of every replay that ended.
  static void expect_sound(const nlohmann::json& one) {
    EXPECT_EQ(one["outcome"], "complete");
    EXPECT_EQ(
        one["critical_path"]["computing"].get<std::uint64_t>() + one["critical_path"]["network"].get<std::uint64_t>(),
        one["makespan"]);
    std::uint64_t sent = 0;
    for (const auto& rank : one["ranks"]) {
      sent += rank["bytes"].get<std::uint64_t>();
      EXPECT_EQ(rank["computing"].get<std::uint64_t>() + rank["receiving"].get<std::uint64_t>() +
                    rank["sending"].get<std::uint64_t>(),
                rank["end"]);
    }
    EXPECT_EQ(one["bytes"], sent);
  }
};

class mpi_replay_program : public mpi_replay, public testing::WithParamInterface<const char*> {};

TEST_P(mpi_replay_program, all_of_it_arrives_and_compression_loses_nothing_of_integers) {
  ASSERT_EQ(record(GetParam(), 4, Whole), 0) << read("err");
  const nlohmann::json modes = replay({"--compare", "--computing", "0"});
  ASSERT_EQ(modes.size(), 3u);
  for (const auto& one : modes) {
    expect_sound(one);
    EXPECT_EQ(one["flits"], modes[0]["flits"]);
    EXPECT_LE(one["flit_hops"], modes[0]["flit_hops"]);
  }
  EXPECT_EQ(modes[0]["changed_flits"], 0);
  const bool of_doubles = GetParam() != std::string("integer_sort") && GetParam() != std::string("ant_colony");
  EXPECT_EQ(modes[1]["changed_flits"] > 0, of_doubles);
  EXPECT_LT(modes[1]["flit_hops"], modes[0]["flit_hops"]);
}

INSTANTIATE_TEST_SUITE_P(, mpi_replay_program,
                         testing::Values("integer_sort", "conjugate_gradient", "fft_transpose", "ant_colony",
                                         "halo_exchange", "gradients"),
                         [](const testing::TestParamInfo<const char*>& program) { return std::string(program.param); });

TEST_F(mpi_replay, every_function_is_replayed) {
  ASSERT_EQ(record("all_calls", 5, Whole), 0) << read("err");
  for (const char* const eager : {"0", "4096"}) expect_sound(replay({"--eager", eager, "--computing", "0"})[0]);
}

TEST_F(mpi_replay, both_levels_take_the_same_cycles) {
  ASSERT_EQ(record("ping_pong", 2, Whole), 0) << read("err");
  const nlohmann::json fast = replay({"--computing", "0"})[0];
  nlohmann::json pins = replay({"--computing", "0", "--set", "simulation.level=pin"})[0];
  expect_sound(fast);
  EXPECT_EQ(pins, fast);
  // 100 messages of 128 flits, and one flit each way to agree that all is well.
  EXPECT_EQ(fast["critical_path"]["messages"], 101);
  EXPECT_EQ(fast["flits"], 12'802);
}

TEST_F(mpi_replay, places_of_ranks_are_chosen) {
  ASSERT_EQ(record("halo_exchange", 4, Whole), 0) << read("err");
  const nlohmann::json linear = replay({"--computing", "0"})[0], listed = replay({"--map", "0,3,12,15"})[0],
                       placed = replay({"--map", "optimised"})[0];
  EXPECT_EQ(listed["ranks"][3]["node"], 15);
  EXPECT_GT(listed["mapping_cost"], linear["mapping_cost"]);
  EXPECT_LE(placed["mapping_cost"], linear["mapping_cost"]);
  EXPECT_EQ(linear["ranks"][0]["computing"], 0);
  EXPECT_GT(listed["ranks"][0]["computing"], 0);
  const auto refused = [this](const std::vector<std::string>& more, const std::string& message) {
    std::vector<std::string> arguments{"replay", "mesh.yaml", "--trace", "t"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr(message));
  };
  refused({"--map", "0,1"}, "--map 0,1: error: names 2 nodes, expected one for each of 4 ranks");
  refused({"--map", "0,1,2,16"}, "--map 0,1,2,16: error: there is no node 16; the network has 16");
  refused({"--map", "0,1,2,2"}, "--map 0,1,2,2: error: names a node twice");
  refused({"--map", "near"}, "--map near: error: expected linear, optimised, or a node for each rank");
  refused({"--set", "network.topology.shape=[3, 1]"}, "the network has 3 nodes, the program 4 ranks");
  refused({"--compare", "--set", "simulation.level=pin"}, "--compare: error: takes simulation.level=tlm");
  refused({"--json", "t/rank.00000"}, "--json t/rank.00000: error: ");
}

TEST_F(mpi_replay, calls_without_partner_are_named) {
  ASSERT_EQ(record("ping_pong", 2, "-x WEFT_PING_TIMES=2000 -x WEFT_PING_BYTES=8"), 0) << read("err");
  // Of rank 1 one block of 16 KiB is left.
  std::filesystem::resize_file(m_directory / "t/rank.00001", 20'000);
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "--computing", "0"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, StartsWith("weft: undelivered"));
  EXPECT_THAT(r.out, HasSubstr("MPI_Recv: waits for a message from rank 1 with tag 3, which does not send it\n"));
}

}  // namespace
}  // namespace weft::cli
