// SPDX-License-Identifier: Apache-2.0
// Replays in which calls find no partner: which, and why.
#include "mpi/replay_case.h"
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "weft/trace/trace_writer.h"

namespace weft::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(mpi_replay, calls_without_partner_are_named) {
  ASSERT_EQ(record("ping_pong", 2, "-x WEFT_PING_TIMES=2000 -x WEFT_PING_BYTES=8"), 0) << read("err");
  // Of rank 1 one block of 16 KiB is left.
  std::filesystem::resize_file(m_directory / "t/rank.00001", 20'000);
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "--computing", "0"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, StartsWith("weft: undelivered"));
  EXPECT_THAT(r.out, HasSubstr("MPI_Recv: waits for a message from rank 1 with tag 3, which does not send it\n"));
}

/// The part of rank \p rank of \p ranks, with what \p tell writes after communicator 0, of all, and element 0, a byte.
template <typename Tell>
void write_part(const std::filesystem::path& folder, std::uint32_t rank, Tell tell, std::uint32_t ranks = 2) {
  std::filesystem::create_directory(folder);
  trace_header h;
  h.rank = rank;
  h.ranks = ranks;
  trace_writer w((folder / ("rank." + std::to_string(rank))).string(), h);
  std::vector<std::uint32_t> all(ranks);
  std::iota(all.begin(), all.end(), 0U);
  w.add(trace_communicator{0, 0, all, {}});
  w.add(trace_element{0, 1, data_type::Other, "MPI_BYTE"});
  tell(w);
}

/// A rank that posts MPI_Irecv() from any source, which it never completes, and one that sends with this tag; the first
/// one comes to its end or does not.
void write_open_receive(const std::filesystem::path& folder, bool ends, std::int64_t tag) {
  for (const std::uint32_t rank : {0, 1})
    write_part(folder, rank, [=](trace_writer& w) {
      trace_call c;
      c.kind = rank == 0 ? call_kind::Receive : call_kind::Send;
      c.function = rank == 0 ? mpi_function::Irecv : mpi_function::Send;
      c.peer = rank == 0 ? AnyRank : 0;
      c.any_source = rank == 0;
      c.tag = rank == 0 ? 9 : tag;
      c.bytes = 5000;
      c.request = rank == 0 ? 1 : 0;
      w.add(c);
      if (rank == 1 || ends) w.finish();
    });
}

TEST_F(mpi_replay, an_open_receive_from_any_source_takes_what_nobody_else_does) {
  // Longer than what is sent at once: its sender waits for the receive.
  write_open_receive(m_directory / "t", true, 9);
  expect_sound(replay({}));
}

TEST_F(mpi_replay, where_calls_find_no_partner_threads_may_be_why) {
  // Rank 0 sends what rank 1 receives after what another thread of rank 0 sends next.
  for (const std::uint32_t rank : {0, 1})
    write_part(m_directory / "t", rank, [rank](trace_writer& w) {
      for (const int tag : {int(rank), 1 - int(rank)}) {
        if (rank == 0 && tag == 1) w.add_threads(2);
        trace_call c;
        c.kind = rank == 0 ? call_kind::Send : call_kind::Receive;
        c.function = rank == 0 ? mpi_function::Send : mpi_function::Recv;
        c.peer = 1 - int(rank);
        c.tag = tag;
        c.bytes = 2000;
        w.add(c);
      }
      w.finish();
    });
  expect_sound(replay({}));
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "-q", "--set", "workload.replay.eager=1000"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err,
              HasSubstr("rank 0, call 1, MPI_Send: sends 2000 bytes to rank 1 with tag 0, which receives them in "
                        "call 2, MPI_Recv, but waits in call 1, MPI_Recv, before that"));
  EXPECT_THAT(r.err, HasSubstr("2 threads of rank 0 called MPI: their calls keep the order that they had in the "
                               "recording, so a call that waits holds up those of other threads: where a send waits, "
                               "try a larger `workload.replay.eager`"));
}

/// What a rank of four ended before another one began it, since MPI's own algorithm let it. With root 0.
struct early_end {
  mpi_function function;
  std::uint32_t early, late;
  std::uint64_t bytes = 5000;  ///< longer than what is sent at once

  friend std::ostream& operator<<(std::ostream& out, const early_end& c) {
    return out << name_of(c.function) << " of " << c.bytes << " bytes, rank " << c.early << " before " << c.late;
  }
};

