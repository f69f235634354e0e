// SPDX-License-Identifier: Apache-2.0
#include "programs.h"
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

namespace weft::mpi_programs {

namespace {

int number(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::stoi(text) : otherwise;
}

}  // namespace

bool ping_pong(const place& at, std::string& what) {
  const int bytes = number("WEFT_PING_BYTES", 1024), times = number("WEFT_PING_TIMES", 100);
  std::vector<char> ball(static_cast<std::size_t>(bytes), 'x');
  if (at.rank > 1) return true;
  for (int i = 0; i < times; ++i) {
    if (at.rank == i % 2) {
      ball[0] = static_cast<char>(i);
      MPI_Send(ball.data(), bytes, MPI_CHAR, 1 - at.rank, 3, MPI_COMM_WORLD);
    } else {
      MPI_Recv(ball.data(), bytes, MPI_CHAR, 1 - at.rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  what = "the ball";
  return times == 0 || ball[0] == static_cast<char>(times - 1);
}

bool to_itself(const place& at, std::string& what) {
  const int bytes = number("WEFT_PING_BYTES", 1024), times = number("WEFT_PING_TIMES", 100);
  std::vector<char> sent(static_cast<std::size_t>(bytes), 'x'), came(sent.size());
  for (int i = 0; i < times; ++i) {
    MPI_Request q = MPI_REQUEST_NULL;
    sent[0] = static_cast<char>(i);
    MPI_Irecv(came.data(), bytes, MPI_CHAR, at.rank, 3, MPI_COMM_WORLD, &q);
    MPI_Send(sent.data(), bytes, MPI_CHAR, at.rank, 3, MPI_COMM_WORLD);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
  }
  what = "the received data";
  return came == sent;
}

bool killed(const place& at, std::string& /*what*/) {
  for (int i = 0; i < 20'000; ++i) {
    int value = i;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (at.rank == 1) kill(getpid(), SIGKILL);
  MPI_Barrier(MPI_COMM_WORLD);
  return true;
}

}  // namespace weft::mpi_programs
