// SPDX-License-Identifier: Apache-2.0
/// Small MPI programs of common kinds for testing the recorder; each verifies its own result.
/// `mpirun -n N mpi_programs NAME` runs one; its exit status is 0 if the result is right on all ranks.
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

// These return whether the rank's part of the result is right. \p what: a word for the error, if any.
bool integer_sort(const place& at, std::string& what);
bool conjugate_gradient(const place& at, std::string& what);
bool fft_transpose(const place& at, std::string& what);
bool ant_colony(const place& at, std::string& what);
bool halo_exchange(const place& at, std::string& what);
bool gradients(const place& at, std::string& what);
/// Calls every function that the recorder supports at least once.
bool all_calls(const place& at, std::string& what);
/// Messages from rank 0 to rank 1 and back; size and number are WEFT_PING_BYTES and WEFT_PING_TIMES.
bool ping_pong(const place& at, std::string& what);
/// MPI_Irecv(), MPI_Send() and MPI_Wait() of each rank with itself; uses the same variables.
bool to_itself(const place& at, std::string& what);
/// Collectives with MPI_IN_PLACE, and MPI_Sendrecv_replace(); the inputs of rank r are doubles equal to r + 1.
bool in_place(const place& at, std::string& what);
/// All collectives of doubles, on 3 ranks; prints which doubles are truncated, one line for each call and rank.
bool collective_truncation(const place& at, std::string& what);
/// A persistent message from rank 0 to rank 1, started by MPI_Start(), MPI_Startall() and MPI_Start() again; rank 1
/// prints which of them arrived truncated.
bool persistent_truncation(const place& at, std::string& what);
/// Doubles of ranks 0 and 1 at MPI_BOTTOM, by types of absolute addresses; prints which ones at rank 1 are truncated.
bool bottom_truncation(const place& at, std::string& what);
/// Messages from rank 0 that do not fill the last derived type of the receive at rank 1; rank 1 prints which doubles
/// of its buffer are truncated.
bool part_truncation(const place& at, std::string& what);
/// MPI_Barrier(), and twice MPI_Allgather(), between the group of rank 0 and that of rank 1; each group verifies that
/// it receives the other's data.
bool between_groups(const place& at, std::string& what);
/// Kills rank 1 in the middle of the run.
bool killed(const place& at, std::string& what);
/// Three threads per rank; each calls MPI_Irecv(), MPI_Isend(), MPI_Waitall() 300 times around the ring.
bool threads(const place& at, std::string& what);
/// Two ranks. In rank 0 one thread is in MPI_Sendrecv() with rank 1. Rank 1 sends the message for it only after it has
/// exchanged a message with the other thread. So the calls of the other thread begin later and end earlier. Then the
/// same with MPI_Barrier().
bool waiting_threads(const place& at, std::string& what);
/// Sends 20 times two messages of a rank to itself. The second begins, in another thread, when MPI_Waitall() has freed
/// the
/// requests of the first, and gets their handles.
bool reused_request(const place& at, std::string& what);
/// MPI_Probe(), and MPI_Iprobe() and MPI_Test() without a message, which take 10 ms of processor time each.
bool slow_probes(const place& at, std::string& what);
/// Starts one rank of `spawned`. Rank 0 of both programs send three doubles to each other, then all share one. The
/// recorder must not change any.
bool spawns(const place& at, std::string& what);
bool spawned(const place& at, std::string& what);
/// Doubles of rank 0 in two pages with an unmapped page between them, by MPI_Type_create_hvector(); prints which ones
/// at rank 1 are truncated.
bool hollow_truncation(const place& at, std::string& what);
/// MPI_Sendrecv() from read-only memory.
bool constants(const place& at, std::string& what);
/// A message in each of two copies of a communicator, made by MPI_Comm_idup(); ranks 0 and 1 use the copies in
/// different order.
bool copies(const place& at, std::string& what);
/// Copies of two communicators by MPI_Comm_idup(), and copies of these; rank 0 begins with the first, others with the
/// second. In each, one rank broadcasts 10 or 400 doubles.
bool crossed_copies(const place& at, std::string& what);
/// Two threads, each with its own communicator, make 100 copies of it; then 100 communicators by
/// MPI_Comm_create_group() and 100 intercommunicators, each thread with its own tag. In the copies one rank broadcasts
/// 10 or 400 doubles; in the groups one more; in the intercommunicators each rank sends two more to one of the other
/// group.
bool copying_threads(const place& at, std::string& what);
/// Communicators by every constructor on 4 ranks, except MPI_Dist_graph_create(), in which Open MPI 4.1.4 sometimes
/// hangs. In each, the first rank broadcasts, or each rank sends to one of the other group.
bool all_makings(const place& at, std::string& what);
/// MPI_Neighbor_alltoall() on a line of ranks with two ends, 32 bytes to each neighbor.
bool open_grid(const place& at, std::string& what);
/// Rank 1 probes four messages of rank 0 with one tag, two of them by MPI_Improbe(), and receives the last one first.
bool crossed_probes(const place& at, std::string& what);
/// 20,000 messages of 1 kB of each rank to itself. The memory of the process must grow by less than 1 MiB meanwhile,
/// although the payload has 20.
bool long_run(const place& at, std::string& what);
/// MPI_Irecv() without a matching send, never completed.
bool leaked_receive(const place& at, std::string& what);
/// Two ranks. MPI_Cancel() of a receive that has its message, and of two without a matching send.
bool cancelled_receives(const place& at, std::string& what);
/// MPI_Bcast(), a child process that calls exit(), and then MPI_Recv() without a matching send, forever.
bool hangs(const place& at, std::string& what);
/// Ranks 0 and 1 send 2000 bytes to each other, and receive afterwards.
bool head_on(const place& at, std::string& what);

/// A small random generator, the same on all machines.
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
