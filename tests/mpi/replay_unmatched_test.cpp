// SPDX-License-Identifier: Apache-2.0
// Replays with calls that find no partner: which calls they report, and why.
#include "mpi/replay_case.h"
#include "mpi/small_trace.h"
#include <cstdint>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(mpi_replay, error_names_calls_without_a_partner) {
  ASSERT_EQ(record("ping_pong", 2, "-x WEFT_PING_TIMES=2000 -x WEFT_PING_BYTES=8"), 0) << read("err");
  // One block of 16 KiB of rank 1 remains.
  std::filesystem::resize_file(m_directory / "t/rank.00001", 20'000);
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "--computing", "0"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, StartsWith("weft: undelivered"));
  EXPECT_THAT(r.out, HasSubstr("MPI_Recv: waits for a message from rank 1 with tag 3, which does not send it\n"));
}

/// A rank that posts MPI_Irecv() from any source and never completes it, and one that sends with \p tag. \p ends:
/// whether the first rank runs to its end.
void write_open_receive(const std::filesystem::path& folder, bool ends, std::int64_t tag) {
  for (const std::uint32_t rank : {0, 1})
    write_part(folder, rank, world_of(2), [=](trace_writer& w) {
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

TEST_F(mpi_replay, open_receive_from_any_source_accepts_leftover_message) {
  // Too long for an eager message, so its sender waits for the receive.
  write_open_receive(m_directory / "t", true, 9);
  expect_sound(replay({}));
}

TEST_F(mpi_replay, unmatched_calls_mention_threads_as_a_possible_cause) {
  // Rank 0 sends the message that rank 1 receives after one that another thread of rank 0 sends later.
  for (const std::uint32_t rank : {0, 1})
    write_part(m_directory / "t", rank, world_of(2), [rank](trace_writer& w) {
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

TEST_F(mpi_replay, rejects_inconsistent_collectives) {
  for (const std::uint32_t rank : {0, 1})
    write_part(m_directory / "t", rank, world_of(2), [rank](trace_writer& w) {
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

TEST_F(mpi_replay, error_names_ranks_that_wait_inside_the_same_collective) {
  // Rank 3 never arrives; rank 2 waits for it, and rank 0 for rank 2.
  for (std::uint32_t rank = 0; rank < 4; ++rank)
    write_part(m_directory / "t", rank, world_of(4), [rank](trace_writer& w) {
      trace_call c;
      c.kind = call_kind::Collective;
      c.function = mpi_function::Reduce;
      c.root = 0;
      c.send_bytes = 8;
      if (rank != 3) w.add(c);
      w.finish();
    });
  const command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "-q"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err,
              HasSubstr("rank 0, call 1, MPI_Reduce: waits for a message from rank 2, which is in that call, too, "
                        "and waits for another message first\n"));
  EXPECT_THAT(r.err,
              HasSubstr("rank 2, call 1, MPI_Reduce: waits for a message from rank 3, which does not send it\n"));
}

TEST_F(mpi_replay, error_for_an_unmatched_receive_mentions_any_source) {
  write_open_receive(m_directory / "t", false, 8);
  command_result r = weft({"replay", "mesh.yaml", "--trace", "t", "-q"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err,
              HasSubstr("rank 0, call 1, MPI_Irecv: waits for a message from any source with tag 9, which nobody "
                        "sends\n"));
  EXPECT_THAT(r.err,
              HasSubstr("rank 1, call 1, MPI_Send: sends 5000 bytes to rank 0 with tag 8, which does not receive "
                        "them"));
  // With a matching message there is no report.
  write_open_receive(m_directory / "u", false, 9);
  r = weft({"replay", "mesh.yaml", "--trace", "u", "-q"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("rank 0, call 1, MPI_Irecv: the trace ends here"));
  EXPECT_THAT(r.err, Not(HasSubstr("nobody sends")));
}

}  // namespace
}  // namespace weft::cli
