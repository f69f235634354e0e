// SPDX-License-Identifier: Apache-2.0
/// Reports of a replay that does not run to its end.
#include "cli/command.h"
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "weft/mpi/trace/trace_writer.h"

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class mpi_interrupted_replay : public command_test {};

/// The time that a rank spent, according to the result.
std::uint64_t spent(const json& rank) {
  return rank["computing"].get<std::uint64_t>() + rank["receiving"].get<std::uint64_t>() +
         rank["sending"].get<std::uint64_t>();
}

/// An MPI program of two ranks: rank 0 computes for a second, then sends to rank 1, which waits.
void write_long_program(const std::filesystem::path& folder) {
  std::filesystem::create_directory(folder);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    trace_header h;
    h.rank = rank;
    h.ranks = 2;
    trace_writer w((folder / std::to_string(rank)).string(), h);
    w.add(trace_communicator{0, 0, {0, 1}, {}});
    w.add(trace_element{0, 1, data_type::Other, "MPI_BYTE"});
    trace_call c;
    c.kind = rank == 0 ? call_kind::Send : call_kind::Receive;
    c.function = rank == 0 ? mpi_function::Send : mpi_function::Recv;
    c.peer = rank == 0 ? 1 : 0;
    c.bytes = 8;
    c.computing = rank == 0 ? 1'000'000'000'000 : 7;
    w.add(c);
    w.finish();
  }
}

TEST_F(mpi_interrupted_replay, reports_rank_activity_until_the_interruption) {
  write("mesh.yaml", "network: {topology: {shape: [2, 2]}}\n");
  write_long_program(m_directory / "t");
  const auto interrupt = [this](pid_t process) {
    await_err(process, "cycles/s");
    kill(process, SIGINT);
  };
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "--set", "simulation.level=pin", "--set",
                                 "output.progress=always", "--set", "output.csv=true"},
                                interrupt);
  EXPECT_EQ(r.status, 130);
  const json j = json::parse(read("results/mesh.json"));
  const auto cycles = j.at("cycles").get<std::uint64_t>();
  EXPECT_GT(cycles, 7u);
  EXPECT_EQ(j["makespan"], json());
  for (const json& rank : j["ranks"]) {
    EXPECT_EQ(rank["end"], json());
    EXPECT_EQ(spent(rank), cycles);
  }
  EXPECT_EQ(j["ranks"][0]["computing"], cycles);
  EXPECT_EQ(j["ranks"][1]["computing"], 7);
  EXPECT_EQ(j["ranks"][1]["receiving"], cycles - 7);
  EXPECT_THAT(r.out, HasSubstr("cycles until all had stopped"));
  EXPECT_THAT(r.out, ContainsRegex("\n +0 +0 +100.0 % +0.0 % +0.0 % +- "));
  EXPECT_THAT(read("results/mesh.csv"), HasSubstr("," + std::to_string(cycles) + ","));
}

}  // namespace
}  // namespace weft::cli
