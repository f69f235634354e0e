// SPDX-License-Identifier: Apache-2.0
// Communicators with equal members: all ranks mean the same one, in whatever order they were made.
#include "mpi/recorded_calls.h"
#include "mpi/replay_case.h"
#include <algorithm>
#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

class mpi_communicators : public mpi_replay {
 protected:
  /// Records a program on 4 ranks: each communicator is told by each of its ranks, once.
  void record_and_examine(const std::string& program) {
    ASSERT_EQ(record(program, 4), 0) << read("err");
    const recorded_calls trace(m_directory / "t");
    for (const auto& [key, by] : trace.told_by) {
      std::vector<std::uint32_t> members = std::get<0>(key);
      members.insert(members.end(), std::get<1>(key).begin(), std::get<1>(key).end());
      std::sort(members.begin(), members.end());
      EXPECT_EQ(by, members) << "ordinal " << std::get<2>(key);
    }
    m_communicators = trace.communicators.size();
  }
  /// What all ranks send in a replay, without the last collective, of main().
  std::uint64_t replayed_bytes(const char* eager) {
    const nlohmann::json one = replay({"--computing", "0", "--set", std::string("workload.replay.eager=") + eager});
    expect_sound(one);
    return one["bytes"].get<std::uint64_t>() - 4 * 2 * 4;
  }

  std::size_t m_communicators = 0;
};

TEST_F(mpi_communicators, copies_begin_in_another_order_at_each_rank) {
  record_and_examine("crossed_copies");
  for (const char* const eager : {"0", "4096"}) EXPECT_EQ(replayed_bytes(eager), 2 * 3 * (10 + 400) * 8);
}

TEST_F(mpi_communicators, threads_make_their_own_at_once) {
  record_and_examine("copying_threads");
  EXPECT_EQ(m_communicators, 1u + 4 + 2 * (1 + 2) + 100 * 2 * 3);
  EXPECT_EQ(replayed_bytes("100000"), 100 * 8 * (3 * (10 + 400) + 3 * (11 + 401) + 4 * (12 + 402)));
}

TEST_F(mpi_communicators, however_they_are_made) {
  record_and_examine("all_makings");
  // World and self; of the world 6, the grid with 2 halves, 2 graphs, 4 + 2 of some ranks, 4 copies; halves, 5 between
  // them, 3 of both.
  EXPECT_EQ(m_communicators, 1u + 4 + 6 + 3 + 2 + 6 + 4 + 2 + 5 + 3);
  for (const char* const eager : {"0", "4096"}) replayed_bytes(eager);
}

}  // namespace
}  // namespace weft::cli