/// Rank `late` enters the collective when a message comes that rank `early` sends behind it.
void write_early_end(const std::filesystem::path& folder, const early_end& c) {
  constexpr std::uint32_t Ranks = 4;
  const auto tell = [c](trace_writer& w, std::uint32_t rank) {
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
    write_part(
        folder, rank, [&](trace_writer& w) { tell(w, rank); }, Ranks);
}

class mpi_replay_early_end : public mpi_replay, public testing::WithParamInterface<early_end> {};

TEST_P(mpi_replay_early_end, comes_before_another_rank_begins) {
  write_early_end(m_directory / "t", GetParam());
  for (const char* const level : {"tlm", "pin"}) {
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

// Leaf and root, leaf and the rank between in a binomial tree, or the other way round.
INSTANTIATE_TEST_SUITE_P(, mpi_replay_early_end,
                         testing::Values(early_end{mpi_function::Gather, 3, 0}, early_end{mpi_function::Reduce, 2, 3},
                                         early_end{mpi_function::Reduce, 3, 2}, early_end{mpi_function::Bcast, 3, 2},
                                         early_end{mpi_function::Bcast, 0, 2}, early_end{mpi_function::Scatter, 0, 3}),
                         name_of_case);
// Without data nobody needs to wait.
INSTANTIATE_TEST_SUITE_P(
    of_nothing, mpi_replay_early_end,
    testing::Values(early_end{mpi_function::Bcast, 3, 0, 0}, early_end{mpi_function::Reduce, 0, 3, 0},
                    early_end{mpi_function::Gather, 0, 3, 0}, early_end{mpi_function::Scatter, 3, 0, 0},
                    early_end{mpi_function::Allgather, 1, 2, 0}, early_end{mpi_function::Alltoall, 1, 2, 0},
                    early_end{mpi_function::Allreduce, 1, 2, 0}, early_end{mpi_function::ReduceScatterBlock, 1, 2, 0},
                    early_end{mpi_function::Scan, 3, 0, 0}, early_end{mpi_function::Exscan, 3, 0, 0}),
    name_of_case);

TEST_F(mpi_replay, ranks_that_mean_different_things_by_a_collective_are_refused) {
  for (const std::uint32_t rank : {0, 1})
    write_part(m_directory / "t", rank, [rank](trace_writer& w) {
      trace_call c;
      c.kind = call_kind::Collective;
      c.function = mpi_function::Bcast;
      c.root = 0;
      c.send_bytes = rank == 0 ? 80 : 3200;
      w.add(c);
      w.finish();
    });
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "-q"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
            "--trace t: error: call 1 of rank 0, MPI_Bcast of 80 bytes with root 0, and call 1 of rank 1, MPI_Bcast of "
            "3200 bytes with root 0, are collective 1 of one communicator; expected the same. Either the program is "
            "wrong, or the trace, of an earlier recorder, mixes up communicators with the same members: record it "
            "again\n");
}

TEST_F(mpi_replay, who_is_in_a_collective_too_is_told_so) {
  // Rank 3 never comes; rank 2 waits for it, and rank 0 for rank 2.
  for (std::uint32_t rank = 0; rank < 4; ++rank)
    write_part(
        m_directory / "t", rank,
        [rank](trace_writer& w) {
          trace_call c;
          c.kind = call_kind::Collective;
          c.function = mpi_function::Reduce;
          c.root = 0;
          c.send_bytes = 8;
          if (rank != 3) w.add(c);
          w.finish();
        },
        4);
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "-q"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err,
              HasSubstr("rank 0, call 1, MPI_Reduce: waits for a message from rank 2, which is in that call, too, "
                        "and waits for another message first\n"));
  EXPECT_THAT(r.err,
              HasSubstr("rank 2, call 1, MPI_Reduce: waits for a message from rank 3, which does not send it\n"));
}

TEST_F(mpi_replay, a_receive_from_any_source_is_told_as_one) {
  write_open_receive(m_directory / "t", false, 8);
  command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "-q"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err,
              HasSubstr("rank 0, call 1, MPI_Irecv: waits for a message from any source with tag 9, which nobody "
                        "sends\n"));
  EXPECT_THAT(r.err,
              HasSubstr("rank 1, call 1, MPI_Send: sends 5000 bytes to rank 0 with tag 8, which does not receive "
                        "them"));
  // Where there is one, it is not.
  write_open_receive(m_directory / "u", false, 9);
  r = weft({"replay", "mesh.yaml", "--trace", "u", "-q"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("rank 0, call 1, MPI_Irecv: the trace ends here"));
  EXPECT_THAT(r.err, Not(HasSubstr("nobody sends")));
}

}  // namespace
}  // namespace weft::cli
