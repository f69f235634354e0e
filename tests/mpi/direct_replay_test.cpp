// SPDX-License-Identifier: Apache-2.0
// Replays of call orders in which the default collectives would deadlock; the replay uses direct ones instead.
#include "mpi/replay_case.h"
#include "mpi/small_trace.h"
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

using ::testing::HasSubstr;

/// A collective of four ranks with root 0 that one rank ended before another began it, which MPI's own algorithm
/// permitted.
struct early_end {
  mpi_function function;
  std::uint32_t early, late;
  std::uint64_t bytes = 5000;  ///< too long for an eager message

  friend std::ostream& operator<<(std::ostream& out, const early_end& c) {
    return out << name_of(c.function) << " of " << c.bytes << " bytes, rank " << c.early << " before " << c.late;
  }
};

/// Rank `late` enters the collective after it receives a message that rank `early` sends after its part.
void write_early_end(const std::filesystem::path& folder, const early_end& c) {
  constexpr std::uint32_t Ranks = 4;
  const auto write_calls = [c](trace_writer& w, std::uint32_t rank) {
    const auto [function, early, late, bytes] = c;
    trace_call message;
    message.kind = rank == early ? call_kind::Send : call_kind::Receive;
    message.function = rank == early ? mpi_function::Send : mpi_function::Recv;
    message.peer = rank == early ? late : early;
    message.bytes = 8;
    if (rank == late) w.add(message);
    trace_call begin;
    begin.kind = call_kind::Collective;
    begin.function = function;
    begin.root = 0;
    begin.request = 1;
    begin.send_bytes = begin.receive_bytes = bytes;
    w.add(begin);
    trace_call end;
    end.kind = call_kind::Completion;
    end.function = function;
    end.continues = true;
    end.completions.emplace_back();
    end.completions.back().request = 1;
    w.add(end);
    if (rank == early) w.add(message);
    w.finish();
  };
  for (std::uint32_t rank = 0; rank < Ranks; ++rank)
    write_part(folder, rank, world_of(Ranks), [&](trace_writer& w) { write_calls(w, rank); });
}

class mpi_replay_early_end : public mpi_replay, public testing::WithParamInterface<early_end> {};

TEST_P(mpi_replay_early_end, collective_may_end_before_another_rank_starts_it) {
  write_early_end(m_directory / "t", GetParam());
  for (const char* const level : {"engine", "pin"}) {
    const nlohmann::json result = replay({"--set", std::string("simulation.level=") + level});
    expect_sound(result);
    EXPECT_EQ(result["bytes"], 3 * GetParam().bytes + 8);
    EXPECT_THAT(result["warnings"].dump(), HasSubstr("collectives go directly from rank to rank"));
  }
}

std::string name_of_case(const testing::TestParamInfo<early_end>& c) {
  return std::string(name_of(c.param.function)).substr(4) + std::to_string(c.param.early) +
         std::to_string(c.param.late) + (c.param.bytes == 0 ? "_of_nothing" : "");
}

// Leaf and root, leaf and the intermediate rank of a binomial tree, or the reverse.
INSTANTIATE_TEST_SUITE_P(, mpi_replay_early_end,
                         testing::Values(early_end{mpi_function::Gather, 3, 0}, early_end{mpi_function::Reduce, 2, 3},
                                         early_end{mpi_function::Reduce, 3, 2}, early_end{mpi_function::Bcast, 3, 2},
                                         early_end{mpi_function::Bcast, 0, 2}, early_end{mpi_function::Scatter, 0, 3}),
                         name_of_case);
// Without data no rank needs to wait.
INSTANTIATE_TEST_SUITE_P(
    without_data, mpi_replay_early_end,
    testing::Values(early_end{mpi_function::Bcast, 3, 0, 0}, early_end{mpi_function::Reduce, 0, 3, 0},
                    early_end{mpi_function::Gather, 0, 3, 0}, early_end{mpi_function::Scatter, 3, 0, 0},
                    early_end{mpi_function::Allgather, 1, 2, 0}, early_end{mpi_function::Alltoall, 1, 2, 0},
                    early_end{mpi_function::Allreduce, 1, 2, 0}, early_end{mpi_function::ReduceScatterBlock, 1, 2, 0},
                    early_end{mpi_function::Scan, 3, 0, 0}, early_end{mpi_function::Exscan, 3, 0, 0}),
    name_of_case);

}  // namespace
}  // namespace weft::cli
