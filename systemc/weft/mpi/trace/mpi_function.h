// SPDX-License-Identifier: Apache-2.0
/// The functions of MPI-3 that a trace can contain, with their numbers. The numbers are part of the file format, so new
/// functions must be appended at the end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

enum class mpi_function : std::uint8_t {
  // Point to point.
  Send,
  Bsend,
  Ssend,
  Rsend,
  Recv,
  Mrecv,
  Sendrecv,
  SendrecvReplace,
  Isend,
  Ibsend,
  Issend,
  Irsend,
  Irecv,
  Imrecv,
  Start,
  Startall,
  // Completion.
  Wait,
  Waitall,
  Waitany,
  Waitsome,
  Test,
  Testall,
  Testany,
  Testsome,
  // Collective. A non-blocking variant has the same number, but its call has a request.
  Barrier,
  Bcast,
  Gather,
  Gatherv,
  Scatter,
  Scatterv,
  Allgather,
  Allgatherv,
  Alltoall,
  Alltoallv,
  Alltoallw,
  Reduce,
  Allreduce,
  ReduceScatter,
  ReduceScatterBlock,
  Scan,
  Exscan,
  NeighborAllgather,
  NeighborAllgatherv,
  NeighborAlltoall,
  NeighborAlltoallv,
  NeighborAlltoallw,
  // These functions carry data between ranks. They are counted but not recorded.
  Put,
  Get,
  Accumulate,
  GetAccumulate,
  FetchAndOp,
  CompareAndSwap,
  Rput,
  Rget,
  Raccumulate,
  RgetAccumulate,
  Cancel,  ///< only in traces of versions before 4
  CommSpawn,
  CommSpawnMultiple,
  CommAccept,
  CommConnect,
  CommJoin,
  IntercommCollective,  ///< any collective on an intercommunicator
  // Matched probes that found a message. The probe is recorded as the receive; MPI_Mrecv() or MPI_Imrecv() completes
  // it.
  Mprobe,
  Improbe,
  OtherProcesses,  ///< any call with processes that were spawned or joined; only counted
};

inline constexpr std::array MpiFunctionNames{
    "MPI_Send",
    "MPI_Bsend",
    "MPI_Ssend",
    "MPI_Rsend",
    "MPI_Recv",
    "MPI_Mrecv",
    "MPI_Sendrecv",
    "MPI_Sendrecv_replace",
    "MPI_Isend",
    "MPI_Ibsend",
    "MPI_Issend",
    "MPI_Irsend",
    "MPI_Irecv",
    "MPI_Imrecv",
    "MPI_Start",
    "MPI_Startall",
    "MPI_Wait",
    "MPI_Waitall",
    "MPI_Waitany",
    "MPI_Waitsome",
    "MPI_Test",
    "MPI_Testall",
    "MPI_Testany",
    "MPI_Testsome",
    "MPI_Barrier",
    "MPI_Bcast",
    "MPI_Gather",
    "MPI_Gatherv",
    "MPI_Scatter",
    "MPI_Scatterv",
    "MPI_Allgather",
    "MPI_Allgatherv",
    "MPI_Alltoall",
    "MPI_Alltoallv",
    "MPI_Alltoallw",
    "MPI_Reduce",
    "MPI_Allreduce",
    "MPI_Reduce_scatter",
    "MPI_Reduce_scatter_block",
    "MPI_Scan",
    "MPI_Exscan",
    "MPI_Neighbor_allgather",
    "MPI_Neighbor_allgatherv",
    "MPI_Neighbor_alltoall",
    "MPI_Neighbor_alltoallv",
    "MPI_Neighbor_alltoallw",
    "MPI_Put",
    "MPI_Get",
    "MPI_Accumulate",
    "MPI_Get_accumulate",
    "MPI_Fetch_and_op",
    "MPI_Compare_and_swap",
    "MPI_Rput",
    "MPI_Rget",
    "MPI_Raccumulate",
    "MPI_Rget_accumulate",
    "MPI_Cancel",
    "MPI_Comm_spawn",
    "MPI_Comm_spawn_multiple",
    "MPI_Comm_accept",
    "MPI_Comm_connect",
    "MPI_Comm_join",
    "collectives of intercommunicators",
    "MPI_Mprobe",
    "MPI_Improbe",
    "calls with processes that were spawned or joined",
};
static_assert(MpiFunctionNames.size() == static_cast<std::size_t>(mpi_function::OtherProcesses) + 1);

constexpr const char* name_of(mpi_function f) { return MpiFunctionNames[static_cast<std::size_t>(f)]; }

/// Whether \p f is a receive that is neither persistent nor part of an exchange.
constexpr bool is_receive(mpi_function f) {
  return f == mpi_function::Recv || f == mpi_function::Mrecv || f == mpi_function::Irecv || f == mpi_function::Imrecv;
}
constexpr bool is_send(mpi_function f) {
  return f <= mpi_function::Rsend || (f >= mpi_function::Isend && f <= mpi_function::Irsend);
}
constexpr bool is_matched_probe(mpi_function f) { return f == mpi_function::Mprobe || f == mpi_function::Improbe; }
constexpr bool is_completion(mpi_function f) { return f >= mpi_function::Wait && f <= mpi_function::Testsome; }
constexpr bool is_collective(mpi_function f) {
  return f >= mpi_function::Barrier && f <= mpi_function::NeighborAlltoallw;
}
/// Whether a call of \p f may have two records, its beginning and its end. Both records belong to one call.
constexpr bool has_end(mpi_function f) {
  return (f <= mpi_function::SendrecvReplace && f != mpi_function::Mrecv) || is_collective(f);
}
constexpr bool is_neighbourhood(mpi_function f) { return is_collective(f) && f >= mpi_function::NeighborAllgather; }
constexpr bool is_recorded(mpi_function f) { return f < mpi_function::Put || is_matched_probe(f); }

/// The operation of a reduction. The numbers are part of the file format.
enum class mpi_operation : std::uint8_t { None, Max, Min, Sum, Product, And, Or, Xor, MaxAt, MinAt, Replace, User };
inline constexpr std::array MpiOperationNames{"",   "max", "min",    "sum",    "prod",    "and",
                                              "or", "xor", "maxloc", "minloc", "replace", "user's"};
static_assert(MpiOperationNames.size() == static_cast<std::size_t>(mpi_operation::User) + 1);

}  // namespace weft
