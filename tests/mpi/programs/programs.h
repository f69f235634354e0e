// SPDX-License-Identifier: Apache-2.0
/// Small MPI programs of the kinds that people run, each of which verifies its own result: what the recorder is tested
/// on. `mpirun -n N mpi_programs NAME` runs one; its exit status is 0 if the result is right on all ranks.
#pragma once

#include <cstdint>
#include <string>

#include <mpi.h>

namespace weft::mpi_programs {

/// The rank and the number of ranks.
struct place {
  int rank = 0;
  int ranks = 1;
};

// Whether the rank found its part of the result right. \p what: a word for what went wrong, if something did.
bool integer_sort(const place& at, std::string& what);
bool conjugate_gradient(const place& at, std::string& what);
bool fft_transpose(const place& at, std::string& what);
bool ant_colony(const place& at, std::string& what);
bool halo_exchange(const place& at, std::string& what);
bool gradients(const place& at, std::string& what);
/// Every function that the recorder knows, once at least.
bool all_calls(const place& at, std::string& what);
/// Messages from rank 0 to rank 1 and back; WEFT_PING_BYTES, WEFT_PING_TIMES.
bool ping_pong(const place& at, std::string& what);
/// MPI_Irecv(), MPI_Send() and MPI_Wait() of each rank with itself; the same variables.
bool to_itself(const place& at, std::string& what);
/// Collectives with MPI_IN_PLACE, and MPI_Sendrecv_replace(): rank r puts in doubles that are r + 1.
bool in_place(const place& at, std::string& what);
/// All collectives of doubles, on 3 ranks; prints which doubles are cut, a line for each call and rank.
bool collective_cuts(const place& at, std::string& what);
/// A persistent message from rank 0 to rank 1, started by MPI_Start(), MPI_Startall() and MPI_Start() again; rank 1
/// prints which of them came cut.
bool persistent_cuts(const place& at, std::string& what);
/// Doubles of ranks 0 and 1 at MPI_BOTTOM, by types of absolute addresses; prints which of those at rank 1 are cut.
bool bottom_cuts(const place& at, std::string& what);
/// Messages from rank 0 that do not fill the last derived type which rank 1 receives them by; rank 1 prints which
/// doubles of its buffer are cut.
bool part_cuts(const place& at, std::string& what);
/// MPI_Barrier(), and two times MPI_Allgather(), between the group of rank 0 and that of rank 1; each verifies that
/// what came is what the other one has.
bool between_groups(const place& at, std::string& what);
/// Kills rank 1 in the middle.
bool killed(const place& at, std::string& what);
/// Three threads a rank, each 300 times MPI_Irecv(), MPI_Isend(), MPI_Waitall() around the ring.
bool threads(const place& at, std::string& what);
/// Two ranks. In rank 0 a thread is in MPI_Sendrecv() with rank 1, which sends what that waits for only when it has
/// exchanged a message with the other thread, whose calls so begin later and end earlier. Then the same with
/// MPI_Barrier().
bool waiting_threads(const place& at, std::string& what);
/// 20 times two messages of a rank to itself: the second begins, in a thread of its own, as MPI_Waitall() has freed the
/// requests of the first, and gets their handles.
bool reused_request(const place& at, std::string& what);
/// MPI_Probe(), and MPI_Iprobe() and MPI_Test() of what is not there, that take 10 ms of processor time each.
bool slow_probes(const place& at, std::string& what);
/// Starts `spawned`, one rank of it. Rank 0 of both send three doubles to each other, then all share one; none is to
/// change.
bool spawns(const place& at, std::string& what);
bool spawned(const place& at, std::string& what);
/// Doubles of rank 0 in two pages with one between them that is not mapped, by MPI_Type_create_hvector(); prints which
/// of those at rank 1 are cut.
bool hollow_cuts(const place& at, std::string& what);
/// MPI_Sendrecv() from memory that cannot be written.
bool constants(const place& at, std::string& what);
/// A message in each of two copies of a communicator that MPI_Comm_idup() makes; ranks 0 and 1 use the copies in
/// different order.
bool copies(const place& at, std::string& what);
/// Copies of two communicators by MPI_Comm_idup(), and copies of these; rank 0 begins with the first, others with the
/// second. In each, 10 doubles are broadcast, or 400.
bool crossed_copies(const place& at, std::string& what);
/// Two threads, each with a communicator of its own, make 100 copies of it; then 100 by MPI_Comm_create_group() and 100
/// intercommunicators, by a tag of their own. In the first, 10 doubles are broadcast, or 400; in the second, one more;
/// in the last, two more go from each rank to one of the other group.
bool copying_threads(const place& at, std::string& what);
/// Communicators made in every way on 4 ranks, but for MPI_Dist_graph_create(), in which Open MPI 4.1.4 hangs now and
/// then. In each, the first rank broadcasts, or each sends to one of the other group.
bool all_makings(const place& at, std::string& what);
/// MPI_Neighbor_alltoall() on a line of ranks with two ends, 32 bytes to each neighbour.
bool open_grid(const place& at, std::string& what);
/// Rank 1 probes four messages of rank 0 with one tag, two of them by MPI_Improbe(), and receives the last one first.
bool crossed_probes(const place& at, std::string& what);
/// 20,000 messages of 1 kB of each rank to itself; the memory of the process is not to grow by 1 MiB meanwhile, where
/// the payload alone is 20.
bool long_run(const place& at, std::string& what);
/// MPI_Irecv() of what nobody sends, never completed.
bool leaked_receive(const place& at, std::string& what);
/// Two ranks. MPI_Cancel() of a receive that has its message, and of two that nobody sends to.
bool cancelled_receives(const place& at, std::string& what);
/// MPI_Bcast(), a child that is forked and calls exit(), and then MPI_Recv() of what nobody sends, for ever.
bool hangs(const place& at, std::string& what);
/// Ranks 0 and 1 send 2000 bytes to each other, and receive after that.
bool head_on(const place& at, std::string& what);

/// A small generator of random numbers, the same on all machines.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : m_state(seed * 2 + 1) {}
  std::uint32_t next() {
    m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(m_state >> 33);
  }
  double uniform() { return next() / 2147483648.0; }

 private:
  std::uint64_t m_state;
};

}  // namespace weft::mpi_programs
