// SPDX-License-Identifier: Apache-2.0
/// Functions that carry data but are only counted: one-sided communication, and communication with processes of other
/// programs.
#include "weft/mpi/recorder/calls.h"

namespace weft::recorder {

namespace {

template <typename Call>
int count(mpi_function f, Call call) {
  recording& r = the_recording();
  if (!r.on()) return call();
  call_times times;
  const int status = call();
  times.returned();
  const guard g(r.lock);
  r.record_uncovered(f, times);
  return status;
}

}  // namespace

// WEFT_COUNTED(number, function, parameters, arguments) defines a function that is counted.
#define WEFT_COUNTED(Number, Function, Parameters, Arguments)                      \
  int MPI_##Function Parameters {                                                  \
    return count(mpi_function::Number, [&] { return PMPI_##Function Arguments; }); \
  }

// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the names
extern "C" {

// s, n, t: the local data, their count and type; r, m, u: for results; to, at, k, v: target rank, displacement, count
// and type.
WEFT_COUNTED(Put, Put, (const void* s, int n, MPI_Datatype t, int to, MPI_Aint at, int k, MPI_Datatype v, MPI_Win w),
             (s, n, t, to, at, k, v, w))
WEFT_COUNTED(Get, Get, (void* s, int n, MPI_Datatype t, int to, MPI_Aint at, int k, MPI_Datatype v, MPI_Win w),
             (s, n, t, to, at, k, v, w))
WEFT_COUNTED(Accumulate, Accumulate,
             (const void* s, int n, MPI_Datatype t, int to, MPI_Aint at, int k, MPI_Datatype v, MPI_Op op, MPI_Win w),
             (s, n, t, to, at, k, v, op, w))
WEFT_COUNTED(GetAccumulate, Get_accumulate,
             (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, int to, MPI_Aint at, int k,
              MPI_Datatype v, MPI_Op op, MPI_Win w),
             (s, n, t, r, m, u, to, at, k, v, op, w))
WEFT_COUNTED(FetchAndOp, Fetch_and_op,
             (const void* s, void* r, MPI_Datatype t, int to, MPI_Aint at, MPI_Op op, MPI_Win w),
             (s, r, t, to, at, op, w))
WEFT_COUNTED(CompareAndSwap, Compare_and_swap,
             (const void* s, const void* with, void* r, MPI_Datatype t, int to, MPI_Aint at, MPI_Win w),
             (s, with, r, t, to, at, w))
WEFT_COUNTED(Rput, Rput,
             (const void* s, int n, MPI_Datatype t, int to, MPI_Aint at, int k, MPI_Datatype v, MPI_Win w,
              MPI_Request* q),
             (s, n, t, to, at, k, v, w, q))
WEFT_COUNTED(Rget, Rget,
             (void* s, int n, MPI_Datatype t, int to, MPI_Aint at, int k, MPI_Datatype v, MPI_Win w, MPI_Request* q),
             (s, n, t, to, at, k, v, w, q))
WEFT_COUNTED(Raccumulate, Raccumulate,
             (const void* s, int n, MPI_Datatype t, int to, MPI_Aint at, int k, MPI_Datatype v, MPI_Op op, MPI_Win w,
              MPI_Request* q),
             (s, n, t, to, at, k, v, op, w, q))
WEFT_COUNTED(RgetAccumulate, Rget_accumulate,
             (const void* s, int n, MPI_Datatype t, void* r, int m, MPI_Datatype u, int to, MPI_Aint at, int k,
              MPI_Datatype v, MPI_Op op, MPI_Win w, MPI_Request* q),
             (s, n, t, r, m, u, to, at, k, v, op, w, q))
WEFT_COUNTED(CommSpawn, Comm_spawn,
             (const char* program, char* arguments[], int most, MPI_Info i, int root, MPI_Comm c, MPI_Comm* n,
              int errors[]),
             (program, arguments, most, i, root, c, n, errors))
WEFT_COUNTED(CommSpawnMultiple, Comm_spawn_multiple,
             (int count_of, char* programs[], char** arguments[], const int most[], const MPI_Info i[], int root,
              MPI_Comm c, MPI_Comm* n, int errors[]),
             (count_of, programs, arguments, most, i, root, c, n, errors))
WEFT_COUNTED(CommAccept, Comm_accept, (const char* port, MPI_Info i, int root, MPI_Comm c, MPI_Comm* n),
             (port, i, root, c, n))
WEFT_COUNTED(CommConnect, Comm_connect, (const char* port, MPI_Info i, int root, MPI_Comm c, MPI_Comm* n),
             (port, i, root, c, n))
WEFT_COUNTED(CommJoin, Comm_join, (int socket, MPI_Comm* n), (socket, n))

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)

#undef WEFT_COUNTED

}  // namespace weft::recorder
