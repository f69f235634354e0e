// SPDX-License-Identifier: Apache-2.0
/// Programs with rare behavior: threads that communicate concurrently, messages from constants, a grid with an
/// edge, a receive that is never completed, a hang.
#include "programs.h"
#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace weft::mpi_programs {

bool threads(const place& at, std::string& what) {
  constexpr int Times = 300, Threads = 3;
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  what = "the support for threads";
  if (provided != MPI_THREAD_MULTIPLE) return false;
  std::array<int, Threads> wrong{};
  const auto exchange = [&](int thread) {
    for (int i = 0; i < Times; ++i) {
      std::array<MPI_Request, 2> both{};
      int sent = i, came = -1;
      MPI_Irecv(&came, 1, MPI_INT, (at.rank + at.ranks - 1) % at.ranks, thread, MPI_COMM_WORLD, &both[0]);
      MPI_Isend(&sent, 1, MPI_INT, (at.rank + 1) % at.ranks, thread, MPI_COMM_WORLD, &both[1]);
      MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
      if (came != i) ++wrong[static_cast<std::size_t>(thread)];
    }
  };
  std::vector<std::thread> all;
  for (int t = 0; t < Threads; ++t) all.emplace_back(exchange, t);
  for (std::thread& t : all) t.join();
  what = "a message of a thread";
  return wrong == std::array<int, Threads>{};
}

bool waiting_threads(const place& at, std::string& what) {
  enum { First, Second, Request, Answer };
  const int other = 1 - at.rank;
  MPI_Comm world = MPI_COMM_WORLD, copy = MPI_COMM_NULL;
  MPI_Comm_dup(world, &copy);
  std::array<int, 3> came{};
  const auto answers = [&] {
    MPI_Recv(&came[1], 1, MPI_INT, MPI_ANY_SOURCE, Request, world, MPI_STATUS_IGNORE);
    MPI_Ssend(&came[1], 1, MPI_INT, other, Answer, world);
  };
  const auto send_and_check = [&] {
    const int value = 5;
    MPI_Ssend(&value, 1, MPI_INT, other, Request, world);
    MPI_Recv(&came[2], 1, MPI_INT, other, Answer, world, MPI_STATUS_IGNORE);
  };
  const int sent = 7;
  if (at.rank == 0) {
    std::thread answering([&] { answers(), answers(); });
    MPI_Sendrecv(&sent, 1, MPI_INT, other, First, came.data(), 1, MPI_INT, other, Second, world, MPI_STATUS_IGNORE);
    MPI_Barrier(copy);
    answering.join();
  } else {
    MPI_Recv(came.data(), 1, MPI_INT, other, First, world, MPI_STATUS_IGNORE);
    send_and_check();
    MPI_Send(&sent, 1, MPI_INT, other, Second, world);
    send_and_check();
    MPI_Barrier(copy);
  }
  MPI_Comm_free(&copy);
  what = "a message of a thread";
  return came == (at.rank == 0 ? std::array<int, 3>{7, 5, 0} : std::array<int, 3>{7, 0, 5});
}

bool constants(const place& at, std::string& what) {
  static const std::array<double, 4> third{1. / 3, 2. / 3, 4. / 3, 5. / 3};
  std::array<double, 4> came{};
  const int right = (at.rank + 1) % at.ranks, left = (at.rank + at.ranks - 1) % at.ranks;
  MPI_Sendrecv(third.data(), 4, MPI_DOUBLE, right, 0, came.data(), 4, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  what = "a constant";
  return came == third;
}

bool open_grid(const place& at, std::string& what) {
  MPI_Comm line = MPI_COMM_NULL;
  const int open = 0;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &at.ranks, &open, 0, &line);
  std::array<double, 8> sent{}, came{};  // four to each neighbor
  sent.fill(at.rank);
  MPI_Neighbor_alltoall(sent.data(), 4, MPI_DOUBLE, came.data(), 4, MPI_DOUBLE, line);
  MPI_Comm_free(&line);
  what = "data from a neighbor";
  return (at.rank == 0 || came[3] == at.rank - 1) && (at.rank + 1 == at.ranks || came[4] == at.rank + 1);
}

