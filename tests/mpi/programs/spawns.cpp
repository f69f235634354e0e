// SPDX-License-Identifier: Apache-2.0
/// A program that starts another one and communicates with it.
#include "programs.h"
#include <array>
#include <string>

#include <unistd.h>

namespace weft::mpi_programs {

namespace {

constexpr double Third = 1. / 3;

/// Sends doubles to rank 0 of \p others and receives some, by all kinds of calls; \p first sends first.
bool exchange(MPI_Comm others, bool first) {
  double sent = Third, came = 0;
  MPI_Request q = MPI_REQUEST_NULL;
  bool right = true;
  const auto send = [&](auto call) {
    call();
    right = right && sent == Third;  // unchanged
  };
  const auto receive = [&] {
    came = 0;
    MPI_Recv(&came, 1, MPI_DOUBLE, 0, 0, others, MPI_STATUS_IGNORE);
    right = right && came == Third;
  };
  for (const bool now : {first, !first}) {
    if (!now) {
      for (int i = 0; i < 3; ++i) receive();
      continue;
    }
    send([&] { MPI_Send(&sent, 1, MPI_DOUBLE, 0, 0, others); });
    send([&] {
      MPI_Isend(&sent, 1, MPI_DOUBLE, 0, 0, others, &q);
      MPI_Wait(&q, MPI_STATUS_IGNORE);
    });
    MPI_Send_init(&sent, 1, MPI_DOUBLE, 0, 0, others, &q);
    send([&] {
      MPI_Start(&q);
      MPI_Wait(&q, MPI_STATUS_IGNORE);
    });
    MPI_Request_free(&q);
  }
  return right;
}

/// The part that both programs execute. \p spawned: this is the started one
bool together(MPI_Comm others, const place& at, bool spawned, std::string& what) {
  what = "data from the other program";
  if (at.rank == 0 && !exchange(others, !spawned)) return false;
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Intercomm_merge(others, spawned ? 1 : 0, &all);
  double shared = spawned ? 0 : Third;
  MPI_Bcast(&shared, 1, MPI_DOUBLE, 0, all);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&others);
  what = "data that both programs share";
  return shared == Third;
}

}  // namespace

bool spawns(const place& at, std::string& what) {
  std::array<char, 4096> program{};
  what = "the name of the program";
  if (readlink("/proc/self/exe", program.data(), program.size() - 1) < 0) return false;
  char argument[] = "spawned";
  std::array<char*, 2> arguments{argument, nullptr};
  MPI_Comm others = MPI_COMM_NULL;
  MPI_Comm_spawn(program.data(), arguments.data(), 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
  return together(others, at, false, what);
}

bool spawned(const place& at, std::string& what) {
  MPI_Comm others = MPI_COMM_NULL;
  MPI_Comm_get_parent(&others);
  what = "the program that started it";
  return others != MPI_COMM_NULL && together(others, at, true, what);
}

}  // namespace weft::mpi_programs
