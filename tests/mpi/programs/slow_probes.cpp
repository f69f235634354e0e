// SPDX-License-Identifier: Apache-2.0
/// Calls that find no message, or only probe, and take a known time. To control the time, the program overrides the
/// PMPI_ functions that the recorder calls.
#include "programs.h"
#include <ctime>
#include <string>

#include <dlfcn.h>

namespace {

bool& slow() {
  static bool on = false;
  return on;
}

/// Takes 10 ms of processor time, if \p slow.
void take_a_while() {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<long>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
  };
  if (!slow()) return;
  for (const long end = now() + 10'000'000; now() < end;) continue;
}

template <typename Function>
Function of_mpi(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,readability-inconsistent-declaration-parameter-name): MPI gives the names
extern "C" {

int PMPI_Probe(int from, int tag, MPI_Comm c, MPI_Status* s) {
  take_a_while();
  return of_mpi<decltype(&PMPI_Probe)>("PMPI_Probe")(from, tag, c, s);
}
int PMPI_Iprobe(int from, int tag, MPI_Comm c, int* flag, MPI_Status* s) {
  take_a_while();
  return of_mpi<decltype(&PMPI_Iprobe)>("PMPI_Iprobe")(from, tag, c, flag, s);
}
int PMPI_Test(MPI_Request* q, int* flag, MPI_Status* s) {
  take_a_while();
  return of_mpi<decltype(&PMPI_Test)>("PMPI_Test")(q, flag, s);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming,readability-inconsistent-declaration-parameter-name)

namespace weft::mpi_programs {

bool slow_probes(const place& at, std::string& what) {
  int sent = 7, came = 0, flag = 0;
  MPI_Request q = MPI_REQUEST_NULL;
  MPI_Isend(&sent, 1, MPI_INT, at.rank, 0, MPI_COMM_WORLD, &q);
  slow() = true;
  MPI_Probe(at.rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  slow() = false;
  MPI_Recv(&came, 1, MPI_INT, at.rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  slow() = true;
  MPI_Iprobe(at.rank, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // there is no message
  slow() = false;
  what = "the probe of a message that was not sent";
  if (flag != 0) return false;
  MPI_Isend(&sent, 1, MPI_INT, at.rank, 0, MPI_COMM_WORLD, &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Irecv(&came, 1, MPI_INT, at.rank, 1, MPI_COMM_WORLD, &q);
  slow() = true;
  MPI_Test(&q, &flag, MPI_STATUS_IGNORE);  // no message has arrived
  slow() = false;
  if (flag != 0) return false;
  MPI_Send(&sent, 1, MPI_INT, at.rank, 1, MPI_COMM_WORLD);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Recv(&came, 1, MPI_INT, at.rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  what = "the received data";
  return came == sent;
}

}  // namespace weft::mpi_programs