bool crossed_probes(const place& at, std::string& what) {
  constexpr int Tag = 5, Messages = 4;
  std::array<std::array<int, Messages>, Messages> all{};  // message i has i + 1 numbers
  what = "a message that was probed";
  if (at.rank == 0) {
    std::array<MPI_Request, Messages> sent{};
    for (std::size_t i = 0; i < Messages; ++i) {
      all[i].fill(static_cast<int>(i));
      MPI_Isend(all[i].data(), static_cast<int>(i) + 1, MPI_INT, 1, Tag, MPI_COMM_WORLD, &sent[i]);
    }
    MPI_Waitall(Messages, sent.data(), MPI_STATUSES_IGNORE);
  }
  if (at.rank != 1) return true;
  std::array<MPI_Message, Messages> probed{};
  for (std::size_t i = 0; i < Messages; ++i) {
    if (i % 2 == 0) MPI_Mprobe(0, Tag, MPI_COMM_WORLD, &probed[i], MPI_STATUS_IGNORE);
    for (int flag = 0; i % 2 != 0 && flag == 0;)
      MPI_Improbe(MPI_ANY_SOURCE, Tag, MPI_COMM_WORLD, &flag, &probed[i], MPI_STATUS_IGNORE);
  }
  for (std::size_t i = Messages; i-- > 0;) {
    MPI_Request q = MPI_REQUEST_NULL;
    if (i < 2) MPI_Mrecv(all[i].data(), Messages, MPI_INT, &probed[i], MPI_STATUS_IGNORE);
    if (i >= 2) MPI_Imrecv(all[i].data(), Messages, MPI_INT, &probed[i], &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    if (all[i][i] != static_cast<int>(i)) return false;
  }
  return true;
}

bool long_run(const place& at, std::string& what) {
  constexpr int Early = 2'000, Times = 20'000;
  const auto pages_in_memory = [] {
    long all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident;
  };
  std::vector<char> sent(1024, 'x'), came(sent.size());
  const int size = static_cast<int>(sent.size());
  long before = 0;
  for (int i = 0; i < Times; ++i) {
    if (i == Early) before = pages_in_memory();
    MPI_Request q = MPI_REQUEST_NULL;
    MPI_Irecv(came.data(), size, MPI_CHAR, at.rank, 0, MPI_COMM_WORLD, &q);
    MPI_Send(sent.data(), size, MPI_CHAR, at.rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
  }
  what = "memory that grows with the calls";
  return (pages_in_memory() - before) * sysconf(_SC_PAGESIZE) < (1 << 20);
}

bool leaked_receive(const place& at, std::string& /*what*/) {
  static int never = 0;
  MPI_Request q = MPI_REQUEST_NULL;
  if (at.rank == 0) MPI_Irecv(&never, 1, MPI_INT, at.ranks - 1, 9, MPI_COMM_WORLD, &q);
  return true;
}

bool cancelled_receives(const place& at, std::string& what) {
  MPI_Comm world = MPI_COMM_WORLD;
  const int other = 1 - at.rank;
  std::array<int, 3> came{};
  std::array<MPI_Request, 3> q{};
  MPI_Irecv(came.data(), 1, MPI_INT, other, 1, world, q.data());
  MPI_Irecv(&came[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, world, &q[1]);
  MPI_Irecv(&came[2], 1, MPI_INT, other, 3, world, &q[2]);
  MPI_Send(&at.rank, 1, MPI_INT, other, 1, world);
  for (int flag = 0; flag == 0;) MPI_Request_get_status(q[0], &flag, MPI_STATUS_IGNORE);
  std::array<int, 3> cancelled{};
  for (std::size_t i = 0; i < q.size(); ++i) {
    MPI_Status status;
    MPI_Cancel(&q[i]);
    MPI_Wait(&q[i], &status);
    MPI_Test_cancelled(&status, &cancelled[i]);
  }
  what = "a canceled request";
  return cancelled == std::array<int, 3>{0, 1, 1} && came == std::array<int, 3>{other, 0, 0};
}

bool hangs(const place& at, std::string& /*what*/) {
  int value = at.rank;
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  const pid_t child = fork();
  if (child == 0) std::exit(0);
  waitpid(child, nullptr, 0);
  MPI_Recv(&value, 1, MPI_INT, (at.rank + 1) % at.ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return true;
}

bool head_on(const place& at, std::string& what) {
  std::vector<char> sent(2000, static_cast<char>(at.rank)), came(sent.size());
  if (at.rank > 1) return true;
  MPI_Send(sent.data(), static_cast<int>(sent.size()), MPI_CHAR, 1 - at.rank, 4, MPI_COMM_WORLD);
  MPI_Recv(came.data(), static_cast<int>(came.size()), MPI_CHAR, 1 - at.rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  what = "data from the other side";
  return came.front() == static_cast<char>(1 - at.rank);
}

}  // namespace weft::mpi_programs
