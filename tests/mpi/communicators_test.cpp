// SPDX-License-Identifier: Apache-2.0
// Communicators with equal members: all ranks refer to the same one, in whatever order they were created.
#include "mpi/recorded_calls.h"
#include "mpi/replay_case.h"
#include "mpi/small_trace.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

class mpi_communicators : public mpi_replay {
 protected:
  /// Records a program on 4 ranks. Each rank must record each of its communicators exactly once.
  void record_and_examine(const std::string& program) {
    ASSERT_EQ(record(program, 4), 0) << read("err");
    const recorded_calls trace(m_directory / "t");
    for (const auto& [key, by] : trace.recorded_by) {
      std::vector<std::uint32_t> members = std::get<0>(key);
      members.insert(members.end(), std::get<1>(key).begin(), std::get<1>(key).end());
      std::sort(members.begin(), members.end());
      EXPECT_EQ(by, members) << "ordinal " << std::get<2>(key);
    }
    m_communicators = trace.communicators.size();
  }
  /// Bytes that all ranks send in a replay, without the last collective, which belongs to main().
  std::uint64_t replayed_bytes(const char* eager) {
    const nlohmann::json one = replay({"--computing", "0", "--set", std::string("workload.replay.eager=") + eager});
    expect_sound(one);
    return one["bytes"].get<std::uint64_t>() - 4 * 2 * 4;
  }

  std::size_t m_communicators = 0;
};

TEST_F(mpi_communicators, are_distinct_when_ranks_copy_in_different_order) {
  record_and_examine("crossed_copies");
  for (const char* const eager : {"0", "4096"}) EXPECT_EQ(replayed_bytes(eager), 2 * 3 * (10 + 400) * 8);
}

TEST_F(mpi_communicators, are_distinct_when_created_by_concurrent_threads) {
  record_and_examine("copying_threads");
  EXPECT_EQ(m_communicators, 1u + 4 + 2 * (1 + 2) + 100 * 2 * 3);
  EXPECT_EQ(replayed_bytes("100000"), 100 * 8 * (3 * (10 + 400) + 3 * (11 + 401) + 4 * (12 + 402)));
}

TEST_F(mpi_communicators, created_by_any_constructor_are_recorded) {
  record_and_examine("all_makings");
  // World and self; derived from the world: 6, the grid with 2 halves, 2 graphs, 4 + 2 of some ranks, 4 copies; halves,
  // 5 between them, 3 of both.
  EXPECT_EQ(m_communicators, 1u + 4 + 6 + 3 + 2 + 6 + 4 + 2 + 5 + 3);
  for (const char* const eager : {"0", "4096"}) replayed_bytes(eager);
}

/// Two ranks begin a broadcast in each of two communicators: rank 0 first in the first one, rank 1 first in the second
/// one.
void write_broadcasts(const std::filesystem::path& folder, const std::array<std::uint64_t, 2>& ordinals) {
  const std::vector<trace_communicator> both = {{0, ordinals[0], {0, 1}, {}}, {1, ordinals[1], {0, 1}, {}}};
  const auto write_calls = [](trace_writer& w, std::uint32_t rank) {
    trace_call end;
    end.kind = call_kind::Completion;
    end.function = mpi_function::Waitall;
    for (const std::uint32_t request : {1, 2}) {
      trace_call begin;
      begin.kind = call_kind::Collective;
      begin.function = mpi_function::Bcast;
      begin.communicator = request == 1 ? rank : 1 - rank;
      begin.root = begin.communicator;
      begin.send_bytes = begin.receive_bytes = 100 + begin.communicator;
      begin.request = request;
      w.add(begin);
      end.completions.emplace_back();
      end.completions.back().request = request;
    }
    w.add(end);
    w.finish();
  };
  for (const std::uint32_t rank : {0, 1})
    write_part(folder, rank, both, [&](trace_writer& w) { write_calls(w, rank); });
}

TEST_F(mpi_communicators, are_distinguished_by_every_bit_of_their_ordinal) {
  constexpr std::uint64_t Ordinal = 0x123456789abcdef0;
  for (const unsigned bit : {0, 31, 32, 63}) {
    std::filesystem::remove_all(m_directory / "t");
    write_broadcasts(m_directory / "t", {Ordinal, Ordinal ^ std::uint64_t{1} << bit});
    const nlohmann::json one = replay({});
    expect_sound(one);
    EXPECT_EQ(one["bytes"], 100 + 101) << bit;
  }
}

}  // namespace
}  // namespace weft::cli
